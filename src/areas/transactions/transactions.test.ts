import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { ServiceError } from '../../lib/errors.ts';
import { sandboxAddresses } from '../../providers/screening/sandbox.ts';
import { rowMacMetrics } from '../../store/row-mac.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import {
  type ApprovalsWorld,
  anAddress,
  anExternalWallet,
  approvalOf,
  aQuorum,
  chain,
  startApprovalsWorld,
  windowMs,
} from '../approvals/test-kit.ts';
import type { WalletRecord } from '../wallets/index.ts';
import {
  closeApprovalWindows,
  createPreparedTransaction,
  createTransaction,
  getTransactionsById,
  settleOperations,
} from './index.ts';
import { transactionRoutes } from './routes.ts';

let world: ApprovalsWorld;
beforeAll(async () => {
  world = await startApprovalsWorld(transactionRoutes);
});
afterAll(() => world?.close());

const [ann, ben, cid] = ['ann', 'ben', 'cid'].map(anExternalWallet) as [Signer, Signer, Signer];
const pathOf = (wallet: WalletRecord, rest = '') =>
  `/2025-06-09/wallets/${wallet.address}/transactions${rest}`;
const create = (wallet: WalletRecord, params: object = {}, options = {}) =>
  world.api.call('POST', pathOf(wallet), {
    body: { params: { chain, calls: [], ...params } },
    ...options,
  });
const submit = (wallet: WalletRecord, id: string, approvals: unknown, options = {}) =>
  world.api.call('POST', pathOf(wallet, `/${id}/approvals`), { body: { approvals }, ...options });
const read = async (wallet: WalletRecord, id: string) =>
  (await world.api.call('GET', pathOf(wallet, `/${id}`))).body;
const codeOf = ({ status, body }: { status: number; body: { code?: string; status?: string } }) => [
  status,
  body.code ?? body.status,
];
const relayedOf = (id: string) => world.submitted.filter((input) => input.operationId === id);

async function aTransaction(adminSigner: Signer = ann, params: object = {}) {
  const wallet = await world.aWallet({ adminSigner });
  const { status, body } = await create(wallet, params);
  expect(status).toBe(201);
  return {
    wallet,
    id: String(body.id),
    created: body,
    message: String(body.onChain.userOperationHash),
  };
}

async function settle(outcomes: Parameters<typeof settleOperations>[2]): Promise<void> {
  await world.ctx.store.transaction((tx) => settleOperations(world.ctx, tx, outcomes));
}

describe('create transaction', () => {
  it('answers 201 with what it will change and cost, and no error', async () => {
    const { created } = await aTransaction();
    expect(created).toMatchObject({
      status: 'awaiting-approval',
      preview: { balanceChanges: [], gas: '1', sponsored: true },
      fees: { mode: 'project', estimate: { amountWei: '1000' }, billing: { status: 'pending' } },
      params: { chain, calls: [], signer: ann },
      onChain: { typedData: { primaryType: 'Operation' } },
    });
    for (const key of ['error', 'message', 'completedAt']) expect(created).not.toHaveProperty(key);
  });

  it.each([
    ['a body without params', {}, 400, 'validation-error'],
    ['a signer that is no text', { params: { chain, signer: 7 } }, 400, 'validation-error'],
    [
      'a signer of nobody here',
      { params: { chain, signer: ben.locator } },
      400,
      'transaction-invalid',
    ],
    ['a call that reverts', { params: { chain, fail: true } }, 422, undefined],
    [
      'a recipient on a sanctions list',
      { params: { chain, to: [sandboxAddresses.blocked] } },
      400,
      'sanctioned-address',
    ],
    [
      'a recipient while no list can be read',
      { params: { chain, to: [sandboxAddresses.unavailable] } },
      503,
      'provider-unavailable',
    ],
  ])('refuses %s and stores nothing', async (_name, body, status, code) => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const answer = await world.api.call('POST', pathOf(wallet), { body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await world.api.call('GET', pathOf(wallet))).body.transactions).toEqual([]);
  });

  it('answers a failed simulation with its reason', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    expect((await create(wallet, { fail: true })).body).toMatchObject({
      error: { reason: 'execution_reverted' },
      message: 'The call reverts.',
    });
  });

  it('answers 404 for an unknown wallet', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    expect(codeOf(await create({ ...wallet, address: anAddress('nowhere') }))).toEqual([
      404,
      'wallet-not-found',
    ]);
  });

  it('refuses a wallet that is itself on a list, also with an api key, and relays nothing', async () => {
    const wallet = await world.aWallet({ adminSigner: await world.anApiKeySigner() });
    const before = world.submitted.length;
    world.sanctioned.add(wallet.address);
    expect(codeOf(await create(wallet))).toEqual([400, 'sanctioned-address']);
    expect(world.submitted).toHaveLength(before);
  });

  it('keeps each decision of the screening', async () => {
    const to = [anAddress('recipient')];
    const { id, wallet } = await aTransaction(ann, { to });
    const { rows } = await world.ctx.store.query({
      text: 'select addresses, outcome, project_id from screening_decisions where subject = $1',
      values: [`transaction:${id}`],
    });
    expect(rows).toEqual([
      { addresses: [...to, wallet.address], outcome: 'clear', project_id: wallet.projectId },
    ]);
  });

  it('answers the same transaction for a repeated idempotency key', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const headers = { 'x-idempotency-key': 'once' };
    const [first, second] = [
      await create(wallet, {}, { headers }),
      await create(wallet, {}, { headers }),
    ];
    expect([second.status, second.body]).toEqual([201, first.body]);
  });
});

