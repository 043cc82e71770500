import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveTestApi, startTestApi, type TestApi } from '../../../test/harness/http.ts';
import {
  foldLedger,
  holdEntries,
  postEntries,
  registerAsset,
  settleHolds,
} from '../../ledger/index.ts';
import { aLedger, anEntry, aProject, bankTime, endOf, legs } from '../../ledger/test-kit.ts';
import { issueKey } from '../api-keys/index.ts';
import { writeOrder } from '../orders/testing/write-order-kit.ts';
import { ledgerRoutes } from './routes.ts';

const usdc = 'base:0x036cbd53842c5426634e7929541ec2318f3dcf7e';

let first: TestApi;
let api: TestApi;
let ledger: ReturnType<typeof aLedger>;

beforeAll(async () => {
  first = await startTestApi({ routes: ledgerRoutes });
  await first.ctx.store.transaction((tx) =>
    registerAsset(tx, { asset: usdc, decimals: 6, symbol: 'usdc' }),
  );
});
afterAll(() => first.close());
beforeEach(async () => {
  await api?.close();
  ledger = aLedger(first.ctx.store);
  // A project of its own for each test.
  api = await serveTestApi(first.ctx, { routes: ledgerRoutes });
});
afterAll(() => api?.close());

const post = (overrides: object = {}) =>
  ledger.store.transaction((tx) =>
    postEntries(ledger, tx, [anEntry({ projectId: api.projectId, ...overrides })]),
  );
/** An order of the project, as far as its ledger goes. */
async function anOrder(id = aProject()): Promise<string> {
  await writeOrder(
    first.ctx.store,
    `insert into orders (id, project_id, kind, state, phase, quote_status, payment_status, delivery_status, client_secret_hash,
        request, facts, created_at, updated_at)
      values ($1, $2, 'offramp', 'payout_final', 'completed', 'valid', 'completed', 'completed', '', '{}', '{}', now(), now())
      on conflict (id) do update set project_id = excluded.project_id`,
    id,
    api.projectId,
  );
  return id;
}
const get = (path: string, options: object = {}) => api.call('GET', `/unstable${path}`, options);

describe('GET /unstable/orders/{orderId}/ledger', () => {
  it('answers the entries with all their postings, in the order in which they were recorded', async () => {
    const orderId = await anOrder();
    const clearing = `order:${orderId}:clearing`;
    const deposit = anEntry({
      projectId: api.projectId,
      orderId,
      reference: 'deposit:1:final',
      kind: 'deposit-final',
      postings: legs(clearing, 'chain:base:treasury', 25_500_000n, usdc),
      data: { txId: '0x1' },
    });
    const payout = anEntry({
      projectId: api.projectId,
      orderId,
      kind: 'payout-submitted',
      postings: legs('bank:column:in_transit:ach', clearing, 2_500n),
    });
    await ledger.store.transaction(async (tx) => {
      await postEntries(ledger, tx, [
        deposit,
        anEntry({ projectId: api.projectId, postings: legs(clearing, 'fx:orders', 2_500n) }),
      ]);
      await holdEntries(ledger, tx, [payout]);
      await settleHolds(ledger, tx, [endOf(payout)]);
    });
    await post();
    const { status, body } = await get(`/orders/${orderId.toUpperCase()}/ledger`);
    expect(status).toBe(200);
    expect(body.data.map((entry: { phase: string }) => entry.phase)).toEqual([
      'post',
      'hold',
      'settle',
    ]);
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      reference: 'deposit:1:final',
      kind: 'deposit-final',
      phase: 'post',
      orderId,
      effectiveAt: bankTime.toISOString(),
      recordedAt: ledger.clock.now().toISOString(),
      postings: [
        {
          account: clearing,
          asset: usdc,
          symbol: 'usdc',
          amount: '-25.5',
          amountMinor: '-25500000',
        },
        {
          account: 'chain:base:treasury',
          asset: usdc,
          symbol: 'usdc',
          amount: '25.5',
          amountMinor: '25500000',
        },
      ],
      data: { txId: '0x1' },
    });
    expect(body.data[2]).toMatchObject({
      reference: payout.reference,
      postings: [{ amount: '-25', symbol: 'USD' }, { amount: '25' }],
    });
  });

  it('answers an empty list for an order without entries, and 404 for one of another project or of nobody', async () => {
    const orderId = await anOrder();
    expect(await get(`/orders/${orderId}/ledger`)).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    const other = await serveTestApi(first.ctx, { routes: ledgerRoutes });
    expect(await other.call('GET', `/unstable/orders/${orderId}/ledger`)).toMatchObject({
      status: 404,
      body: { error: true },
    });
    await other.close();
    expect(await get(`/orders/${aProject()}/ledger`)).toMatchObject({
      status: 404,
      body: { error: true },
    });
  });

  it('answers 404 for what no order can be called', async () => {
    expect(await get('/orders/nobody/ledger')).toMatchObject({
      status: 404,
      body: { error: true },
    });
  });
});

