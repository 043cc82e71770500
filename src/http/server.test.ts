import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { type ErrorCode, errorTable } from '../lib/errors.ts';
import { closeServer } from './close-server.ts';
import { createReadinessCheck } from './health.ts';
import { route } from './routes/route.ts';
import { createServer } from './server.ts';
import { createRoute, echoRoute, failingRoute, openAuth, rawCall } from './test-kit.ts';

const logLines: string[] = [];
let slow: {
  readonly started: Promise<void>;
  readonly finish: () => void;
  readonly begin: () => Promise<void>;
};
const newSlow = () => {
  let begin!: () => void;
  let finish!: () => void;
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    started,
    finish,
    begin: () => {
      begin();
      return finished;
    },
  };
};

const slowRoute = route({
  method: 'GET',
  path: '/2025-06-09/slow',
  operationId: 'slow',
  summary: 'Slow',
  tag: 'Things',
  family: 'W',
  auth: openAuth,
  responses: { 200: { description: 'Done.', schema: z.object({ done: z.boolean() }) } },
  errors: [],
  handler: async () => {
    await slow.begin();
    return { status: 200, body: { done: true } };
  },
});
const wrongRoute = route({
  method: 'GET',
  path: '/2025-06-09/wrong/:how',
  operationId: 'wrong',
  summary: 'Break a promise',
  tag: 'Things',
  family: 'W',
  auth: openAuth,
  params: z.object({ how: z.string() }),
  responses: { 200: { description: 'A number.', schema: z.object({ count: z.number() }) } },
  errors: [],
  handler: async (_, { params }) => ({
    status: params.how === 'status' ? 202 : 200,
    body: params.how === 'error' ? { count: 1, error: null } : { count: 'many' },
  }),
});
const deleteRoute = route({
  method: 'DELETE',
  path: '/2025-06-09/things/:thing',
  operationId: 'deleteThing',
  summary: 'Delete',
  tag: 'Things',
  family: 'W',
  auth: openAuth,
  params: z.object({ thing: z.string() }),
  responses: { 204: { description: 'Gone.' } },
  errors: [],
  handler: async () => ({ status: 204 }),
});
const secretFailure = () => new Error('connect to postgres://admin:hunter2@db failed');
const routes = [
  createRoute(async (_, body) => ({ status: 201, body: { id: '1', name: body.name } })),
  echoRoute,
  slowRoute,
  wrongRoute,
  deleteRoute,
  failingRoute('W', secretFailure),
  failingRoute('A', secretFailure),
  failingRoute('O', 'timeout'),
  failingRoute('O', 'temporarily-unavailable', 'busy'),
  failingRoute('A', 'checkout-not-found', 'refuses'),
  failingRoute(
    'W',
    () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    'database',
  ),
];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes,
    log: pino({ level: 'info' }, { write: (line: string) => logLines.push(line) }),
    server: {
      home: {
        text: 'Try it',
        addresses: [],
        keys: [['Server key', 'the-key']],
        next: [['npm run this', 'Try <this> & that']],
        running: () => [],
      },
    },
  });
});
afterAll(() => api.close());

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  rawCall(api, {
    method: 'POST',
    path: '/api/2025-06-09/things',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const refusal = (code: ErrorCode) => ({
  error: true,
  message: expect.any(String),
  ...('codeInBody' in errorTable[code] ? {} : { code }),
});

describe('bodies', () => {
  test('a body that fits its schema is served, and the answer is JSON', async () => {
    const answer = await post('{"name":"first"}');
    expect(answer).toMatchObject({ status: 201, body: { id: '1', name: 'first' } });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('a byte order mark in front of a body is no part of it', async () => {
    expect(await post('\uFEFF{"name":"first"}')).toMatchObject({
      status: 201,
      body: { id: '1', name: 'first' },
    });
  });

  const bad: readonly [string, string | Buffer, ErrorCode, RegExp][] = [
    ['malformed JSON', '{"name":', 'invalid-json', /not valid JSON/],
    ['a byte order mark alone', '\uFEFF', 'invalid-json', /not valid JSON/],
    ['two byte order marks', '\uFEFF\uFEFF{"name":"a"}', 'invalid-json', /not valid JSON/],
    [
      'a byte that is no UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      'invalid-json',
      /not valid JSON/,
    ],
    ['no body', '', 'validation-error', /body is missing/],
    ['null', 'null', 'validation-error', /body: /],
    ['an array', '[]', 'validation-error', /body: /],
    ['a missing field', '{}', 'validation-error', /body\.name/],
    ['an unknown field', '{"name":"a","nmae":"b"}', 'validation-error', /nmae/],
    ['a wrong type', '{"name":1}', 'validation-error', /body\.name/],
    [
      'a wrong type in a list',
      '{"name":"a","tags":["b",2]}',
      'validation-error',
      /body\.tags\[1\]/,
    ],
    [
      'a prototype',
      '{"name":"a","nested":{"__proto__":{"admin":true}}}',
      'validation-error',
      /__proto__/,
    ],
    [
      'an escaped prototype',
      '{"name":"a","\\u005f_proto__":{"admin":true}}',
      'validation-error',
      /__proto__/,
    ],
    [
      '65 levels',
      `{"name":"a","nested":${'['.repeat(65)}${']'.repeat(65)}}`,
      'validation-error',
      /nested deeper than 64/,
    ],
    [
      'a hundred thousand levels',
      '['.repeat(100_000) + ']'.repeat(100_000),
      'validation-error',
      /nested deeper than 64/,
    ],
    ['a NUL character', '{"name":"a\\u0000b"}', 'validation-error', /NUL/],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'validation-error', /surrogate/],
  ];
  test.each(bad)(
    '%s is refused with a sentence that says what is wrong',
    async (_, body, code, message) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: true, code, message: expect.stringMatching(message) });
    },
  );

  test('ten wrong fields are not ten sentences', async () => {
    const { body } = await post(
      JSON.stringify({ name: 'a', tags: Array.from({ length: 10 }, (_, index) => index) }),
    );
    expect(body.message).toMatch(/tags\[4\].*and 5 more$/);
  });

  test('a body over 1 MiB is refused, by its announced length and by what arrives', async () => {
    const huge = `{"name":"${'a'.repeat(1_024 * 1_024)}"}`;
    expect(await post(huge)).toMatchObject({ status: 413, body: refusal('payload-too-large') });
    expect(await post(huge, { 'transfer-encoding': 'chunked' })).toMatchObject({
      status: 413,
      body: refusal('payload-too-large'),
    });
  });

  test.each([
    ['its announced length', 'content-length: 2000000\r\n', 413],
    ['what arrives', 'transfer-encoding: chunked\r\n', 413],
    [
      'its type',
      'content-type: text/plain\r\nconnection: close\r\ncontent-length: 2000000\r\n',
      415,
    ],
  ])(
    'who is refused by %s while sending gets the answer, and not a reset',
    async (_, more, status) => {
      const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
      const problems: unknown[] = [];
      let answer = '';
      socket.on('error', (error) => problems.push(error));
      socket.on('data', (chunk) => (answer += String(chunk)));
      const ended = new Promise((resolve) => socket.once('close', resolve));
      const type = more.includes('content-type') ? '' : 'content-type: application/json\r\n';
      const key = `x-api-key: ${api.serverKey}\r\n`;
      socket.write(
        `POST /api/2025-06-09/things HTTP/1.1\r\nhost: purser\r\n${key}${type}${more}\r\n`,
      );
      const isChunked = more.includes('chunked');
      const part = 'a'.repeat(20_000);
      for (let sent = 0; sent < 100 && socket.writable; sent += 1) {
        socket.write(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part);
        // Slower than the refusal.
        if (sent % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (isChunked) socket.write('0\r\n\r\n');
      await ended;
      expect([answer.slice(0, 12), problems]).toEqual([`HTTP/1.1 ${status}`, []]);
    },
  );

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['nonsense'],
  ])('a body as %s is refused', async (type) => {
    expect(await post('{"name":"a"}', { 'content-type': type })).toMatchObject({
      status: 415,
      body: refusal('unsupported-media-type'),
    });
  });

  test('a body without content type, and a compressed one, are refused', async () => {
    expect(
      await rawCall(api, { method: 'POST', path: '/api/2025-06-09/things', body: '{"name":"a"}' }),
    ).toMatchObject({ status: 415 });
    expect(await post('{"name":"a"}', { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
    });
  });

  test('GET and DELETE with a JSON content type and no body are no error', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(
      await rawCall(api, { method: 'GET', path: '/api/2025-06-09/things/a', headers }),
    ).toMatchObject({ status: 200 });
    expect(
      await rawCall(api, { method: 'DELETE', path: '/api/2025-06-09/things/a', headers }),
    ).toMatchObject({ status: 204, text: '' });
  });
});