describe('create a prepared transaction', () => {
  const prepared = {
    chain,
    params: { chain },
    operation: { message: '0x01' },
    onChain: {},
    message: '0x01',
    validUntil: new Date('2030-01-01T00:00:00Z'),
    feesEstimate: {},
    counterparties: [],
  };

  it('stores it together with what its caller stores, or neither', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const ctx = world.requestCtx();
    const other = await world.aWallet({ adminSigner: ann });
    const mark = (tx: { query: typeof ctx.store.query }, alias: string) =>
      tx.query({ text: 'update wallets set alias = $2 where id = $1', values: [other.id, alias] });
    const aliasOf = async () =>
      (
        await ctx.store.query<{ alias: string | null }>({
          text: 'select alias from wallets where id = $1',
          values: [other.id],
        })
      ).rows[0]?.alias;
    const refused = createPreparedTransaction(ctx, {
      wallet,
      prepared,
      signer: ann,
      alongside: async (tx, record) => {
        await mark(tx, record.id);
        throw new Error('no');
      },
    });
    await expect(refused).rejects.toThrow('no');
    expect(await aliasOf()).toBeNull();
    expect((await world.api.call('GET', pathOf(wallet))).body.transactions).toEqual([]);
    const made = await createPreparedTransaction(ctx, {
      wallet,
      prepared,
      signer: ann,
      alongside: async (tx, record) => {
        await mark(tx, record.id);
      },
    });
    expect(await aliasOf()).toBe(made.id);
    await expect(
      createPreparedTransaction(ctx, { wallet, prepared, signer: ann, id: made.id }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(
      (await getTransactionsById(ctx, { walletId: wallet.id, ids: [made.id, other.id] })).map(
        ({ id }) => id,
      ),
    ).toEqual([made.id]);
  });
});

describe('read transactions', () => {
  it('answers 200, and 404 for another wallet’s or no id at all', async () => {
    const { wallet, id, created } = await aTransaction();
    expect(await read(wallet, id)).toEqual(created);
    const other = await world.aWallet({ adminSigner: ann });
    for (const asked of [id, 'nonsense', world.ctx.ids.uuid()])
      expect(codeOf(await world.api.call('GET', pathOf(other, `/${asked}`)))).toEqual([
        404,
        'transaction-not-found',
      ]);
    expect(
      codeOf(await world.api.call('GET', pathOf({ ...wallet, address: anAddress('x') }, `/${id}`))),
    ).toEqual([404, 'wallet-not-found']);
  });

  it('lists 200, 400 for a page that cannot be, 404 for an unknown wallet', async () => {
    const { wallet, created } = await aTransaction();
    expect((await world.api.call('GET', pathOf(wallet))).body).toEqual({ transactions: [created] });
    for (const query of ['page=0', 'perPage=101', 'page=999999', 'dateFrom=yesterday'])
      expect([query, (await world.api.call('GET', pathOf(wallet, `?${query}`))).status]).toEqual([
        query,
        400,
      ]);
    expect(
      (await world.api.call('GET', pathOf({ ...wallet, address: anAddress('x') }))).status,
    ).toBe(404);
  });

  it.each([
    ['was sealed by an earlier version', `mac = 'v0:of-an-earlier-version'`],
    ['lost its seal', 'mac = null'],
    ['shows another operation', `on_chain = '{"userOperationHash": "0x12"}'`],
  ])(
    'lists one that %s as failed, with why and nothing to sign, beside the others',
    async (_, set) => {
      const { wallet, id, created } = await aTransaction();
      const { body: other } = await create(wallet);
      await world.ctx.store.query({
        text: `update transactions set ${set} where id = $1`,
        values: [id],
      });
      const before = rowMacMetrics().changed;
      const { status, body } = await world.api.call('GET', pathOf(wallet));
      expect(status).toBe(200);
      const listed = body.transactions as (typeof created)[];
      expect(listed).toHaveLength(2);
      expect(listed).toContainEqual(other);
      expect(listed.find((one) => one.id === id)).toEqual({
        id,
        chainType: created.chainType,
        walletType: created.walletType,
        status: 'failed',
        createdAt: created.createdAt,
        params: {},
        onChain: {},
        approvals: { pending: [], submitted: [] },
        fees: created.fees,
        error: { reason: 'unknown', message: expect.stringContaining('Create it again') },
      });
      expect(rowMacMetrics().changed).toBe(before + 1);
      expect(codeOf(await world.api.call('GET', pathOf(wallet, `/${id}`)))).toEqual([
        500,
        'internal-error',
      ]);
    },
  );
});

describe('submit approvals', () => {
  it('answers 201, then 409 to the signer, 422 to others', async () => {
    const { wallet, id, message } = await aTransaction();
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([201, 'pending']);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-already-submitted',
    ]);
    expect(codeOf(await submit(wallet, id, [approvalOf(ben, message)]))).toEqual([
      422,
      'approvals-complete',
    ]);
    expect(codeOf(await submit(wallet, id, []))).toEqual([201, 'pending']);
    expect(relayedOf(id)).toHaveLength(1);
  });

  it('answers 400 for a stranger, a wrong signature, an empty list, a list that is none; 404 for an unknown one', async () => {
    const { wallet, id, message } = await aTransaction();
    expect(codeOf(await submit(wallet, id, [approvalOf(ben, message)]))).toEqual([
      400,
      'signer-not-approver',
    ]);
    expect(
      codeOf(
        await submit(wallet, id, [{ ...approvalOf(ann, message), signature: { r: '1', s: '2' } }]),
      ),
    ).toEqual([400, 'invalid-signature']);
    expect(codeOf(await submit(wallet, id, []))).toEqual([400, 'validation-error']);
    expect(codeOf(await submit(wallet, id, 'all'))).toEqual([400, 'validation-error']);
    expect(
      codeOf(await submit(wallet, id, [{ signer: ann.locator, signature: { r: '1' } }])),
    ).toEqual([400, 'validation-error']);
    for (const unknown of ['nonsense', world.ctx.ids.uuid()])
      expect(codeOf(await submit(wallet, unknown, [approvalOf(ann, message)]))).toEqual([
        404,
        'transaction-not-found',
      ]);
    expect(codeOf(await submit({ ...wallet, address: anAddress('x') }, id, []))).toEqual([
      404,
      'wallet-not-found',
    ]);
    expect([(await read(wallet, id)).approvals.submitted, relayedOf(id)]).toEqual([[], []]);
  });

  it('answers 409 once the window of 24 h is over, before and after the transaction is closed', async () => {
    const { wallet, id, message } = await aTransaction();
    world.clock.advance(windowMs);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-window-closed',
    ]);
    await closeApprovalWindows(world.ctx);
    const closed = await read(wallet, id);
    expect(closed).toMatchObject({
      status: 'failed',
      error: { reason: 'unknown' },
      completedAt: world.clock.now().toISOString(),
      fees: { billed: { usd: 0 }, billing: { status: 'settled' } },
    });
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-window-closed',
    ]);
    expect(relayedOf(id)).toEqual([]);
  });

  it('fails the transaction when an address has come onto a list before the last approval', async () => {
    const to = anAddress('listed later');
    const { wallet, id, message } = await aTransaction(aQuorum(2, [ann, ben]), { to: [to] });
    world.sanctioned.add(to);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      201,
      'awaiting-approval',
    ]);
    const last = await submit(wallet, id, [approvalOf(ben, message)]);
    expect(codeOf(last)).toEqual([201, 'failed']);
    expect(last.body).toMatchObject({
      error: { reason: 'sanctioned_wallet_address' },
      completedAt: expect.any(String),
      approvals: { pending: [] },
    });
    expect(await read(wallet, id)).toEqual(last.body);
    expect(relayedOf(id)).toEqual([]);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-already-submitted',
    ]);
  });

  it('screens also when the last but one approval arrives while the last one is checked', async () => {
    const to = anAddress('listed in between');
    const { wallet, id, message } = await aTransaction(aQuorum(2, [ann, ben]), { to: [to] });
    world.sanctioned.add(to);
    world.beforeCheck = async () => {
      world.beforeCheck = undefined;
      expect((await submit(wallet, id, [approvalOf(ann, message)])).status).toBe(201);
    };
    expect(codeOf(await submit(wallet, id, [approvalOf(ben, message)]))).toEqual([201, 'failed']);
    expect(relayedOf(id)).toEqual([]);
  });

  it('answers 503 while no list can be read, records nothing, and goes through later', async () => {
    const { wallet, id, message } = await aTransaction();
    const screening = world.ctx.providers.screening;
    const original = screening.screen;
    Object.assign(screening, {
      screen: () => original({ addresses: [sandboxAddresses.unavailable], chain }),
    });
    try {
      expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
        503,
        'provider-unavailable',
      ]);
    } finally {
      Object.assign(screening, { screen: original });
    }
    expect((await read(wallet, id)).approvals.submitted).toEqual([]);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([201, 'pending']);
  });

  it('shows no half state to somebody who reads all the while', async () => {
    const members = [ann, ben, cid];
    const { wallet, id, message } = await aTransaction(aQuorum(3, members));
    let done = false;
    const seen: string[] = [];
    const readers = Array.from({ length: 4 }, async () => {
      while (!done) {
        const { status, approvals } = await read(wallet, id);
        const [pending] = approvals.pending;
        const [submitted] = approvals.submitted;
        const entry = (pending ?? submitted).quorumApprovals;
        expect(approvals.pending.length + approvals.submitted.length).toBe(1);
        expect(entry.threshold - entry.remaining).toBe(entry.submitted.length);
        expect(entry.pending).toHaveLength(entry.remaining);
        expect(status).toBe(entry.remaining === 0 ? 'pending' : 'awaiting-approval');
        seen.push(`${status} ${entry.remaining}`);
      }
    });
    for (const [index, member] of members.entries()) {
      expect((await submit(wallet, id, [approvalOf(member, message)])).status).toBe(201);
      const left = members.length - index - 1;
      await expect.poll(() => seen.at(-1)).toMatch(new RegExp(` ${left}$`));
    }
    done = true;
    await Promise.all(readers);
  });
});