describe('GET /unstable/ledger/accounts', () => {
  it('answers balances by account and asset, posted and pending, now and at a past instant', async () => {
    const before = ledger.clock.now().toISOString();
    await post();
    ledger.clock.advance(1_000);
    await ledger.store.transaction((tx) =>
      holdEntries(ledger, tx, [
        anEntry({
          projectId: api.projectId,
          postings: legs('bank:sandbox:account', 'suspense:held', 30n),
        }),
      ]),
    );
    const { status, body } = await get('/ledger/accounts');
    expect(status).toBe(200);
    const usd = { asset: 'usd', symbol: 'USD' };
    expect(body.data).toEqual([
      {
        account: 'bank:sandbox:account',
        ...usd,
        posted: '1',
        postedMinor: '100',
        pending: '-0.3',
        pendingMinor: '-30',
      },
      {
        account: 'equity:owner',
        ...usd,
        posted: '-1',
        postedMinor: '-100',
        pending: '0',
        pendingMinor: '0',
      },
      {
        account: 'suspense:held',
        ...usd,
        posted: '0',
        postedMinor: '0',
        pending: '0.3',
        pendingMinor: '30',
      },
    ]);
    const past = await get(`/ledger/accounts?prefix=bank:&at=${before}`);
    expect(past.body.data).toMatchObject([
      { account: 'bank:sandbox:account', posted: '1', pending: '0' },
    ]);
  });

  it('answers pages whose cursor belongs to their query', async () => {
    for (const rail of ['ach', 'rtp', 'wire'])
      await post({ postings: legs('equity:owner', `bank:b:in_transit:${rail}`, 1n) });
    await foldLedger(ledger, { tailMin: 1 });
    await post();
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await get(`/ledger/accounts?prefix=bank:&limit=3${cursor}`);
      seen.push(...body.data.map((row: { account: string }) => row.account));
      if (body.nextCursor === undefined) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual([
      'bank:b:in_transit:ach',
      'bank:b:in_transit:rtp',
      'bank:b:in_transit:wire',
      'bank:sandbox:account',
    ]);
    const { body } = await get('/ledger/accounts?limit=1');
    expect((await get(`/ledger/accounts?prefix=bank:&cursor=${body.nextCursor}`)).status).toBe(400);
    // Whoever can read one can write one.
    const place = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString());
    for (const account of ['bank:\0', '\ud800', {}, null]) {
      const written = JSON.stringify({ ...place, account });
      const own = Buffer.from(written).toString('base64url');
      expect((await get(`/ledger/accounts?limit=3&cursor=${own}`)).status).toBe(400);
    }
  });

  it.each(['limit=0', 'limit=101', 'at=yesterday', 'prefix=%25', 'cursor=x', 'cursor=e30'])(
    'answers 400 for %s',
    async (query) => {
      expect((await get(`/ledger/accounts?${query}`)).status).toBe(400);
    },
  );
});

