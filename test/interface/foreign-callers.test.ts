import { randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRun, type TestRun } from '../../src/areas/agent-checkouts/live/test-kit.ts';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { type OrdersWorld, startOrdersWorld } from '../../src/areas/orders/testing/orders-kit.ts';
import {
  addTrustedIssuer,
  createProject,
  listTrustedIssuers,
} from '../../src/areas/projects/index.ts';
import { routes } from '../../src/areas/routes.ts';
import { aPerson, aPng } from '../../src/areas/users/test-kit.ts';
import { renderOpenApi } from '../../src/http/pages/openapi.ts';
import { type CallAnswer, testIssuer } from '../harness/http.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  /** Only users call it. */
  readonly needsUser: boolean;
  /** Only servers call it. */
  readonly needsServer: boolean;
  /** With values for what it cannot be asked without. */
  readonly query: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
const queryValues: Readonly<Record<string, string>> = {
  chain: 'base-sepolia',
  chains: 'base-sepolia',
  tokens: 'usdc',
  status: 'successful',
  page: '1',
  perPage: '10',
};
const queryOf = (parameters: readonly Parameter[] = []) =>
  parameters
    .flatMap((one) =>
      one.in === 'query' && (one.required || one.name === 'chain' || one.name === 'chains')
        ? [`${one.name}=${queryValues[one.name] ?? '1'}`]
        : [],
    )
    .join('&');

/** Every operation of the document whose path names a thing; what only reads comes first. */
const operations: readonly Operation[] = Object.entries(
  renderOpenApi(routes).paths as Record<
    string,
    Record<string, { security: object[]; parameters?: Parameter[] }>
  >,
)
  .filter(([path]) => path.includes('{'))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security, parameters }]) => ({
      method: method.toUpperCase(),
      path,
      needsUser: security.every((one) => 'userJwt' in one),
      needsServer: security.every((one) => !('userJwt' in one)),
      query: queryOf(parameters),
    })),
  )
  .toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'));
/** Of the stranger's own making, as far as he makes any. */
const nobody = `userId:${randomUUID()}`;

let world: OrdersWorld;
let run: TestRun;
/** What alice has in the first project, by the name of its place in a path. */
let hers: Readonly<Record<string, string>>;
let other: { readonly serverKey: string; readonly clientKey: string };
const { address } = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  world = await startOrdersWorld();
  const { stack, wallet } = world;
  await world.settings({});
  const made = async (method: string, path: string, body: unknown, asUser = false) => {
    const caller = asUser
      ? { key: stack.api.clientKey, jwt: await stack.api.userJwt('alice') }
      : {};
    const answer = await stack.call(method, path, { body, ...caller });
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.any(String)]);
    return answer.body;
  };
  const people = '/2025-06-09/users/userId:alice';
  const wallets = `/2025-06-09/wallets/${wallet}`;
  await made('PUT', people, aPerson({}));
  await made('PUT', `${people}/linked-wallets/${address}`, { chain: 'base-sepolia' });
  const endpoint = await made('POST', '/unstable/webhooks/endpoints', {
    url: 'https://example.com/hook',
  });
  const replay = await made('POST', `/unstable/webhooks/endpoints/${endpoint.id}/replays`, {
    from: '2020-01-01T00:00:00Z',
  });
  run = await startTestRun(stack.api, { user: 'alice' });
  await run.step('open', Buffer.from('ffd8ffd9', 'hex'));
  const actionId = await run.ask({ kind: 'free-question', question: 'Which colour?' });
  hers = {
    walletLocator: wallet,
    transactionId: (
      await made('POST', `${wallets}/transactions`, {
        params: { chain: 'base-sepolia', calls: [{ to: address, value: '0', data: '0x' }] },
      })
    ).id,
    signatureId: (
      await made('POST', `${wallets}/signatures`, {
        type: 'message',
        params: { chain: 'base-sepolia', message: 'hello' },
      })
    ).id,
    signer: (await made('GET', wallets, undefined)).config.adminSigner.locator,
    tokenLocator: 'base-sepolia:usdxm',
    orderId: (await world.created()).id,
    paymentMethodId: world.account,
    userLocator: 'userId:alice',
    documentId: (
      await made('POST', `${people}/documents`, {
        documentType: 'id-passport',
        content: aPng.toString('base64'),
      })
    ).documentId,
    address,
    account: 'fees:service',
    endpointId: endpoint.id,
    deliveryId: (await made('POST', `/unstable/webhooks/endpoints/${endpoint.id}/test`, undefined))
      .id,
    replayId: replay.id,
    'buyer-profiles': (
      await made(
        'POST',
        '/unstable/agent-checkouts/buyer-profiles',
        {
          label: 'Home',
          name: { first: 'Alice', last: 'Miller' },
          shipping: {
            addressLines: ['1 Main Street'],
            locality: 'Springfield',
            administrativeAreaCode: 'US-CA',
            postalCode: '90210',
            countryCode: 'US',
          },
          contact: { email: 'alice@example.com', phone: '+14155550100' },
        },
        true,
      )
    ).id,
    'browser-profiles': (
      await made('POST', '/unstable/agent-checkouts/browser-profiles', { label: 'Shop' }, true)
    ).id,
    id: run.id,
    actionId,
    nr: '1',
  };
  const { id: projectId } = await createProject(stack.ctx, { name: 'Another' });
  const [issuer] = await listTrustedIssuers(stack.ctx, { projectId: stack.api.projectId });
  await addTrustedIssuer(stack.ctx, {
    projectId,
    issuer: testIssuer,
    algorithm: 'ES256',
    jwks: issuer!.jwks!,
  });
  const keyOf = async (kind: 'server' | 'client') =>
    (await issueKey(stack.ctx, { projectId, kind, scopes: scopesOf(kind) })).key;
  other = { serverKey: await keyOf('server'), clientKey: await keyOf('client') };
}, 180_000);
afterAll(() => world?.stack.close());

