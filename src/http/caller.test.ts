import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testConfig } from '../../test/harness/config.ts';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { issueKey, keyCacheMs, revokeKey, rotateKey } from '../areas/api-keys/index.ts';
import { createProject } from '../areas/projects/index.ts';
import { createManualClock } from '../lib/clock.ts';
import type { Store } from '../store/types.ts';
import type { AnyRoute, RouteAuth } from './routes/route.ts';
import { createRoute, echoRoute, failingRoute, openAuth, rawCall } from './test-kit.ts';

const at = (path: string, auth: Partial<RouteAuth>): AnyRoute => ({
  ...echoRoute,
  path: `${path}/:thing`,
  operationId: path.slice(1),
  auth: { ...openAuth, ...auth },
});
const routes = [
  at('/open', {}),
  at('/server', { keys: 'server', user: 'none' }),
  at('/client', { keys: 'client', user: 'required' }),
  at('/user', { user: 'required' }),
  at('/orders', { scopes: ['orders.read'] }),
  at('/either', { scopes: ['orders.update', 'wallets.read'] }),
  createRoute(async (_, body) => ({ status: 201, body: { id: '1', name: body.name } }), {
    auth: { ...openAuth, keys: 'server' },
  }),
  failingRoute('A', 'checkout-not-found'),
];

const clock = createManualClock();
let api: TestApi;
let statementCount = 0;
beforeAll(async () => {
  api = await startTestApi({ routes, clock });
});
afterAll(() => api.close());

const get = (path: string, key: string | null, headers: Record<string, string> = {}) =>
  api.call('GET', path, { key, headers });
const unauthorized = (message: RegExp) => ({
  status: 401,
  body: { error: true, message: expect.stringMatching(message) },
});
const clientKey = (input: object = {}) =>
  issueKey(api.ctx, { projectId: api.projectId, kind: 'client', ...input });

/** Counts the statements that `run` sends to the database. */
async function countStatements(run: () => Promise<unknown>): Promise<number> {
  const store = api.ctx.store as { -readonly [K in keyof Store]: Store[K] };
  const { query } = store;
  statementCount = 0;
  store.query = (statement) => {
    statementCount++;
    return query.call(store, statement) as never;
  };
  try {
    await run();
    return statementCount;
  } finally {
    store.query = query;
  }
}