describe('paths', () => {
  const get = (path: string) =>
    rawCall(api, { method: 'GET', path: `/api/2025-06-09/things/${path}` });

  test.each([
    ['email:a@b.example:evm', 'email:a@b.example:evm'],
    ['email%3Aa%40b.example%3aevm', 'email:a@b.example:evm'],
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['%25252F', '%252F'],
    ['a%3Fpage=1', 'a?page=1'],
    ['%E2%82%AC', '€'],
    ['a+b', 'a+b'],
    ['a;b', 'a;b'],
    ['..%2F..%2Fetc%2Fpasswd', '../../etc/passwd'],
    ["'%3B%20drop%20table%20api_keys%3B--", "'; drop table api_keys;--"],
  ])('%s is decoded once', async (sent, read) => {
    expect(await get(sent)).toMatchObject({ status: 200, body: { thing: read } });
  });

  test.each([['%'], ['%zz'], ['%2'], ['%ff'], ['%C0%AF'], ['%ED%A0%80'], ['%E2%82'], ['a%00b']])(
    '%s is refused',
    async (sent) => {
      const answer = await get(sent);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(refusal('validation-error'));
      expect(answer.headers['x-request-id']).toBeTruthy();
    },
  );

  test('a part longer than any locator is refused', async () => {
    expect(await get('a'.repeat(2_000))).toMatchObject({
      status: 400,
      body: refusal('validation-error'),
    });
    expect(await get('a'.repeat(10_000))).toMatchObject({
      status: 400,
      body: refusal('validation-error'),
    });
  });

  test('query values are checked, unknown ones are ignored', async () => {
    expect(await get('a?page=2&colour=red')).toMatchObject({
      status: 200,
      body: { query: { page: '2' } },
    });
    expect((await get('a?page=two')).body.message).toContain('query.page: must be a whole number');
    expect(await get('a?page=1&page=2')).toMatchObject({ status: 400 });
    expect(await get('a?page=%00')).toMatchObject({ status: 400 });
    expect(await get('a?page=%zz')).toMatchObject({ status: 400 });
    expect(await get('a?__proto__=1&constructor=2')).toMatchObject({ status: 200 });
  });

  test('an unknown path is 404 and a wrong method 405 with Allow, with or without a key', async () => {
    expect(await rawCall(api, { method: 'GET', path: '/api/2025-06-09/nothing' })).toMatchObject({
      status: 404,
      body: refusal('route-not-found'),
    });
    expect(await rawCall(api, { method: 'GET', path: '/other' })).toMatchObject({
      status: 404,
      body: refusal('route-not-found'),
    });
    expect(
      await rawCall(api, {
        method: 'POST',
        path: '/api/2025-06-09/nothing',
        body: '{',
        headers: { 'content-type': 'text/html' },
      }),
    ).toMatchObject({ status: 404 });
    const wrong = await rawCall(api, {
      method: 'PUT',
      path: '/api/2025-06-09/things',
      headers: { 'x-api-key': '' },
    });
    expect(wrong).toMatchObject({
      status: 405,
      body: refusal('method-not-allowed'),
      headers: { allow: 'POST, OPTIONS' },
    });
    expect(
      (await rawCall(api, { method: 'POST', path: '/api/2025-06-09/things/a' })).headers.allow,
    ).toBe('GET, DELETE, HEAD, OPTIONS');
  });

  test('a slash at the end of a path is ignored, also where it is refused, and before a query', async () => {
    expect(await get('a/?page=2')).toMatchObject({ status: 200, body: { query: { page: '2' } } });
    const wrong = await rawCall(api, { method: 'POST', path: '/api/2025-06-09/things/a/?x=1' });
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, DELETE, HEAD, OPTIONS' } });
    expect((await rawCall(api, { method: 'GET', path: '/health/' })).status).toBe(200);
    expect((await rawCall(api, { method: 'GET', path: '/api/2025-06-09/things/a//' })).status).toBe(
      404,
    );
  });

  test('an unknown path takes the error shape of the routes it resembles', async () => {
    expect((await rawCall(api, { method: 'GET', path: '/api/unstable/a/nothing' })).body).toEqual({
      statusCode: 404,
      error: 'Not Found',
      code: 'route-not-found',
      message: expect.any(String),
    });
  });
});

