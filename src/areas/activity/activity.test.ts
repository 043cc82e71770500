import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import type { OperationError, SeenTransfer } from '../../chains/family.ts';
import { issueKey } from '../api-keys/index.ts';
import type { TransactionRecord } from '../transactions/index.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { recordFailedTransfers, recordTransfers, retractTransfers } from './index.ts';
import { activityRoutes } from './routes.ts';

const chain = 'base-sepolia';
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const outsider = '0x00000000000000000000000000000000000000FF';
const admin = { type: 'external-wallet', address: '0xabCDeF0123456789AbcdEf0123456789aBCDEF01' };

let api: TestApi;
beforeAll(async () => {
  const { evm } = testConfig();
  // No node is asked: the activity is what was recorded.
  api = await startTestApi({
    routes: [...walletRoutes, ...activityRoutes],
    ...evmParts,
    config: {
      evm: {
        ...evm,
        rpcUrls: new Map([
          [chain, 'http://127.0.0.1:9'],
          ['optimism-sepolia', 'http://127.0.0.1:9'],
        ]),
      },
    },
  });
});
afterAll(() => api.close());

let seenCount = 0;
let wallet: { address: string; owner: string };
beforeEach(async () => {
  wallet = await aWallet();
});

async function aWallet(
  owner = `userId:user-${++seenCount}`,
): Promise<{ address: string; owner: string }> {
  const { status, body } = await api.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', config: { adminSigner: admin }, owner },
  });
  expect(status).toBe(201);
  return { address: body.address, owner };
}

function anIn(overrides: Partial<SeenTransfer> = {}): SeenTransfer {
  seenCount += 1;
  return {
    id: `seen-${seenCount}`,
    chain,
    token: { chain, locator: `${chain}:${usdc}`, address: usdc, symbol: 'usdc', decimals: 6 },
    amountMinor: 1_500_000n,
    sender: outsider,
    recipient: wallet.address,
    txId: `0x${seenCount.toString(16).padStart(64, '0')}`,
    explorerLink: 'https://sepolia.basescan.org/tx/0x1',
    at: new Date('2026-03-01T10:00:00Z'),
    height: 10n,
    succeeded: true,
    ...overrides,
  };
}

const anOut = (overrides: Partial<SeenTransfer> = {}) =>
  anIn({ sender: wallet.address, recipient: outsider, ...overrides });
const record = (...transfers: SeenTransfer[]) =>
  api.ctx.store.transaction((tx) => recordTransfers(api.ctx, tx, transfers));
const retract = (fromHeight: bigint) =>
  api.ctx.store.transaction((tx) => retractTransfers(api.ctx, tx, chain, fromHeight));
const list = (query = '', options: object = {}) =>
  api.call(
    'GET',
    `/unstable/wallets/${wallet.address}/transfers?chain=${chain}&status=successful${query}`,
    options,
  );
const amountsOf = (body: { data: { token: { rawAmount: string } }[] }) =>
  body.data.map((event) => event.token.rawAmount);

async function eventsOf(
  address: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await api.ctx.store.query<{ type: string; data: Record<string, unknown> }>({
    text: `select o.type, o.data from outbox o join wallets w on o.object = 'wallet:' || w.id where lower(w.address) = lower($1) order by o.written`,
    values: [address],
  });
  return rows;
}