describe('API keys', () => {
  test('a missing, malformed, old, foreign or wrongly signed key is 401 without code, and without touching the database', async () => {
    const [prefix, payload] = [api.serverKey.slice(0, 15), api.serverKey.slice(15)];
    expect(prefix).toBe('sk_development_');
    const refused: readonly [string | null, RegExp][] = [
      [null, /missing/],
      ['nonsense', /malformed/],
      ['sk_live_abc', /old form/],
      ['sk_test_abc', /old form/],
      [`sk_staging_${payload}`, /staging environment.*serves development/],
      [`sk_production_${payload}`, /production environment/],
      [`ck_development_${payload}`, /does not verify/],
      [api.serverKey.slice(0, -1), /malformed|does not verify/],
    ];
    const count = await countStatements(async () => {
      for (const [key, message] of refused) {
        const answer = await get('/open/a', key);
        expect(answer).toMatchObject(unauthorized(message));
        expect(answer.body).not.toHaveProperty('code');
      }
    });
    expect(count).toBe(0);
  });

  test('a key that was never stored is 401, although its signature is right', async () => {
    const forged = await issueKey(
      { ...api.ctx, store: { ...api.ctx.store, query: async () => ({ rows: [], rowCount: 1 }) } },
      { projectId: api.projectId, kind: 'server' },
    );
    expect(await get('/open/a', forged.key)).toMatchObject(unauthorized(/not known/));
  });

  test('a known key costs one statement in five seconds', async () => {
    clock.advance(keyCacheMs);
    const count = await countStatements(async () => {
      for (let call = 0; call < 20; call++)
        expect((await get('/open/a', api.serverKey)).status).toBe(200);
    });
    expect(count).toBe(1);
  });

  test('a revoked key is refused after five seconds at the latest', async () => {
    const { key, id } = await clientKey();
    expect((await get('/open/a', key)).status).toBe(200);
    await revokeKey(api.ctx, { id });
    clock.advance(keyCacheMs);
    expect(await get('/open/a', key)).toMatchObject(unauthorized(/revoked/));
  });

  test('after a rotation both keys work until the overlap ends', async () => {
    const old = await clientKey({ allowedOrigins: ['https://shop.example'] });
    const fresh = await rotateKey(api.ctx, { id: old.id, overlapMs: 60_000 });
    expect(fresh.allowedOrigins).toEqual(['https://shop.example']);
    expect([
      (await get('/open/a', old.key)).status,
      (await get('/open/a', fresh.key)).status,
    ]).toEqual([200, 200]);
    clock.advance(60_000);
    expect([
      (await get('/open/a', old.key)).status,
      (await get('/open/a', fresh.key)).status,
    ]).toEqual([401, 200]);
    await expect(rotateKey(api.ctx, { id: old.id, overlapMs: 0 })).rejects.toThrow(
      'revoked or rotated already',
    );
  });

  test('the secret part is not in the database', async () => {
    const { rows } = await api.ctx.store.query<{ text: string }>({
      text: 'select api_keys::text as text from api_keys',
    });
    const stored = rows.map((row) => row.text).join('');
    expect(stored).toContain(api.projectId);
    for (const key of [api.serverKey, api.clientKey])
      expect(stored).not.toContain(key.slice(20, 60));
  });

  test('a header name in any case is read', async () => {
    expect(
      await rawCall(api, {
        method: 'GET',
        path: '/api/open/a',
        headers: { 'X-Api-Key': api.serverKey },
      }),
    ).toMatchObject({
      status: 200,
    });
  });

  test('agent checkouts refuse a key in their own shape', async () => {
    expect((await get('/unstable/a/fails', 'nonsense')).body).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: expect.stringMatching(/malformed/),
    });
  });

  test('production keys name their scopes, others carry all', async () => {
    await expect(
      issueKey(
        { ...api.ctx, config: testConfig({ environment: 'production' }) },
        { projectId: api.projectId, kind: 'server' },
      ),
    ).rejects.toThrow('Name the scopes');
    expect((await clientKey()).scopes).toContain('agent-checkouts.read');
    await expect(clientKey({ scopes: ['payment-methods'] })).rejects.toThrow(
      'cannot carry payment-methods',
    );
  });
});

describe('kinds and scopes', () => {
  test('a route for one kind of key refuses the other', async () => {
    expect(await get('/server/a', api.clientKey)).toMatchObject({
      status: 403,
      body: { error: true, code: 'forbidden', message: expect.stringContaining('server-side') },
    });
    expect(await get('/client/a', api.serverKey)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: expect.stringContaining('client-side') },
    });
  });

  test('a missing scope is 403 without code, and names the scope', async () => {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets.create'],
    });
    const answer = await get('/open/a', key);
    expect(answer).toMatchObject({
      status: 403,
      body: { error: true, message: expect.stringContaining('wallets.read') },
    });
    expect(answer.body).not.toHaveProperty('code');
  });

  test('one of several scopes suffices, and orders stands for its three', async () => {
    const reader = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    expect((await get('/either/a', reader.key)).status).toBe(200);
    const orders = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['orders'],
    });
    expect((await get('/orders/a', orders.key)).status).toBe(200);
  });

  test('a key belongs to its project', async () => {
    const other = await createProject(api.ctx, { name: 'Other' });
    const { key } = await issueKey(api.ctx, { projectId: other.id, kind: 'server' });
    expect((await get('/open/a', key)).body.caller.projectId).toBe(other.id);
  });
});