describe('every endpoint', () => {
  it.each([
    ['POST', '', 'wallets:transactions.create'],
    ['GET', '', 'wallets:transactions.read'],
    ['GET', '/:id', 'wallets:transactions.read'],
    ['POST', '/:id/approvals', 'wallets:transactions.sign'],
  ])(
    '%s %s answers 401 without a key and 403 without the scope %s',
    async (method, rest, scope) => {
      const { wallet, id } = await aTransaction();
      const { projectId } = wallet;
      const scopes = scopesOf('server').filter((one) => one !== scope);
      const { key } = await issueKey(world.ctx, { projectId, kind: 'server', scopes });
      const call = (options: { key: string | null }) =>
        world.api.call(method, pathOf(wallet, rest.replace(':id', id)), {
          ...(method === 'POST' ? { body: {} } : {}),
          ...options,
        });
      expect((await call({ key: null })).status).toBe(401);
      const refused = await call({ key });
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(scope)]);
    },
  );
});

describe('what a transaction cost', () => {
  const at = new Date('2026-01-15T13:00:00Z');
  const common = { onChain: { txId: '0x01' }, fees: { actual: { gasUsed: '1' } }, at };

  it('is billed in dollars at the price of its creation', async () => {
    const { wallet, id } = await aTransaction(await world.anApiKeySigner());
    await settle([
      { ...common, operationId: id, status: 'success', costMinor: 123_456_789_000_000n },
    ]);
    const done = await read(wallet, id);
    // 0.000123456789 ETH at the sandbox's 2,500 dollars.
    expect(done.fees).toEqual({
      mode: 'project',
      estimate: { amountWei: '1000' },
      actual: { gasUsed: '1' },
      billed: { usd: 0.308642 },
      billing: { status: 'settled' },
    });
  });

  it('is billed again when a reorganisation moves it, and says so when nobody knows the cost', async () => {
    const { wallet, id } = await aTransaction(await world.anApiKeySigner());
    await settle([{ ...common, operationId: id, status: 'success', costMinor: 10n ** 15n }]);
    await settle([{ ...common, operationId: id, status: 'success', costMinor: 2n * 10n ** 15n }]);
    expect((await read(wallet, id)).fees).toMatchObject({
      billed: { usd: 5 },
      billing: { status: 'settled' },
    });
    const other = await aTransaction(await world.anApiKeySigner());
    await settle([{ ...common, operationId: other.id, status: 'success' }]);
    expect((await read(other.wallet, other.id)).fees).toMatchObject({
      billing: { status: 'failed' },
    });
  });

  it('is nothing for one that failed before it reached the chain', async () => {
    const { wallet, id } = await aTransaction(await world.anApiKeySigner());
    const error = { reason: 'failed_to_land_on_chain', message: 'It did not arrive.' } as const;
    await settle([{ operationId: id, status: 'failed', onChain: {}, error, at }]);
    expect(await read(wallet, id)).toMatchObject({
      status: 'failed',
      error,
      fees: { billed: { usd: 0 }, billing: { status: 'settled' } },
    });
  });

  it('is settled, of a transfer that failed, though no node tells its token: the activity hears of it apart, each time that it fails', async () => {
    const wallet = await world.aWallet({ adminSigner: await world.anApiKeySigner() });
    const token = `${chain}:${anAddress('unlisted token')}`;
    const recipient = anAddress('recipient');
    const params = { amount: '1', recipient, recipientAddress: recipient };
    const { id } = await createTransaction(world.requestCtx(), {
      wallet,
      params: { chain, calls: [] },
      sendParams: { token, params },
      tokenLocator: token,
    });
    const family = world.ctx.chains.family('evm');
    const original = family.resolveToken;
    const asked: unknown[] = [];
    Object.assign(family, {
      async resolveToken(...input: unknown[]) {
        asked.push(input);
        throw new ServiceError('upstream-error');
      },
    });
    const error = { reason: 'failed_to_land_on_chain', message: 'It did not arrive.' } as const;
    try {
      await settle([{ operationId: id, status: 'failed', onChain: {}, error, at }]);
    } finally {
      Object.assign(family, { resolveToken: original });
    }
    expect([(await read(wallet, id)).status, asked]).toEqual(['failed', []]);
    const { rows } = await world.ctx.store.query({
      text: `select state from flows where kind = 'failed-transfer-announce' and key = $1`,
      values: [id],
    });
    expect(rows).toEqual([{ state: { walletId: wallet.id, transactionId: id } }]);
    // Told; then reorganisations have it succeed, and fail once more.
    await world.ctx.store.query({
      text: `update flows set status = 'done', finished_at = now() where key = $1`,
      values: [id],
    });
    const common = { operationId: id, onChain: {}, at } as const;
    await settle([{ ...common, status: 'success' }]);
    await settle([{ ...common, status: 'failed', error }]);
    await settle([{ ...common, status: 'failed', error }]);
    const flows = await world.ctx.store.query({
      text: `select status from flows where kind = 'failed-transfer-announce' and key = $1`,
      values: [id],
    });
    expect(flows.rows).toEqual([{ status: 'active' }]);
  });

  it('is not billed while nobody knows a price', async () => {
    const { pricing } = world.ctx.providers;
    const original = pricing.pricesUsd;
    Object.assign(pricing, { pricesUsd: async () => new Map() });
    try {
      const { wallet, id, created } = await aTransaction(await world.anApiKeySigner());
      expect(created.fees).toEqual({ mode: 'project', estimate: { amountWei: '1000' } });
      await settle([{ ...common, operationId: id, status: 'success', costMinor: 1n }]);
      expect((await read(wallet, id)).fees).toEqual({
        mode: 'project',
        estimate: { amountWei: '1000' },
        actual: { gasUsed: '1' },
      });
    } finally {
      Object.assign(pricing, { pricesUsd: original });
    }
  });
});