describe('GET /unstable/ledger/accounts/{account}/entries', () => {
  it('answers the entries newest first, in pages, each once', async () => {
    for (let nr = 0; nr < 5; nr++) await post({ kind: `nr-${nr}` });
    await post({ postings: legs('gas:spent', 'equity:owner', 1n) });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await get(`/ledger/accounts/bank:sandbox:account/entries?limit=2${cursor}`);
      seen.push(...body.data.map((row: { kind: string }) => row.kind));
      if (body.nextCursor === undefined) break;
      cursor = `&cursor=${body.nextCursor}`;
      // What is posted meanwhile is newer than the page.
      await post({ kind: 'later' });
    }
    expect(seen).toEqual(['nr-4', 'nr-3', 'nr-2', 'nr-1', 'nr-0']);
    expect((await get('/ledger/accounts/gas%3Aspent/entries')).body.data).toHaveLength(1);
    expect((await get('/ledger/accounts/suspense:held/entries')).body).toEqual({ data: [] });
  });

  it('answers 400 for what is no account, and for the cursor of another one', async () => {
    await post();
    await post();
    expect((await get('/ledger/accounts/pocket/entries')).status).toBe(400);
    const { body } = await get('/ledger/accounts/equity:owner/entries?limit=1');
    expect((await get(`/ledger/accounts/gas:spent/entries?cursor=${body.nextCursor}`)).status).toBe(
      400,
    );
  });
});

describe('GET /unstable/ledger/trial-balance', () => {
  it('answers equal debits and credits per asset, of the own project alone', async () => {
    await post();
    ledger.clock.advance(1_000);
    await post({ postings: legs('equity:owner', 'chain:base:treasury', 1n, usdc) });
    const { status, body } = await get('/ledger/trial-balance');
    expect(status).toBe(200);
    const sides = (debit: string, credit: string) => ({ debit, credit });
    expect(body.assets).toMatchObject([
      {
        asset: usdc,
        symbol: 'usdc',
        ...sides('0.000001', '0.000001'),
        accounts: [
          {
            account: 'chain:base:treasury',
            ...sides('0.000001', '0'),
            debitMinor: '1',
            pendingMinor: '0',
          },
          { account: 'equity:owner', ...sides('0', '0.000001'), creditMinor: '1' },
        ],
      },
      {
        asset: 'usd',
        symbol: 'USD',
        ...sides('1', '1'),
        accounts: [sides('1', '0'), sides('0', '1')],
      },
    ]);
    const past = await get('/ledger/trial-balance?at=2026-01-15T13:00:00%2B01:00');
    expect(past.body).toMatchObject({ at: '2026-01-15T12:00:00.000Z', assets: [{ asset: 'usd' }] });
    expect(past.body.assets).toHaveLength(1);
    expect((await get('/ledger/trial-balance?at=2026')).status).toBe(400);
  });
});

const knownOrder = aProject();
describe.each([
  `/orders/${knownOrder}/ledger`,
  '/ledger/accounts',
  '/ledger/accounts/gas:spent/entries',
  '/ledger/trial-balance',
])('GET /unstable%s', (path) => {
  it('answers 401 without a key', async () => {
    expect((await get(path, { key: null })).status).toBe(401);
  });

  it('answers 403 to a client key and to a server key without the scope', async () => {
    expect((await get(path, { key: api.clientKey })).status).toBe(403);
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['orders.create', 'wallets.read'],
    });
    expect((await get(path, { key })).status).toBe(403);
  });

  it.each(['orders', 'orders.read'] as const)(
    'answers a server key with the scope %s',
    async (scope) => {
      await anOrder(knownOrder);
      const { key } = await issueKey(api.ctx, {
        projectId: api.projectId,
        kind: 'server',
        scopes: [scope],
      });
      expect((await get(path, { key })).status).toBe(200);
    },
  );
});