describe('end users', () => {
  test('a client key without JWT is refused where a user is needed, and says how to send one', async () => {
    expect(await get('/user/a', api.clientKey)).toMatchObject({
      status: 401,
      body: {
        code: 'not-authorized',
        message: expect.stringMatching(/No authentication header was provided.*Bearer/),
      },
    });
    expect(
      await get('/user/a', api.clientKey, { authorization: 'order-client-secret' }),
    ).toMatchObject({
      status: 401,
      body: { code: 'not-authorized' },
    });
    expect((await get('/open/a', api.clientKey)).status).toBe(200);
  });

  test('with a JWT the caller is its user', async () => {
    const jwt = await api.userJwt('alice', { email: 'Alice@Example.com', email_verified: true });
    const { body } = await api.call('GET', '/user/a', {
      key: api.clientKey,
      jwt,
      headers: { 'x-client-name': 'React-SDK' },
    });
    expect(body.caller).toMatchObject({
      keyKind: 'client',
      user: { kind: 'userId', value: 'alice' },
      verifiedEmail: 'alice@example.com',
      clientName: 'react-sdk',
    });
  });

  test('a Bearer on a call with a server key is ignored, whatever it is', async () => {
    for (const path of ['/open/a', '/user/a', '/server/a']) {
      const answer = await api.call('GET', path, { jwt: 'not.a.jwt' });
      expect(answer.status).toBe(200);
      expect(answer.body.caller.user).toBeUndefined();
    }
  });

  test('a wrong JWT is refused where a user is optional', async () => {
    expect(
      await api.call('GET', '/open/a', { key: api.clientKey, jwt: 'not.a.jwt' }),
    ).toMatchObject({
      status: 401,
      body: { code: 'not-authorized.jwt-invalid' },
    });
  });
});

describe('places', () => {
  const shop = { origin: 'https://shop.example' };

  test('a client key is refused from an origin, app or extension that it does not allow', async () => {
    const { key } = await clientKey({
      allowedOrigins: ['https://shop.example'],
      allowedAppIds: ['example.shop'],
      allowedExtensionIds: ['abcdef'],
    });
    expect((await get('/open/a', key)).status).toBe(200);
    expect(
      (
        await get('/open/a', key, {
          ...shop,
          'x-app-identifier': 'example.shop',
          'x-extension-id': 'abcdef',
        })
      ).status,
    ).toBe(200);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'x-app-identifier': 'evil' },
      { 'x-extension-id': 'evil' },
    ]) {
      const answer = await get('/open/a', key, headers as unknown as Record<string, string>);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('a server key is bound to places only when it names some', async () => {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      allowedOrigins: ['https://shop.example'],
    });
    expect((await get('/open/a', key, { origin: 'https://evil.example' })).status).toBe(403);
    const free = await issueKey(
      { ...api.ctx },
      { projectId: api.projectId, kind: 'server', allowedOrigins: [] },
    );
    const answer = await get('/open/a', free.key, { origin: 'https://proxy.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a browser can read an answer, refusals of the caller included', async () => {
    const { key } = await clientKey({
      allowedOrigins: ['https://shop.example'],
      scopes: ['wallets.create'],
    });
    const answer = await get('/open/a', key, shop);
    expect(answer.status).toBe(403);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      vary: 'Origin',
    });
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id');
  });
});

describe('preflights', () => {
  const preflight = (path: string, headers: Record<string, string>) =>
    api.call('OPTIONS', path, { key: null, headers });

  test('an origin that some client key allows gets 204 with what it may send', async () => {
    await api.ctx.store.query({
      text: "update api_keys set allowed_origins = '{https://shop.example}'",
    });
    clock.advance(keyCacheMs);
    const answer = await preflight('/open/a', {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-idempotency-key');
    const asking = await preflight('/open/a', {
      origin: 'https://shop.example',
      'access-control-request-headers': 'x-api-key, x-sdk-metadata',
    });
    expect(asking.headers.get('access-control-allow-headers')).toBe('x-api-key, x-sdk-metadata');
  });

  test('another origin, and a route for server keys, get no permission', async () => {
    const evil = await preflight('/open/a', { origin: 'https://evil.example' });
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    const server = await preflight('/2025-06-09/things', { origin: 'https://shop.example' });
    expect([server.status, server.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    expect((await preflight('/nothing', { origin: 'https://shop.example' })).status).toBe(404);
  });
});