/** What each name of a path stands for; `made-up` has the form of the real thing. */
function fill(path: string, kind: 'hers' | 'made-up'): string {
  const area = /\/(buyer-profiles|browser-profiles)\//.exec(path)?.[1];
  // A list of collectibles is of one chain, which its locator names.
  const chain = path.endsWith('/nfts') ? 'base-sepolia%3A' : '';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = hers[name === 'id' && area ? area : name];
    if (value === undefined)
      throw new Error(`The test knows no {${name}} of ${path}: add one of alice's.`);
    if (kind === 'hers') return `${chain}${encodeURIComponent(value)}`;
    if (/^[0-9a-f-]{36}$/.test(value)) return randomUUID();
    if (name === 'walletLocator')
      return `${chain}${privateKeyToAccount(generatePrivateKey()).address}`;
    return encodeURIComponent(name === 'userLocator' ? nobody : value);
  });
}

/** Bodies that are right, so that nothing but the owner stands in the way; by the end of a path. */
const bodies: readonly (readonly [method: string, end: string, body: () => object])[] = [
  [
    'POST',
    '/transactions',
    () => ({ params: { chain: 'base-sepolia', calls: [{ to: address, value: '0', data: '0x' }] } }),
  ],
  [
    'POST',
    '/approvals',
    () => ({ approvals: [{ signer: hers.signer, signature: `0x${'11'.repeat(64)}1b` }] }),
  ],
  [
    'POST',
    '{walletLocator}/signatures',
    () => ({ type: 'message', params: { chain: 'base-sepolia', message: 'mine now' } }),
  ],
  ['POST', '/transfers', () => ({ recipient: address, amount: '1' })],
  ['POST', '/balances', () => ({ amount: 1, token: 'usdxm', chain: 'base-sepolia' })],
  ['PATCH', '/orders/{orderId}', () => ({ locale: 'de-DE' })],
  ['POST', '/payment', () => ({ type: 'crypto-tx-id', txId: `0x${'ab'.repeat(32)}` })],
  ['POST', '/refunds', () => ({ lineItem: 0, reason: 'mine' })],
  ['PATCH', '-profiles/{id}', () => ({ label: 'Mine' })],
  ['PATCH', '/endpoints/{endpointId}', () => ({ description: 'Mine' })],
  ['POST', '/rotate-secret', () => ({})],
  ['POST', '/replays', () => ({ from: '2020-01-01T00:00:00Z' })],
  ['POST', '/test', () => ({})],
  ['POST', '/resend', () => ({})],
];
function bodyOf(
  method: string,
  path: string,
): { readonly body?: object; readonly isRight: boolean } {
  if (method === 'GET' || method === 'DELETE') return { isRight: true };
  const [, , right] =
    bodies.find(([ofMethod, end]) => ofMethod === method && path.endsWith(end)) ?? [];
  return { body: right?.() ?? {}, isRight: right !== undefined };
}
const outcome = ({ status, body }: CallAnswer) => [status, body?.code];
/** The first part of a path is what has an owner. */
const ownedBy = (path: string) => /\{(\w+)\}/.exec(path)![1]!;

