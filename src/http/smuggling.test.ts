import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { createRoute, echoRoute } from './test-kit.ts';

/** What reached a handler, in order. */
let served: string[];
const noting = {
  ...echoRoute,
  handler: async (...input: Parameters<typeof echoRoute.handler>) => {
    served.push((input[1] as { params: { thing: string } }).params.thing);
    return echoRoute.handler(...input);
  },
} as typeof echoRoute;
const creating = createRoute(async (_ctx, { name }) => {
  served.push(name);
  return { status: 201, body: { id: '1', name } };
});

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: [noting, creating] });
});
afterAll(() => api?.close());
beforeEach(() => {
  served = [];
});

const head = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nhost: purser\r\nx-api-key: ${api.serverKey}\r\n${more}`;
const get = (thing: string, more = '') =>
  `${head(`GET /api/2025-06-09/things/${thing}`, more)}\r\n`;
const post = (more: string, body: string) =>
  `${head('POST /api/2025-06-09/things', `content-type: application/json\r\n${more}`)}\r\n${body}`;
const last = () => get('last', 'connection: close\r\n');
/**
 * Ends each connection that is still read as a line of requests.
 * @returns the status of every answer
 */
function exchange(bytes: string, isEnded = false): Promise<number[]> {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.setTimeout(15_000, () =>
      reject(new Error('The connection stays open without an answer.')),
    );
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A connection that is cut after its answer may be reset while the rest is sent.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(
        [
          ...Buffer.concat(chunks)
            .toString('latin1')
            .matchAll(/HTTP\/1\.1 (\d{3}) /g),
        ].map(([, status]) => Number(status)),
      );
    });
    // The server aborts what it has not answered when it hears of an end; what it is sent has it
    // close the connection itself.
    if (isEnded) socket.end(bytes);
    else socket.write(bytes);
  });
}

const smuggled = () => get('smuggled');
const body = '{"name":"honest"}';

describe('a request whose end two readers would see in two places is refused, and the connection with it', () => {
  test.each<[string, () => string]>([
    [
      'a length and chunks',
      () =>
        post(
          `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n`,
          `0\r\n\r\n${smuggled()}`,
        ),
    ],
    [
      'chunks and a length',
      () =>
        post(
          'transfer-encoding: chunked\r\ncontent-length: 4\r\n',
          `11\r\n${body}\r\n0\r\n\r\n${smuggled()}`,
        ),
    ],
    [
      'two lengths',
      () =>
        post(
          `content-length: ${body.length}\r\ncontent-length: ${body.length + 20}\r\n`,
          `${body}${smuggled()}`,
        ),
    ],
    [
      'two lengths in one line',
      () => post(`content-length: ${body.length}, ${body.length + 20}\r\n`, `${body}${smuggled()}`),
    ],
    [
      'a length with a sign',
      () => post(`content-length: +${body.length}\r\n`, `${body}${smuggled()}`),
    ],
    [
      'a space before the colon',
      () => post('transfer-encoding : chunked\r\n', `11\r\n${body}\r\n0\r\n\r\n${smuggled()}`),
    ],
    [
      'a coding that is none',
      () => post('transfer-encoding: xchunked\r\n', `11\r\n${body}\r\n0\r\n\r\n${smuggled()}`),
    ],
    [
      'chunks that are not last',
      () =>
        post('transfer-encoding: chunked, identity\r\n', `11\r\n${body}\r\n0\r\n\r\n${smuggled()}`),
    ],
    [
      'a chunk with a sign',
      () => post('transfer-encoding: chunked\r\n', `+11\r\n${body}\r\n0\r\n\r\n${smuggled()}`),
    ],
    [
      'a chunk longer than a number',
      () =>
        post(
          'transfer-encoding: chunked\r\n',
          `11000000000000000011\r\n${body}\r\n0\r\n\r\n${smuggled()}`,
        ),
    ],
    [
      'chunks that end in a bare line feed',
      () => post('transfer-encoding: chunked\r\n', `11\n${body}\n0\n\n${smuggled()}`),
    ],
    [
      'a header folded into the next line',
      () =>
        post(
          `x-note: a\r\n transfer-encoding: chunked\r\ncontent-length: ${body.length}\r\n`,
          `${body}${smuggled()}`,
        ),
    ],
    [
      'a header behind a bare line feed',
      () =>
        post(
          `x-note: a\ntransfer-encoding: chunked\r\ncontent-length: ${body.length}\r\n`,
          `${body}${smuggled()}`,
        ),
    ],
    [
      'a header behind a bare carriage return',
      () =>
        post(
          `x-note: a\rcontent-length: 4\r\ncontent-length: ${body.length}\r\n`,
          `${body}${smuggled()}`,
        ),
    ],
  ])('%s', async (_what, bytes) => {
    expect(await exchange(`${bytes()}${last()}`)).toEqual([400]);
    expect(served).toEqual([]);
  });
});

describe('requests one after the other', () => {
  test('are each answered once, in their order, by what they carry', async () => {
    const chunked = post(
      'transfer-encoding: chunked\r\n',
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    expect(
      await exchange(
        `${post(`content-length: ${body.length}\r\n`, body)}${chunked}${get('next')}${last()}`,
      ),
    ).toEqual([201, 201, 200, 200]);
    expect(served).toEqual(['honest', 'honest', 'next', 'last']);
  });

  test('behind a body that nobody reads are no part of it: a GET may carry one, whatever stands in it', async () => {
    const inside = smuggled();
    const statuses = await exchange(
      `${get('first', `content-length: ${inside.length}\r\n`)}${inside}${last()}`,
    );
    expect(statuses[0]).toBeLessThan(500);
    expect(served).not.toContain('smuggled');
  });

  test('are not found in a body that asks for an upgrade', async () => {
    const inside = smuggled();
    const upgrade =
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    await exchange(
      `${get('first', `${upgrade}content-length: ${inside.length}\r\n`)}${inside}${last()}`,
      true,
    );
    expect(served).not.toContain('smuggled');
  });
});
