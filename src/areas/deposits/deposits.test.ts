import { randomUUID } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mineBlocks } from '../../../devnet/index.ts';
import {
  planTestWallet,
  type TestWallet,
  tokenTransfer,
  usdcAddress,
} from '../../../test/harness/watched-chain.ts';
import { insertTestWallet } from '../../../test/harness/watcher-world.ts';
import { enqueueOperation } from '../../chains/evm/relay/queue/queue.ts';
import { watchTokens } from '../../chains/evm/watcher/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import {
  assignDeposit,
  expectOperatorFunds,
  findDeposit,
  listDeposits,
  resolveDeposit,
  selectDepositsOfOrder,
} from './index.ts';
import {
  aForeignSafe,
  aMemo,
  chainName,
  type DepositWorld,
  depositCall,
  type ForeignSafe,
  startDepositWorld,
} from './test-kit.ts';

let world: DepositWorld;
let payer: Address;
let safe: ForeignSafe;
let wallet: TestWallet;
let to: Address;

beforeAll(async () => {
  world = await startDepositWorld();
  to = world.treasury.address;
  safe = await aForeignSafe(world.chain);
  wallet = planTestWallet();
  await insertTestWallet(world.database.store, { address: wallet.address });
  for (const address of [safe.address, wallet.address]) await world.chain.mint(address, 1_000_000n);
  payer = world.chain.sender;
  await world.chain.mint(payer, 1_000_000n);
  await world.watch();
});
afterAll(() => world?.close());

let known: Set<string>;
beforeEach(async () => {
  await world.settled();
  known = new Set((await world.deposits()).map(({ id }) => id));
});

/** What came since the test began, oldest first. */
async function received() {
  await world.settled();
  return (await world.deposits()).filter(({ id }) => !known.has(id)).toReversed();
}
const brief = async () =>
  (await received()).map(({ amountMinor, sender, memo }) => ({ amountMinor, sender, memo }));
const from = (sender: Address, amountMinor: bigint, memo?: Hex) => ({
  amountMinor,
  sender: sender.toLowerCase(),
  memo,
});

