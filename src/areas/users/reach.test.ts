import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, serveTestApi, type TestApi } from '../../../test/harness/http.ts';
import type { AnyRoute } from '../../http/routes/route.ts';
import { issueKey } from '../api-keys/index.ts';
import { identityRoutes, userRoutes } from '../identity/routes.ts';
import { linkedWalletRoutes } from '../linked-wallets/routes.ts';
import { aPerson, aPng, type PeopleApi, startPeopleApi } from './test-kit.ts';

/** Who may reach a person: every route of people × everybody who may not. */
const routes: readonly AnyRoute[] = [...userRoutes, ...identityRoutes, ...linkedWalletRoutes];
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const otherAddress = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

const bodies: Readonly<Record<string, unknown>> = {
  putUser: aPerson(),
  acceptLegalDocument: { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' },
  uploadDocument: { documentType: 'proof-of-income', content: aPng.toString('base64') },
  linkWallet: { chain: 'base-sepolia' },
};

let api: PeopleApi;
let other: TestApi;
let documentId: string;
beforeAll(async () => {
  api = await startPeopleApi();
  other = await serveTestApi(api.ctx, { routes });
  await api.call('PUT', api.path('userId:victim'), {
    body: { ...aPerson(), locators: ['email:victim@example.com', 'phoneNumber:+14155550100'] },
  });
  documentId = (
    await api.call('POST', api.path('userId:victim', '/documents'), {
      body: { ...(bodies.uploadDocument as object), documentType: 'id-passport' },
    })
  ).body.documentId;
  await api.call('PUT', api.path('userId:victim', `/linked-wallets/${address}`), {
    body: { chain: 'base-sepolia' },
  });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const fill = (route: AnyRoute, locator: string) =>
  route.path
    .replace(':userLocator', encodeURIComponent(locator))
    .replace(':documentId', documentId)
    .replace(':address', route.operationId === 'linkWallet' ? otherAddress : address);
const callRoute = (target: TestApi, route: AnyRoute, locator: string, options: CallOptions) =>
  target.call(route.method, fill(route, locator), { body: bodies[route.operationId], ...options });

const names = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const victims = ['userId:victim', 'email:victim@example.com', 'phoneNumber:+14155550100'];

describe.each(names)('%s', (_, route) => {
  test('serves the project’s own server key', async () => {
    const answer = await callRoute(api, route, 'userId:victim', {});
    expect(answer.status).toBeLessThan(300);
  });

  test('without a key, or with a broken one: 401', async () => {
    for (const key of [null, 'sk_development_broken', `${api.serverKey.slice(0, -6)}aaaaaa`]) {
      const answer = await callRoute(api, route, 'userId:victim', { key });
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: true, message: expect.any(String) },
      ]);
    }
  });

  test('with a key that lacks the scope: 403', async () => {
    const wrongScope = route.auth.scopes.includes('users.read') ? 'users.create' : 'users.read';
    for (const kind of ['server', 'client'] as const) {
      const { key } = await issueKey(api.ctx, {
        projectId: api.projectId,
        kind,
        scopes: [wrongScope],
      });
      const answer = await callRoute(api, route, 'userId:victim', {
        key,
        jwt: kind === 'client' ? await api.userJwt('victim') : undefined,
      });
      expect([kind, answer.status, answer.body]).toEqual([
        kind,
        403,
        { error: true, message: expect.stringContaining(route.auth.scopes[0]!) },
      ]);
    }
  });

  test('with a client key without a user, or with a JWT that is none: 401', async () => {
    for (const jwt of [undefined, 'no.jwt.here', await other.userJwt('victim')]) {
      const answer = await callRoute(api, route, 'userId:victim', { key: api.clientKey, jwt });
      expect(answer.status).toBe(401);
    }
  });

  test('with the JWT of another user: 404, the same whether the user exists or not', async () => {
    const answers = [];
    for (const locator of [
      ...victims,
      'userId:nobody',
      'email:nobody@example.com',
      'phoneNumber:+14155550199',
    ])
      answers.push(
        await callRoute(api, route, locator, {
          key: api.clientKey,
          jwt: await api.userJwt('mallory', { email: 'm@example.com', email_verified: true }),
        }),
      );
    for (const answer of answers)
      expect([answer.status, answer.text]).toEqual([404, answers[0]!.text]);
    expect(answers[0]!.body.code).toBe('user-not-found');
  });

  test('with another project’s key nobody of this project is there', async () => {
    if (route.method === 'PUT' && route.operationId !== 'startIdentityVerification') {
      // These create: a user of the same name in the other project, who has nothing of this one.
      expect((await callRoute(other, route, 'userId:stranger', {})).status).toBe(200);
      const { body } = await other.call('GET', '/2025-06-09/users/userId%3Avictim');
      expect(body.kycData ?? false).toBe(false);
      return;
    }
    for (const key of [other.serverKey, other.clientKey]) {
      const jwt = key === other.clientKey ? await other.userJwt('victim') : undefined;
      const answer = await callRoute(other, route, 'userId:victim', { key, jwt });
      expect([answer.status, answer.body.code]).toEqual([404, 'user-not-found']);
    }
  });

  test('of the project’s own user by its JWT', async () => {
    const jwt = await api.userJwt('victim', { email: 'victim@example.com', email_verified: true });
    for (const locator of victims)
      expect(
        (await callRoute(api, route, locator, { key: api.clientKey, jwt })).status,
      ).toBeLessThan(300);
  });
});

test('ids of one user are worth nothing with another', async () => {
  await api.call('PUT', api.path('userId:bystander'), { body: {} });
  for (const below of [`/documents/${documentId}`, `/linked-wallets/${address}`])
    expect((await api.call('GET', api.path('userId:bystander', below))).status).toBe(404);
  await other.call('PUT', '/2025-06-09/users/userId%3Abystander', { body: {} });
  for (const below of [`/documents/${documentId}`, `/linked-wallets/${address}`])
    expect((await other.call('GET', `/2025-06-09/users/userId%3Abystander${below}`)).status).toBe(
      404,
    );
  // A wallet of one project is free in another.
  expect(
    (
      await other.call('PUT', `/2025-06-09/users/userId%3Abystander/linked-wallets/${address}`, {
        body: { chain: 'base-sepolia' },
      })
    ).status,
  ).toBe(200);
});

test('unknown users and those of others cost the same work: no answer comes sooner for want of a row', async () => {
  const jwt = await api.userJwt('mallory');
  const statements: Record<string, number> = {};
  for (const locator of ['userId:victim', 'userId:nobody']) {
    const { store } = api.ctx;
    const query = store.query.bind(store);
    let count = 0;
    (store as { query: unknown }).query = (statement: Parameters<typeof query>[0]) => {
      if (statement.name?.startsWith('users')) count++;
      return query(statement);
    };
    await api.call('GET', api.path(locator), { key: api.clientKey, jwt });
    (store as { query: unknown }).query = query;
    statements[locator] = count;
  }
  expect(statements['userId:victim']).toBe(statements['userId:nobody']);
  expect(statements['userId:victim']).toBeGreaterThan(0);
});