describe('the activity of a wallet', () => {
  it('is empty before anything happened', async () => {
    expect(await list()).toMatchObject({ status: 200, body: { data: [] } });
    expect(Object.keys((await list()).body)).toEqual(['data']);
  });

  it('shows what came in, with both parties, the token, the time and where it is on the chain', async () => {
    const transfer = anIn();
    await record(transfer);
    const { body } = await list();
    expect(body.data).toEqual([
      {
        type: 'wallets.transfer.in',
        status: 'succeeded',
        sender: { address: outsider, chain, locator: `${chain}:${outsider}` },
        recipient: {
          address: wallet.address,
          chain,
          locator: `${chain}:${wallet.address}`,
          owner: wallet.owner,
        },
        token: {
          locator: `${chain}:${usdc}`,
          amount: '1.5',
          rawAmount: '1500000',
          symbol: 'usdc',
          decimals: 6,
          type: 'fungible',
          chain,
          contractAddress: usdc,
        },
        transferId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        completedAt: '2026-03-01T10:00:00.000Z',
        onChain: { txId: transfer.txId, explorerLink: transfer.explorerLink },
      },
    ]);
  });

  it('shows what went out under the id of the transaction that made it', async () => {
    const operationId = api.ctx.ids.uuid();
    await record(
      anOut({
        operationId,
        token: { chain, locator: `${chain}:eth`, symbol: 'eth', decimals: 18 },
        amountMinor: 10n ** 18n,
      }),
    );
    const { body } = await list();
    expect(body.data).toMatchObject([
      {
        type: 'wallets.transfer.out',
        transferId: operationId,
        token: { amount: '1', rawAmount: '1000000000000000000', symbol: 'eth' },
      },
    ]);
    expect(body.data[0].token).not.toHaveProperty('contractAddress');
  });

  it('is found by any locator of the wallet', async () => {
    await record(anIn());
    const { body } = await api.call(
      'GET',
      `/unstable/wallets/${wallet.owner}:evm:smart/transfers?chain=${chain}&status=successful`,
    );
    expect(body.data).toHaveLength(1);
  });

  it('shows a transfer between two own wallets as an out and an in', async () => {
    const other = await aWallet();
    await record(anOut({ recipient: other.address }));
    expect((await list()).body.data).toMatchObject([
      { type: 'wallets.transfer.out', recipient: { owner: other.owner } },
    ]);
    const theirs = await api.call(
      'GET',
      `/unstable/wallets/${other.address}/transfers?chain=${chain}&status=successful`,
    );
    expect(theirs.body.data).toMatchObject([
      { type: 'wallets.transfer.in', sender: { owner: wallet.owner } },
    ]);
  });

  it('is of one chain', async () => {
    await record(anIn());
    const { body } = await api.call(
      'GET',
      `/unstable/wallets/${wallet.address}/transfers?chain=optimism-sepolia&status=successful`,
    );
    expect(body.data).toEqual([]);
  });

  it('takes a main chain name for its test network outside production', async () => {
    await record(anIn());
    const { body } = await api.call(
      'GET',
      `/unstable/wallets/${wallet.address}/transfers?chain=base&status=successful`,
    );
    expect(body.data).toHaveLength(1);
  });

  it('leaves collectibles to the collectibles', async () => {
    await record(
      anIn({
        token: { chain, locator: `${chain}:${usdc}:1`, address: usdc, tokenId: '1', decimals: 0 },
      }),
    );
    expect((await list()).body.data).toEqual([]);
  });
});