describe('a deposit', () => {
  it('of an ordinary account is recorded with its memo, its payer and what its log says', async () => {
    const memo = aMemo();
    const txId = await world.chain.send(depositCall(to, 101n, memo));
    const [deposit] = await received();
    expect(deposit).toMatchObject({
      projectId: world.treasury.projectId,
      walletId: world.treasury.id,
      chain: chainName,
      token: {
        chain: chainName,
        locator: `${chainName}:${usdcAddress}`,
        address: usdcAddress,
        symbol: 'usdc',
        decimals: 6,
      },
      amountMinor: 101n,
      sender: payer.toLowerCase(),
      recipient: to.toLowerCase(),
      memo,
      txId,
      status: 'final',
      wasFinal: false,
    });
    expect(deposit).not.toHaveProperty('orderId');
    expect(await findDeposit(world.database.store, deposit!.id)).toEqual(deposit);
  });

  it('of a wallet of this service is recorded with its memo', async () => {
    const [one, two] = [aMemo(), aMemo()];
    await world.chain.execute({
      wallet,
      calls: [depositCall(to, 102n, one), depositCall(to, 102n, two), depositCall(to, 102n)],
    });
    expect(await brief()).toEqual([
      from(wallet.address, 102n, one),
      from(wallet.address, 102n, two),
      from(wallet.address, 102n),
    ]);
  });

  it('of a stranger’s Safe, alone and through a multisend, is recorded with its memo', async () => {
    const memos = [aMemo(), aMemo(), aMemo()] as const;
    await safe.execute(depositCall(to, 103n, memos[0]));
    await safe.executeAll([
      depositCall(to, 104n, memos[1]),
      depositCall(to, 104n),
      tokenTransfer('0x00000000000000000000000000000000000000ff', 104n),
      depositCall(to, 105n, memos[2]),
    ]);
    expect(await brief()).toEqual([
      from(safe.address, 103n, memos[0]),
      from(safe.address, 104n, memos[1]),
      from(safe.address, 104n),
      from(safe.address, 105n, memos[2]),
    ]);
  });

  it('of native money has its calldata for a memo; a treasury that is deployed takes it without', async () => {
    const memo = aMemo();
    const later = planTestWallet();
    const { projectId } = await insertTestWallet(world.database.store, {
      address: later.address,
      purpose: 'treasury',
    });
    const depositsOf = async () =>
      (await listDeposits(world.database.store, { projectId, limit: 10 })).deposits;
    await world.chain.send({ to: later.address, value: 106n, data: memo });
    await world.settled();
    expect(await depositsOf()).toMatchObject([
      { amountMinor: 106n, memo, token: { locator: `${chainName}:eth`, decimals: 18 } },
    ]);
    await world.chain.execute({ wallet: later, calls: [] });
    const refused = await world.chain.send({
      to: later.address,
      value: 107n,
      data: memo,
      allowFailure: true,
    });
    expect(await world.chain.call('eth_getTransactionReceipt', [refused])).toMatchObject({
      status: '0x0',
    });
    await world.chain.send({ to: later.address, value: 108n });
    await world.settled();
    const deposits = await depositsOf();
    expect(deposits.map(({ amountMinor }) => amountMinor)).toEqual([108n, 106n]);
    expect(deposits[0]).not.toHaveProperty('memo');
  });

  it('without a memo, or with a copied one, is recorded as it is', async () => {
    const memo = aMemo();
    await world.chain.send(depositCall(to, 109n));
    await world.chain.send(depositCall(to, 110n, memo));
    await safe.execute(depositCall(to, 110n, memo));
    expect(await brief()).toEqual([
      from(payer, 109n),
      from(payer, 110n, memo),
      from(safe.address, 110n, memo),
    ]);
  });

  it('of another token that is followed is recorded as that token', async () => {
    const memo = aMemo();
    const emitter = '0x00000000000000000000000000000000000c0de5';
    await watchTokens(world.database.store, chainName, [
      { address: emitter, symbol: 'USDC', decimals: 18 },
    ]);
    await world.chain.call('anvil_setCode', [emitter, lyingTokenCode]);
    await world.chain.send({ to: emitter, data: depositCall(to, 111n, memo).data });
    const [deposit] = await received();
    expect(deposit).toMatchObject({
      amountMinor: 111n,
      memo,
      token: { address: expect.stringMatching(/c0de5$/i), decimals: 18 },
    });
    expect(deposit!.token).not.toHaveProperty('symbol');
  });

  it('that a contract only claims, with a log and no call of a transfer, has no memo', async () => {
    const emitter = '0x00000000000000000000000000000000000c0de5';
    await world.chain.send({
      to: emitter,
      data: depositCall(to, 112n).data.replace('a9059cbb', '12345678') as Hex,
    });
    expect(await brief()).toEqual([from(payer, 112n)]);
  });

  it('is told once, also when a call that failed in the same transaction had another memo', async () => {
    const [failed, memo] = [aMemo(), aMemo()];
    const poor = planTestWallet();
    await insertTestWallet(world.database.store, { address: poor.address });
    await world.chain.execute(
      { wallet: poor, calls: [depositCall(to, 113n, failed)] },
      { wallet, calls: [depositCall(to, 113n, memo)] },
    );
    // Which of the two calls ran the input alone does not tell: no memo is better than a wrong one.
    expect(await brief()).toEqual([from(wallet.address, 113n)]);
    expect((await world.changes()).filter((change) => change.endsWith(' 113'))).toEqual([
      'seen 113',
      'final 113',
    ]);
  });

  it('of an operation of this service has the memo of that operation, whatever else its batch carried', async () => {
    const [failed, memo] = [aMemo(), aMemo()];
    const poor = planTestWallet();
    await insertTestWallet(world.database.store, { address: poor.address });
    const { call, operations } = await world.chain.planBatch([
      { wallet: poor, calls: [depositCall(to, 114n, failed)] },
      { wallet, calls: [depositCall(to, 114n, memo)] },
    ]);
    const operationId = randomUUID();
    await world.database.store.transaction((tx) =>
      enqueueOperation(tx, {
        ...operations[1]!,
        operationId,
        subject: 'transaction',
        projectId: randomUUID(),
        chain: chainName,
        validUntil: new Date(),
      }),
    );
    await world.chain.send(call);
    expect(await received()).toMatchObject([
      { amountMinor: 114n, memo, transactionId: operationId },
    ]);
  });

  it('to a wallet that is no treasury, or of nothing, is none', async () => {
    await world.chain.send(depositCall(wallet.address, 115n, aMemo()));
    await world.chain.send(depositCall(to, 0n, aMemo()));
    expect(await received()).toEqual([]);
  });

  it('that the operator said to be coming is the operator’s; another of that amount is a payer’s', async () => {
    const ctx = { ids: systemIds, clock: systemClock };
    const funds = {
      chain: chainName,
      recipient: to.toLowerCase(),
      tokenAddress: usdcAddress.toLowerCase(),
      amountMinor: 116n,
    };
    await expectOperatorFunds(ctx, world.database.store, funds);
    await world.chain.send(depositCall(to, 116n, aMemo()));
    await world.chain.mint(to, 116n);
    await world.chain.mint(to, 116n);
    expect((await received()).map(({ resolution }) => resolution)).toEqual([
      undefined,
      'operator-funds',
      undefined,
    ]);
  });
});