describe('errors', () => {
  test('a bug is 500 without a word of its cause, in the shape of the family', async () => {
    const w = await api.call('GET', '/unstable/w/fails');
    expect(w).toMatchObject({
      status: 500,
      body: { error: true, code: 'internal-error', message: 'An unexpected error occurred.' },
    });
    const a = await api.call('GET', '/unstable/a/fails');
    expect(a).toMatchObject({
      status: 500,
      body: { statusCode: 500, error: 'Internal Server Error', code: 'internal-error' },
    });
    expect(w.text + a.text).not.toMatch(/hunter2|at |postgres/);
    expect(logLines.join('')).toContain('hunter2@db failed');
  });

  test('agent checkouts answer with statusCode, phrase and message', async () => {
    expect((await api.call('GET', '/unstable/a/refuses')).body).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'Checkout not found.',
      code: 'checkout-not-found',
    });
  });

  test('a row without code in the table has none in its body', async () => {
    expect(await api.call('GET', '/unstable/o/fails')).toMatchObject({
      status: 504,
      body: { error: true, message: 'A timeout occurred.' },
    });
    expect((await api.call('GET', '/unstable/o/fails')).body).not.toHaveProperty('code');
    const busy = await api.call('GET', '/unstable/o/busy');
    expect([busy.status, busy.body]).toEqual([
      503,
      { error: true, message: 'Temporarily unavailable: please retry in a few minutes.' },
    ]);
  });

  test('a database that is away is 503 with Retry-After, not a bug', async () => {
    const answer = await api.call('GET', '/unstable/w/database');
    expect(answer).toMatchObject({ status: 503, body: refusal('provider-unavailable') });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  test('an answer that breaks the promise of its route is found', async () => {
    for (const how of ['type', 'status', 'error'])
      expect((await api.call('GET', `/2025-06-09/wrong/${how}`)).status).toBe(500);
    const found = logLines.join('');
    expect(found).toContain('does not fit its schema');
    expect(found).toContain('answered 202, which its route does not declare');
    expect(found).toContain('undeclared field \\"error\\"');
  });

  test('what is no HTTP is answered in JSON', async () => {
    const { hostname, port } = new URL(api.baseUrl);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
      let read = '';
      socket.on('data', (chunk) => {
        read += chunk;
      });
      socket.on('end', () => resolve(read));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual(refusal('validation-error'));
    expect(
      await rawCall(api, {
        method: 'GET',
        path: '/api/2025-06-09/things/a',
        headers: { 'x-long': 'a'.repeat(20_000) },
      }),
    ).toMatchObject({ status: 431, body: refusal('validation-error') });
  });
});