describe('pages of the activity', () => {
  const minute = (nr: number) => new Date(Date.UTC(2026, 2, 1, 10, nr));

  it('run from the newest to the oldest, or the other way', async () => {
    await record(...[1, 2, 3].map((nr) => anIn({ amountMinor: BigInt(nr), at: minute(nr) })));
    expect(amountsOf((await list()).body)).toEqual(['3', '2', '1']);
    expect(amountsOf((await list('&sort=desc')).body)).toEqual(['3', '2', '1']);
    expect(amountsOf((await list('&sort=asc')).body)).toEqual(['1', '2', '3']);
  });

  it('keep the order of recording within one second', async () => {
    await record(...[1, 2, 3, 4].map((nr) => anIn({ amountMinor: BigInt(nr) })));
    expect(amountsOf((await list('&sort=asc')).body)).toEqual(['1', '2', '3', '4']);
  });

  it('lead to the next and back, and cover every event once', async () => {
    await record(
      ...[1, 2, 3, 4, 5].map((nr) =>
        anIn({ amountMinor: BigInt(nr), at: minute(Math.ceil(nr / 2)) }),
      ),
    );
    const first = (await list('&limit=2')).body;
    expect([amountsOf(first), 'previousCursor' in first]).toEqual([['5', '4'], false]);
    const second = (await list(`&limit=2&cursor=${first.nextCursor}`)).body;
    expect(amountsOf(second)).toEqual(['3', '2']);
    const last = (await list(`&limit=2&cursor=${second.nextCursor}`)).body;
    expect([amountsOf(last), 'nextCursor' in last]).toEqual([['1'], false]);
    const back = (await list(`&limit=2&cursor=${last.previousCursor}`)).body;
    expect(amountsOf(back)).toEqual(['3', '2']);
    const start = (await list(`&limit=2&cursor=${back.previousCursor}`)).body;
    expect([amountsOf(start), 'previousCursor' in start, 'nextCursor' in start]).toEqual([
      ['5', '4'],
      false,
      true,
    ]);
  });

  it('neither shift nor repeat when events arrive in between', async () => {
    await record(...[1, 2, 3, 4].map((nr) => anIn({ amountMinor: BigInt(nr), at: minute(nr) })));
    const first = (await list('&limit=2')).body;
    await record(
      anIn({ amountMinor: 99n, at: minute(9) }),
      anIn({ amountMinor: 98n, at: minute(0) }),
    );
    const second = (await list(`&limit=2&cursor=${first.nextCursor}`)).body;
    expect([...amountsOf(first), ...amountsOf(second)]).toEqual(['4', '3', '2', '1']);
    expect(amountsOf((await list(`&limit=2&cursor=${second.nextCursor}`)).body)).toEqual(['98']);
  });

  it('have 20 events when no limit is named, and at most 100', async () => {
    await record(...Array.from({ length: 105 }, (_, nr) => anIn({ amountMinor: BigInt(nr + 1) })));
    expect((await list()).body.data).toHaveLength(20);
    expect((await list('&limit=100')).body.data).toHaveLength(100);
    expect((await list('&limit=101')).status).toBe(400);
  });

  it('can be cut by time, both ends included', async () => {
    await record(...[1, 2, 3, 4].map((nr) => anIn({ amountMinor: BigInt(nr), at: minute(nr) })));
    const { body } = await list(
      `&fromDate=${minute(2).toISOString()}&toDate=${minute(3).toISOString()}`,
    );
    expect(amountsOf(body)).toEqual(['3', '2']);
  });

  it('can be cut by tokens: symbols in any case, and locators', async () => {
    const eth = { chain, locator: `${chain}:eth`, symbol: 'eth', decimals: 18 };
    const odd = { chain, locator: `${chain}:${outsider}`, address: outsider, decimals: 2 };
    await record(
      anIn({ amountMinor: 1n, token: eth }),
      anIn({ amountMinor: 2n }),
      anIn({ amountMinor: 3n, token: odd }),
    );
    expect(amountsOf((await list('&tokens=ETH')).body)).toEqual(['1']);
    expect(amountsOf((await list(`&tokens=${chain}:${usdc.toLowerCase()}`)).body)).toEqual(['2']);
    expect(amountsOf((await list(`&tokens=eth,${chain}:${outsider}`)).body)).toEqual(['3', '1']);
    expect(amountsOf((await list('&tokens=nothing')).body)).toEqual([]);
  });
});