/**
 * Answered with a picture, and two that name what this wallet does not have: a delegate, and a
 * transfer by its token.
 */
const notRead = ['/picture', '/signers/{signer}', '/transfers/{transactionId}'];

describe('the document', () => {
  it('has operations that name things, and each of them is walked', () => {
    expect(operations.length).toBeGreaterThan(50);
    for (const { path } of operations) expect(fill(path, 'hers')).not.toContain('{');
  });

  const read = operations.filter(
    ({ method, path }) => method === 'GET' && !notRead.some((end) => path.endsWith(end)),
  );
  it.each(read)(
    'finds what is named for its owner: $path',
    async ({ path, needsServer, query }) => {
      const caller = needsServer
        ? {}
        : { key: world.stack.api.clientKey, jwt: await world.stack.api.userJwt('alice') };
      // An order is reached by its secret or by the server.
      const own = /orders|linked|walletLocator\}\/(?:nfts|signers)/.test(path) ? {} : caller;
      expect(
        (await world.stack.call('GET', `${fill(path, 'hers')}?${query}`, own)).status,
      ).toBeLessThan(300);
    },
  );
});

describe('of another project', () => {
  it.each(operations)(
    '$method $path: what is there is answered as if it were not',
    async ({ method, path, needsUser, query }) => {
      const caller = needsUser
        ? { key: other.clientKey, jwt: await world.stack.api.userJwt('alice') }
        : { key: other.serverKey };
      const call = (kind: 'hers' | 'made-up') =>
        world.stack.call(method, `${fill(path, kind)}?${query}`, {
          ...caller,
          body: bodyOf(method, path).body,
        });
      const [real, madeUp] = [await call('hers'), await call('made-up')];
      expect(outcome(real)).toEqual(outcome(madeUp));
      // Users and ledger accounts are names that each project has of its own.
      if (bodyOf(method, path).isRight && !['account', 'userLocator'].includes(ownedBy(path)))
        expect(real.status).toBe(404);
      if (method === 'GET' && ownedBy(path) === 'account')
        expect(real.body.entries ?? real.body.data ?? []).toEqual([]);
    },
  );
});

describe('of another user of the project', () => {
  const reached = operations.filter(({ needsServer }) => !needsServer);

  it.each(reached)(
    '$method $path: is refused, and what is there is answered as if it were not',
    async ({ method, path, query }) => {
      const caller = {
        key: world.stack.api.clientKey,
        jwt: await world.stack.api.userJwt('mallory'),
      };
      const call = (kind: 'hers' | 'made-up') =>
        world.stack.call(method, `${fill(path, kind)}?${query}`, {
          ...caller,
          body: bodyOf(method, path).body,
        });
      const [real, madeUp] = [await call('hers'), await call('made-up')];
      expect(outcome(real)).toEqual(outcome(madeUp));
      expect(real.status).toBeGreaterThanOrEqual(400);
      if (bodyOf(method, path).isRight) expect([401, 403, 404]).toContain(real.status);
    },
  );

  it('nothing of hers has changed', async () => {
    const { stack } = world;
    expect((await run.read()).status).toBe('awaiting_user_action');
    const jwt = await stack.api.userJwt('alice');
    for (const path of [
      '/unstable/agent-checkouts/buyer-profiles/{id}',
      '/unstable/agent-checkouts/browser-profiles/{id}',
    ])
      expect(
        (await stack.call('GET', fill(path, 'hers'), { key: stack.api.clientKey, jwt })).status,
      ).toBe(200);
    for (const path of [
      '/unstable/webhooks/endpoints/{endpointId}',
      '/unstable/payment-methods/{paymentMethodId}',
    ])
      expect((await stack.call('GET', fill(path, 'hers'))).status).toBe(200);
  });
});
