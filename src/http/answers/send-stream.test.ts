import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type AnswerStream, route } from '../routes/route.ts';
import { openAuth } from '../test-kit.ts';

const ends: string[] = [];

async function* count(name: string, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for (let n = 0; !signal.aborted; n++) {
      yield `${n}\n`;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    yield 'bye\n';
  } finally {
    ends.push(name);
  }
}

const streamRoute = (name: string, stream: AnswerStream, declares = true) =>
  route({
    method: 'GET',
    path: `/2025-06-09/${name}`,
    operationId: name,
    summary: 'Count',
    tag: 'Things',
    family: 'W',
    auth: openAuth,
    headers: z.object({ accept: z.string().regex(/text/, 'must name a text') }),
    responses: {
      200: {
        description: 'Numbers.',
        schema: z.object({}),
        ...(declares && { streams: 'text/event-stream' as const }),
      },
    },
    errors: [],
    handler: async (_, { headers }) => {
      if (headers.accept === 'text/none') throw new ServiceError('forbidden');
      return { status: 200, stream };
    },
  });

let api: TestApi;
let closed: Promise<void> | undefined;
beforeAll(async () => {
  api = await startTestApi({
    routes: [
      streamRoute('counts', (signal) => count('counts', signal)),
      streamRoute('undeclared', (signal) => count('undeclared', signal), false),
    ],
    server: { handlerTimeoutMs: 300 },
  });
});
afterAll(() => closed ?? api?.close());

async function open(path: string, accept = 'text/event-stream'): Promise<http.IncomingMessage> {
  const request = http.get(`${api.baseUrl}/2025-06-09/${path}`, {
    agent: false,
    headers: { 'x-api-key': api.serverKey, accept },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function readUntil(
  response: http.IncomingMessage,
  isEnough: (text: string) => boolean,
): Promise<string> {
  let text = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (isEnough(text)) break;
  }
  return text;
}

it('an answer that streams outlasts the time-out of answers, and ends when its caller goes away', async () => {
  const response = await open('counts');
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-request-id': expect.any(String),
  });
  const startedMs = performance.now();
  await readUntil(response, () => performance.now() - startedMs > 600);
  expect(ends).toEqual([]);
  response.destroy();
  while (ends.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(ends).toEqual(['counts']);
});

it('a refusal before the first chunk is an ordinary answer', async () => {
  expect((await open('counts', 'text/none')).statusCode).toBe(403);
  const invalid = await open('counts', 'image/png');
  expect([invalid.statusCode, await readUntil(invalid, () => false)]).toEqual([
    400,
    expect.stringContaining('headers.accept: must name a text'),
  ]);
});

it('a stream that its route does not declare is an error where answers are checked', async () => {
  expect((await open('undeclared')).statusCode).toBe(500);
});

it('a server that stops lets streams end by themselves, and does not wait for more', async () => {
  const response = await open('counts');
  await readUntil(response, (text) => text.length > 10);
  closed = api.close();
  expect(await readUntil(response, () => false)).toMatch(/bye\n$/);
  await closed;
});

it('cuts off who has stopped reading, so that nobody holds a place for ever', async () => {
  let hasEnded = false;
  async function* pages(): AsyncGenerator<string> {
    try {
      for (;;) yield 'x'.repeat(1_000_000);
    } finally {
      hasEnded = true;
    }
  }
  const own = await startTestApi({
    routes: [streamRoute('pages', () => pages())],
    server: { stalledMs: 200 },
  });
  const request = http.get(`${own.baseUrl}/2025-06-09/pages`, {
    agent: false,
    headers: { 'x-api-key': own.serverKey, accept: 'text/event-stream' },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.on('error', () => undefined);
  response.pause();
  await expect.poll(() => hasEnded, { timeout: 10_000 }).toBe(true);
  await own.close();
});

it('a stream whose caller has gone before it begins is told so', async () => {
  let begun: AbortSignal | undefined;
  let isAsked = false;
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const late = streamRoute('late', (signal) => {
    begun = signal;
    return count('late', signal);
  });
  const handler: typeof late.handler = async (ctx, input) => {
    isAsked = true;
    await waiting;
    return late.handler(ctx, input);
  };
  const own = await startTestApi({ routes: [{ ...late, handler }] });
  const headers = { 'x-api-key': own.serverKey, accept: 'text/event-stream' };
  const request = http.get(`${own.baseUrl}/2025-06-09/late`, { agent: false, headers });
  request.on('error', () => undefined);
  await expect.poll(() => isAsked).toBe(true);
  request.destroy();
  await expect
    .poll(
      () => new Promise((resolve) => own.server.server.getConnections((_, open) => resolve(open))),
    )
    .toBe(0);
  goOn();
  await expect.poll(() => begun?.aborted).toBe(true);
  await own.close();
});