describe('transfers that failed', () => {
  const failed = () =>
    api.call('GET', `/unstable/wallets/${wallet.address}/transfers?chain=${chain}&status=failed`);
  const error: OperationError = {
    reason: 'execution_reverted',
    message: 'The call reverted: too little.',
    revert: { type: 'revert', reason: 'too little' },
  };

  async function aFailure(overrides: Partial<TransactionRecord> = {}): Promise<TransactionRecord> {
    const { rows } = await api.ctx.store.query<{ id: string }>({
      text: 'select id from wallets where address = $1',
      values: [wallet.address],
    });
    const sendParams = {
      token: `${chain}:usdc`,
      params: { amount: '2.5', recipient: outsider, recipientAddress: outsider },
    };
    const at = new Date('2026-03-01T11:00:00Z');
    return {
      id: api.ctx.ids.uuid(),
      projectId: api.projectId,
      walletId: rows[0]!.id,
      chainType: 'evm',
      walletType: 'smart',
      chain,
      subject: 'transaction',
      status: 'failed',
      params: {},
      operation: {},
      onChain: {},
      approvals: { pending: [], submitted: [] },
      sendParams,
      tokenLocator: sendParams.token,
      fees: {},
      error,
      createdAt: at,
      completedAt: at,
      validUntil: at,
      ...overrides,
    };
  }
  const fail = (...records: TransactionRecord[]) =>
    api.ctx.store.transaction((tx) => recordFailedTransfers(api.ctx, tx, records));

  it('are listed apart, with the reason and under the id of their transaction', async () => {
    const failure = await aFailure();
    await fail(failure);
    expect((await list()).body.data).toEqual([]);
    const { body } = await failed();
    expect(body.data).toMatchObject([
      {
        type: 'wallets.transfer.out',
        status: 'failed',
        transferId: failure.id,
        recipient: { address: outsider },
        token: { amount: '2.5', rawAmount: '2500000', symbol: 'usdc' },
        error: { reason: 'execution_reverted', message: error.message, revert: error.revert },
      },
    ]);
    expect(body.data[0]).not.toHaveProperty('onChain');
    expect((await eventsOf(wallet.address)).map(({ type, data }) => [type, data.status])).toEqual([
      ['wallets.transfer.out', 'failed'],
    ]);
  });

  it.each([[`${chain}:usdc`], [`base:${usdc.toLowerCase()}`]])(
    'name their token by its contract, sent as %s, as those that succeeded do',
    async (token) => {
      const sendParams = {
        token,
        params: { amount: '2.5', recipient: outsider, recipientAddress: outsider },
      };
      await fail(await aFailure({ sendParams, tokenLocator: token }));
      expect((await failed()).body.data).toMatchObject([
        { token: { locator: `${chain}:${usdc}`, contractAddress: usdc } },
      ]);
    },
  );

  it('name a native coin by its symbol, as those that succeeded do', async () => {
    const sendParams = {
      token: 'base:eth',
      params: { amount: '2.5', recipient: outsider, recipientAddress: outsider },
    };
    await fail(await aFailure({ sendParams, tokenLocator: sendParams.token }));
    expect((await failed()).body.data).toMatchObject([
      { token: { locator: `${chain}:eth`, rawAmount: '2500000000000000000' } },
    ]);
  });

  it('are told once, however often the end is settled', async () => {
    const failure = await aFailure({ onChain: { txId: '0xabc' } });
    await fail(failure);
    await fail(failure);
    expect((await failed()).body.data).toMatchObject([{ onChain: { txId: '0xabc' } }]);
    expect(await eventsOf(wallet.address)).toHaveLength(1);
  });

  it('are no failures any more when the chain shows that they went through', async () => {
    const failure = await aFailure();
    await fail(failure);
    await record(anOut({ operationId: failure.id }));
    expect((await failed()).body.data).toEqual([]);
    expect((await list()).body.data).toMatchObject([
      { transferId: failure.id, status: 'succeeded' },
    ]);
  });

  it('are told again when a reorganisation lets one go through, and the next has it fail once more', async () => {
    const failure = await aFailure();
    await fail(failure);
    await record(anOut({ operationId: failure.id, height: 11n }));
    await retract(11n);
    const message = 'The call reverted the second time.';
    await fail({ ...failure, error: { ...error, message } });
    expect((await list()).body.data).toEqual([]);
    expect((await failed()).body.data).toMatchObject([
      { transferId: failure.id, error: { message } },
    ]);
    expect((await eventsOf(wallet.address)).map(({ data }) => data.status)).toEqual([
      'failed',
      'succeeded',
      'failed',
    ]);
  });

  it('are passed over when they are no transfers of fungible tokens', async () => {
    await fail(
      await aFailure({ sendParams: undefined }),
      await aFailure({
        sendParams: {
          token: `${chain}:${usdc}:7`,
          params: { recipient: outsider, recipientAddress: outsider },
        },
      }),
    );
    expect((await failed()).body.data).toEqual([]);
  });

  it.each([
    ['token', { token: 'no locator' }],
    ['amount', { amount: '1e9' }],
  ])('whose %s somebody wrote is passed over: what ends with it is told', async (_, written) => {
    const { token = `${chain}:usdc`, amount = '2.5' } = written as Record<string, string>;
    const params = { amount, recipient: outsider, recipientAddress: outsider };
    const other = await aFailure();
    await fail(await aFailure({ sendParams: { token, params } }), other);
    expect((await failed()).body.data).toMatchObject([{ transferId: other.id }]);
  });
});

describe('events of the activity', () => {
  it('are written once per side, without their type in the data', async () => {
    const other = await aWallet();
    await record(anOut({ recipient: other.address }));
    const [event] = await eventsOf(wallet.address);
    expect(event).toMatchObject({
      type: 'wallets.transfer.out',
      data: {
        status: 'succeeded',
        sender: { locator: `${chain}:${wallet.address}`, owner: wallet.owner },
        token: { rawAmount: '1500000' },
      },
    });
    expect(event!.data).not.toHaveProperty('type');
    expect((await eventsOf(other.address)).map(({ type }) => type)).toEqual([
      'wallets.transfer.in',
    ]);
  });

  it('are not written again when a reorganisation puts the transfer into another block', async () => {
    const transfer = anIn({ height: 100n });
    await record(transfer);
    const before = (await list()).body.data[0];
    await retract(100n);
    expect((await list()).body.data).toEqual([]);
    await record({ ...transfer, height: 102n, at: new Date('2026-03-01T10:00:12Z') });
    const after = (await list()).body.data[0];
    expect([after.transferId, after.completedAt]).toEqual([
      before.transferId,
      '2026-03-01T10:00:12.000Z',
    ]);
    expect(await eventsOf(wallet.address)).toHaveLength(1);
  });

  it('stay valid below the height from which a reorganisation takes back', async () => {
    await record(anIn({ height: 49n, amountMinor: 1n }), anIn({ height: 50n, amountMinor: 2n }));
    await retract(50n);
    expect(amountsOf((await list()).body)).toEqual(['1']);
  });

  it('vanish with the transaction that recorded them', async () => {
    await expect(
      api.ctx.store.transaction(async (tx) => {
        await recordTransfers(api.ctx, tx, [anIn()]);
        throw new Error('the range was not stored');
      }),
    ).rejects.toThrow('the range was not stored');
    expect((await list()).body.data).toEqual([]);
    expect(await eventsOf(wallet.address)).toEqual([]);
  });
});