describe('the list of deposits', () => {
  it('is paged without loss while others arrive, by status, and by what nobody has taken', async () => {
    const { store } = world.database;
    const { projectId } = world.treasury;
    for (const amountMinor of [201n, 202n, 203n])
      await world.chain.send(depositCall(to, amountMinor));
    const [first, second, third] = await received();
    const page = await listDeposits(store, { projectId, limit: 2 });
    expect(page.deposits.map(({ id }) => id)).toEqual([third!.id, second!.id]);
    await world.chain.send(depositCall(to, 204n));
    await world.settled();
    const next = await listDeposits(store, { projectId, limit: 1, cursor: page.nextCursor! });
    expect(next.deposits.map(({ id }) => id)).toEqual([first!.id]);
    expect((await listDeposits(store, { projectId, limit: 100, status: 'seen' })).deposits).toEqual(
      [],
    );
    await expect(listDeposits(store, { projectId, limit: 1, cursor: 'x' })).rejects.toMatchObject({
      code: 'validation-error',
    });
    expect((await listDeposits(store, { projectId: randomUUID(), limit: 1 })).deposits).toEqual([]);

    const orderId = randomUUID();
    await store.transaction((tx) => assignDeposit(tx, { depositId: first!.id, orderId }));
    await store.transaction((tx) =>
      resolveDeposit({ clock: systemClock }, tx, {
        depositId: second!.id,
        resolution: 'returned',
        note: 'sent back',
      }),
    );
    const unmatched = await listDeposits(store, { projectId, limit: 100, unmatchedOnly: true });
    const ids = unmatched.deposits.map(({ id }) => id);
    expect(ids).toContain(third!.id);
    expect(ids).not.toContain(first!.id);
    expect(ids).not.toContain(second!.id);
    expect(await selectDepositsOfOrder(store, orderId)).toMatchObject([{ id: first!.id, orderId }]);
  });

  it('gives a deposit to one order only, and to none once it has ended otherwise', async () => {
    const { store } = world.database;
    await world.chain.send(depositCall(to, 205n));
    await world.chain.send(depositCall(to, 206n));
    const [one, other] = await received();
    const orders = Array.from({ length: 20 }, () => randomUUID());
    const results = await Promise.allSettled(
      orders.map((orderId) =>
        store.transaction((tx) => assignDeposit(tx, { depositId: one!.id, orderId })),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = orders[results.findIndex(({ status }) => status === 'fulfilled')]!;
    const again = await store.transaction((tx) =>
      assignDeposit(tx, { depositId: one!.id, orderId: winner }),
    );
    expect(again.orderId).toBe(winner);
    const resolve = (depositId: string, resolution: string) =>
      store.transaction((tx) =>
        resolveDeposit({ clock: systemClock }, tx, { depositId, resolution }),
      );
    await expect(resolve(one!.id, 'returned')).rejects.toMatchObject({ code: 'conflict' });
    await resolve(other!.id, 'returned');
    await resolve(other!.id, 'returned');
    await expect(resolve(other!.id, 'kept')).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      store.transaction((tx) => assignDeposit(tx, { depositId: other!.id, orderId: winner })),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await findDeposit(store, 'nonsense')).toBeUndefined();
    expect(await findDeposit(store, randomUUID())).toBeUndefined();
    await mineBlocks(world.chain.url, 1);
  });
});

/**
 * Emits Transfer(caller, first word behind the selector, second word), whatever it is called with.
 */
const lyingTokenCode: Hex = `0x602435600052600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300`;
