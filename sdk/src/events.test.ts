import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { createBell } from './events.ts';
import { createPurser, ForbiddenError } from './index.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** A server that writes one of these streams after the other. */
async function aServer(answers: readonly ((response: ServerResponse) => void)[]) {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url!, headers: request.headers });
    answers[Math.min(seen.length, answers.length) - 1]!(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const options = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    apiKey: 'sk_development_x',
  };
  return { seen, options, purser: createPurser(options) };
}

const message = (position: number) =>
  `id: ${position}\nevent: x\ndata: ${JSON.stringify({ id: `e${position}`, position: `${position}` })}\n\n`;
const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

it('a stream that breaks is opened again after the last event that was read, however it was cut into pieces', async () => {
  const { purser, seen } = await aServer([
    (response) => {
      stream(response).write(`retry: 2000\nid: 3\n\n${message(4).slice(0, 9)}`);
      setTimeout(
        () =>
          response.write(`${message(4).slice(9)}: heartbeat\n\nid: 5\nda`, () =>
            response.destroy(),
          ),
        50,
      );
    },
    (response) => void response.writeHead(503).end(),
    (response) => void stream(response).write(message(5) + message(6)),
  ]);
  const positions: string[] = [];
  const stop = new AbortController();
  for await (const { position } of purser.streamEvents(
    { after: '3', types: 'a,b' },
    { signal: stop.signal },
  )) {
    positions.push(position);
    if (position === '6') stop.abort();
  }
  expect(positions).toEqual(['4', '5', '6']);
  expect(seen.map(({ url, headers }) => [url, headers['last-event-id'], headers.accept])).toEqual([
    ['/api/unstable/events?after=3&types=a%2Cb', undefined, 'text/event-stream'],
    ['/api/unstable/events?after=3&types=a%2Cb', '4', 'text/event-stream'],
    ['/api/unstable/events?after=3&types=a%2Cb', '4', 'text/event-stream'],
  ]);
});

it('a stream ends with its signal, also when memory was collected while it was read', {
  tags: 'slow',
}, async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let write: ((text: string) => void) | undefined;
  const { purser } = await aServer([
    (response) => {
      stream(response).write('id: 3\n\n');
      write = (text) => response.write(text);
    },
  ]);
  const stop = new AbortController();
  const ended = (async () => {
    for await (const _ of purser.streamEvents({}, { signal: stop.signal })) stop.abort();
    return 'ended';
  })();
  const junk: unknown[] = [];
  for (let round = 0; round < 6; round++) {
    for (let nr = 0; nr < 2_000; nr++) junk.push(new Array(50).fill(nr));
    collect();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  write!(message(4));
  const hung = new Promise((resolve) => setTimeout(resolve, 5_000, 'hung').unref());
  expect(await Promise.race([ended, hung])).toBe('ended');
});

it('a stream that is refused throws why', async () => {
  const body = JSON.stringify({ error: true, message: 'The API key lacks a scope.' });
  const { purser, seen } = await aServer([
    (response) => void response.writeHead(403, { 'content-type': 'application/json' }).end(body),
  ]);
  await expect(purser.streamEvents().next()).rejects.toThrow(ForbiddenError);
  expect(seen).toHaveLength(1);
});

it('a wait rests until the stream stands, and then until something happens to its object', async () => {
  const eventOf = (object: string) => `id: 1\ndata: ${JSON.stringify({ object })}\n\n`;
  let written: ServerResponse | undefined;
  const { options } = await aServer([
    (response) => void (written = stream(response)).write('id: 0\n\n'),
  ]);
  const longMs = 2 ** 31 - 1;
  const bell = createBell(options, 'orders.payment.succeeded', 'order:mine', longMs);
  ending.push(() => bell.close());
  await bell.rest(longMs, longMs);
  let hasRung = false;
  const rest = bell.rest(longMs, longMs).then(() => (hasRung = true));
  written!.write(eventOf('order:other'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasRung).toBe(false);
  written!.write(eventOf('order:mine'));
  await rest;
  const stop = new AbortController();
  const stopped = expect(bell.rest(longMs, longMs, stop.signal)).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await stopped;
});

it('a wait without a stream rests as long as it would without', async () => {
  const { options } = await aServer([(response) => void response.writeHead(403).end()]);
  const bell = createBell(options, 'orders.payment.succeeded', 'order:mine', 2 ** 31 - 1);
  for (let looks = 0; looks < 3; looks++) await bell.rest(20, 60_000);
  bell.close();
});