describe('what the activity refuses', () => {
  const get = (query: string, options: object = {}) =>
    api.call('GET', `/unstable/wallets/${wallet.address}/transfers?${query}`, options);

  it.each([
    ['chain is missing', 'status=successful', 'validation-error'],
    ['status is missing', `chain=${chain}`, 'validation-error'],
    ['status is another word', `chain=${chain}&status=pending`, 'validation-error'],
    ['limit is zero', `chain=${chain}&status=failed&limit=0`, 'validation-error'],
    ['sort is another word', `chain=${chain}&status=failed&sort=up`, 'validation-error'],
    [
      'fromDate is no instant',
      `chain=${chain}&status=failed&fromDate=yesterday`,
      'validation-error',
    ],
    [
      'fromDate is after toDate',
      `chain=${chain}&status=failed&fromDate=2026-02-02T00:00:00Z&toDate=2026-02-01T00:00:00Z`,
      'validation-error',
    ],
    [
      'the cursor is made up',
      `chain=${chain}&status=failed&cursor=bm9uc2Vuc2U`,
      'validation-error',
    ],
    [
      'a token is on another chain',
      `chain=${chain}&status=failed&tokens=optimism-sepolia:eth`,
      'validation-error',
    ],
    ['a token cannot be read', `chain=${chain}&status=failed&tokens=0x12`, 'invalid-locator'],
    ['the chain is unknown', 'chain=moon&status=failed', 'chain-not-supported'],
    ['the chain is of another family', 'chain=solana&status=failed', 'chain-not-supported'],
    ['the chain has no node here', 'chain=zora-sepolia&status=failed', 'chain-not-supported'],
  ])('400 when %s', async (_, query, code) => {
    const { status, body } = await get(query);
    expect([status, body.error, body.code]).toEqual([400, true, code]);
  });

  it('400 for a cursor of another query', async () => {
    await record(anIn(), anIn());
    const { body } = await list('&limit=1');
    const { status, body: refusal } = await list(`&limit=1&sort=asc&cursor=${body.nextCursor}`);
    expect([status, refusal.message]).toEqual([
      400,
      expect.stringMatching(/belongs to another query/),
    ]);
    expect((await list(`&limit=50&cursor=${body.nextCursor}`)).status).toBe(200);
  });

  it('400 for a locator that cannot be read, 404 for a wallet that is not there', async () => {
    const query = `chain=${chain}&status=failed`;
    expect(await api.call('GET', `/unstable/wallets/nobody/transfers?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-locator' },
    });
    expect(await api.call('GET', `/unstable/wallets/${outsider}/transfers?${query}`)).toMatchObject(
      {
        status: 404,
        body: { code: 'wallet-not-found' },
      },
    );
  });

  it('401 without a key, 403 without the scope', async () => {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets:balance.read'],
    });
    expect((await list('', { key: null })).status).toBe(401);
    expect((await list('', { key })).status).toBe(403);
  });

  it('401 for a client key without its user, 404 for the wallet of another user', async () => {
    expect((await list('', { key: api.clientKey })).status).toBe(401);
    expect(
      (await list('', { key: api.clientKey, jwt: await api.userJwt('somebody-else') })).status,
    ).toBe(404);
  });

  it('nothing to the user whose wallet it is, but keeps the owners of other wallets to itself', async () => {
    const other = await aWallet();
    await record(anOut({ recipient: other.address }));
    const { status, body } = await list('', {
      key: api.clientKey,
      jwt: await api.userJwt(wallet.owner.slice('userId:'.length)),
    });
    expect(status).toBe(200);
    expect(body.data[0].sender.owner).toBe(wallet.owner);
    expect(body.data[0].recipient).not.toHaveProperty('owner');
  });
});
