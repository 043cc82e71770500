import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { closeServer } from '../close-server.ts';
import type { SocketRoute } from './socket-routes.ts';

const echo: SocketRoute = {
  path: '/echo/:word/stream',
  messageBytesMax: 100,
  connectionsMax: 2,
  untoldMax: 2,
  handler: (_, { params, socket, told }) => {
    if (params.word !== 'silent') told();
    socket.send(params.word!);
    socket.on('message', (data) => socket.send(data.toString()));
  },
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: [], server: { socketRoutes: [echo], publicRoutes: [body] } });
});
afterAll(() => api?.close());

const body = {
  method: 'POST' as const,
  path: '/said',
  handler: async (_: unknown, request: { body: Buffer }) => ({ status: 200, body: request.body }),
};
const open = (path: string) => new WebSocket(`${api.baseUrl.replace('http', 'ws')}${path}`);
const first = (socket: WebSocket) =>
  new Promise<string>((resolve) =>
    socket.once('message', (data: Buffer) => resolve(data.toString())),
  );
const ended = (socket: WebSocket) =>
  new Promise<number>((resolve) => socket.once('close', resolve));
const refused = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
  });

/** The answers to texts that are sent one after the other on one connection. */
async function raw(texts: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(api.baseUrl);
  const socket = net.connect(Number(port), hostname);
  const answers: string[] = [];
  for (const text of texts) {
    socket.write(text);
    answers.push(
      await new Promise<string>((resolve) =>
        socket.once('data', (data) => resolve(data.toString())),
      ),
    );
  }
  socket.destroy();
  return answers;
}

describe('a WebSocket', () => {
  test('is served at its path with its parameters', async () => {
    const socket = open('/echo/hello/stream');
    expect(await first(socket)).toBe('hello');
    socket.send('x');
    expect(await first(socket)).toBe('x');
    socket.send('x'.repeat(101));
    expect(await ended(socket)).toBe(1_009);
  });

  test('anywhere else is refused like any request there', async () => {
    expect(await refused(open('/echo/hello'))).toBe(404);
    expect(await refused(open('/echo/a%2Fb/stream'))).toBe(404);
  });

  test('that a page of another origin opens is refused; a program names none', async () => {
    const from = (origin: string) =>
      new WebSocket(`${api.baseUrl.replace('http', 'ws')}/echo/hello/stream`, { origin });
    for (const origin of [
      'https://evil.example',
      'null',
      new URL(api.baseUrl).origin.replace('127.0.0.1', 'localhost'),
    ])
      expect({ origin, status: await refused(from(origin)) }).toEqual({ origin, status: 403 });
    const own = from(new URL(api.baseUrl).origin);
    expect(await first(own)).toBe('hello');
    own.close();
    await ended(own);
  });

  test('in production is opened from the address of the interface alone, whatever the Host says', async () => {
    const config = {
      environment: 'production' as const,
      api: { ...api.ctx.config.api, baseUrl: 'https://purser.example/api' },
    };
    const production = await startTestApi({ routes: [], config, server: { socketRoutes: [echo] } });
    const from = (origin: string) =>
      new WebSocket(`${production.baseUrl.replace('http', 'ws')}/echo/hello/stream`, { origin });
    expect(await refused(from(new URL(production.baseUrl).origin))).toBe(403);
    const own = from('https://purser.example');
    expect(await first(own)).toBe('hello');
    own.close();
    await ended(own);
    await production.close();
  });

  test('that has not said who it is takes no place of those who have: the oldest silent one gives way', async () => {
    const silent: WebSocket[] = [];
    while (silent.length < 2) {
      silent.push(open('/echo/silent/stream'));
      await first(silent.at(-1)!);
    }
    const end = ended(silent[0]!);
    const two = [open('/echo/a/stream'), open('/echo/b/stream')];
    expect(await Promise.all(two.map(first))).toEqual(['a', 'b']);
    expect(await end).toBe(1_006);
    for (const socket of [silent[1]!, ...two]) {
      socket.close();
      await ended(socket);
    }
  });

  test('beyond the connections of its route gets 503', async () => {
    const two = [open('/echo/a/stream'), open('/echo/b/stream')];
    await Promise.all(two.map(first));
    expect(await refused(open('/echo/c/stream'))).toBe(503);
    for (const socket of two) {
      socket.close();
      await ended(socket);
    }
  });
});

test('whoever is refused and does not hang up holds no connection', async () => {
  const other = await startTestApi({
    routes: [],
    server: { socketRoutes: [{ ...echo, connectionsMax: 0 }] },
  });
  const { hostname, port, pathname } = new URL(other.baseUrl);
  const key =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==';
  const texts = [
    `GET ${pathname}/echo/hello/stream HTTP/1.1\r\nhost: x\r\n${key}\r\n\r\n`,
    'GET / HTTP/1.1\r\nno header\r\n\r\n',
  ];
  const answers = await Promise.all(
    texts.map(async (text) => {
      const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => undefined);
      socket.write(text);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString().slice(9, 12);
    }),
  );
  expect(answers).toEqual(['503', '400']);
  const count = () =>
    new Promise<number>((resolve) =>
      other.server.server.getConnections((_, open) => resolve(open)),
    );
  await expect.poll(count).toBe(0);
  await other.close();
});

describe('a request that offers another protocol', () => {
  test.each(['h2c', 'websocket'])(
    '(%s) is served as if it did not, with its body, and so is the next one on its connection',
    async (offer) => {
      const head = `host: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: ${offer}\r\nhttp2-settings: AAMAAABk\r\n`;
      const post = `POST /api/said HTTP/1.1\r\n${head}content-length: 5\r\n\r\nhello`;
      const answers = await raw([post, post, 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n']);
      expect(answers.map((answer) => answer.slice(0, 12))).toEqual([
        'HTTP/1.1 200',
        'HTTP/1.1 200',
        'HTTP/1.1 200',
      ]);
      expect(answers.filter((answer) => answer.endsWith('hello'))).toHaveLength(2);
    },
  );
});

test('a server that stops says so to whoever is connected', async () => {
  const other = await startTestApi({ routes: [], server: { socketRoutes: [echo] } });
  const socket = new WebSocket(`${other.baseUrl.replace('http', 'ws')}/echo/hello/stream`);
  await first(socket);
  const end = ended(socket);
  await closeServer(other.server);
  expect(await end).toBe(1_001);
  await other.close();
});