describe('request ids and logs', () => {
  test('a sane request id comes back, another one is replaced', async () => {
    const idOf = async (sent?: string) =>
      (
        await rawCall(api, {
          method: 'GET',
          path: '/api/2025-06-09/things/a',
          headers: sent === undefined ? {} : { 'x-request-id': sent },
        })
      ).headers['x-request-id'];
    expect(await idOf('my-trace.1:2')).toBe('my-trace.1:2');
    const made = await idOf();
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    for (const bad of ['a b', '"}', '{"a":1}', 'a'.repeat(129), '-x'])
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('one line per request: the route, never the path, the key, the token or the body', async () => {
    const before = logLines.length;
    const jwt = await api.userJwt('alice');
    await api.call('GET', '/2025-06-09/things/email:alice@shop.example:evm', {
      key: api.clientKey,
      jwt,
      headers: { 'x-request-id': 'line-1' },
    });
    await post('{"name":"very private"}', { 'x-request-id': 'line-2' });
    await rawCall(api, {
      method: 'GET',
      path: '/api/2025-06-09/things/x%0A%7B%22level%22:60%7D',
      headers: { 'user-agent': '"}{', 'x-client-name': '"\u0080[31m' },
    });
    const lines = logLines.slice(before);
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.map((line) => line.msg)).toEqual(['request', 'request', 'request']);
    expect(parsed[0]).toMatchObject({
      requestId: 'line-1',
      method: 'GET',
      route: '/api/2025-06-09/things/:thing',
      status: 200,
      projectId: api.projectId,
    });
    const text = lines.join('');
    for (const secret of [
      'alice',
      'very private',
      api.serverKey,
      api.clientKey,
      jwt,
      'level\\":60',
      '[31m',
    ])
      expect(text).not.toContain(secret);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });
});

describe('beside the interface', () => {
  const root = () => api.baseUrl.slice(0, -'/api'.length);

  test('health and readiness need no key', async () => {
    expect(await (await fetch(`${root()}/health`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${root()}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', migrations: 'ok', chains: 'ok' } },
    ]);
  });

  test('a database that lacks a migration is not ready', async () => {
    await api.ctx.store.query({
      text: "delete from schema_migrations where name = '0003-projects.sql'",
    });
    // What was found a moment ago is answered for a second: nobody needs a key to ask.
    await expect.poll(async () => (await fetch(`${root()}/ready`)).status).toBe(503);
    expect(await (await fetch(`${root()}/ready`)).json()).toEqual({
      status: 'not ready',
      checks: { database: 'ok', migrations: '1 not applied' },
    });
    await api.ctx.store.query({
      text: "insert into schema_migrations (name, checksum) values ('0003-projects.sql', 'x')",
    });
  });

  test('however many ask whether it is ready, the database is asked once in a second', async () => {
    const { query } = api.ctx.store;
    let count = 0;
    const store = {
      ...api.ctx.store,
      query: ((input) => ((count += 1), query(input))) as typeof query,
    };
    const check = createReadinessCheck({ ...api.ctx, store });
    await Promise.all(Array.from({ length: 200 }, () => check()));
    expect(count).toBe(1);
  });

  test('every answer says its type and is kept, framed and loaded from nowhere; behind https browsers stay there', async () => {
    const paths = [
      '/api/2025-06-09/things/a',
      '/api/nowhere',
      '/openapi.json',
      '/health',
      '/docs',
      '/',
      '/api/%ff',
      '/too-large',
    ];
    const behindTls = createServer(
      {
        ...api.ctx,
        config: {
          ...api.ctx.config,
          api: { ...api.ctx.config.api, baseUrl: 'https://a.example/api' },
        },
      },
      { routes: [] },
    );
    const secure = await behindTls.inject('/health');
    for (const path of paths) {
      const tooLarge = { 'x-large': 'a'.repeat(20_000) };
      const { headers } = await fetch(
        `${root()}${path}`,
        path === '/too-large' ? { headers: tooLarge } : {},
      );
      expect(Object.fromEntries(headers), path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /default-src 'none'.*frame-ancestors 'none'/,
        ),
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers.get('strict-transport-security')).toBeNull();
    }
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
    await behindTls.close();
  });

  test('the OpenAPI document lists every route with its errors', async () => {
    const document = (await (await fetch(`${root()}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: object }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/2025-06-09/things/{thing}');
    expect(Object.keys(document.paths['/2025-06-09/things']!.post!.responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
  });

  test('the pages run no script and load nothing', async () => {
    for (const path of ['/', '/docs']) {
      const page = await fetch(`${root()}${path}`, { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-/,
      );
      const text = await page.text();
      expect(text).not.toMatch(/<script|src=|https?:\/\/(?!127\.0\.0\.1)/);
    }
    const home = await (await fetch(`${root()}/`, { headers: { accept: 'text/html' } })).text();
    expect(home).toContain('Try &lt;this&gt; &amp; that');
    expect(home).toContain('the-key');
    expect(await (await fetch(`${root()}/`)).text()).toBe('Try it\n');
    expect(await (await fetch(`${root()}/docs`)).text()).toContain('/2025-06-09/things/{thing}');
  });
});

describe('time', () => {
  test('a handler that takes too long is answered for', async () => {
    slow = newSlow();
    const other = await startTestApi({ routes, server: { handlerTimeoutMs: 50 } });
    const answer = await other.call('GET', '/2025-06-09/slow');
    expect(answer).toMatchObject({
      status: 503,
      body: {
        ...refusal('provider-unavailable'),
        message: expect.stringContaining('took too long'),
      },
    });
    slow.finish();
    expect((await other.call('GET', '/2025-06-09/things/a')).status).toBe(200);
    await other.close();
  });

  test('a shutdown lets running requests finish and takes no new ones', async () => {
    slow = newSlow();
    const other = await startTestApi({ routes });
    const running = other.call('GET', '/2025-06-09/slow');
    await slow.started;
    const closed = closeServer(other.server);
    await expect(fetch(`${other.baseUrl}/2025-06-09/things/a`)).rejects.toThrow();
    slow.finish();
    expect((await running).body).toEqual({ done: true });
    await closed;
    await other.close();
  });

  test('a shutdown waits for nobody who has connected and said nothing', async () => {
    const other = await startTestApi({ routes });
    const { port } = new URL(other.baseUrl);
    const silent = connect(Number(port), '127.0.0.1');
    await once(silent, 'connect');
    // One that is answered after it: the server knows of both.
    await other.call('GET', '/2025-06-09/things/a');
    const isGone = once(silent, 'close');
    // Longer than a test may take.
    await closeServer(other.server, 600_000);
    await isGone;
    await other.close();
  });

  test('a shutdown cuts off what runs longer than the cap', async () => {
    slow = newSlow();
    const other = await startTestApi({ routes });
    const running = other.call('GET', '/2025-06-09/slow');
    const cut = expect(running).rejects.toThrow();
    await slow.started;
    await closeServer(other.server, 50);
    await cut;
    slow.finish();
    await other.close();
  });
});
