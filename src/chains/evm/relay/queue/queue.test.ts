import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import {
  acquireAccounts,
  ensureAccounts,
  LeaseLostError,
  raiseNextNonce,
  releaseLease,
  renewLeases,
} from '../accounts.ts';
import { storeBatch } from '../sending/sends.ts';
import { noteRefusals } from '../sending/sent.ts';
import type { RelayItem } from '../types.ts';
import {
  claimOperations,
  enqueueOperations,
  postponeRefused,
  releaseOperations,
  requeueOperations,
  reviveHeld,
} from './queue.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(() => database.close());

const chain = 'base-sepolia';
const wallet = '0x00000000000000000000000000000000000000aa' as const;
const executor = '0x00000000000000000000000000000000000000ee' as const;

function anItem(projectId: string, gasLimit = 200_000n): RelayItem {
  return {
    operationId: randomUUID(),
    subject: 'transaction',
    projectId,
    chain,
    operationHash: `0x${randomUUID().replaceAll('-', '').repeat(2)}`,
    validUntil: new Date('2030-01-01'),
    gasLimit,
    op: { wallet, calls: [], nonce: 1n, epoch: 0n, validAfter: 0, validUntil: 1, callGas: 0n },
    signature: '0x',
    deployment: '0x',
  };
}

async function enqueue(projectId: string, count: number, gasLimit?: bigint): Promise<RelayItem[]> {
  const items = Array.from({ length: count }, () => anItem(projectId, gasLimit));
  await database.store.transaction((tx) => enqueueOperations(tx, items));
  return items;
}

const claim = (countMax: number, gasMax = 10n ** 12n) =>
  claimOperations(database.store, { chain, countMax, gasMax, claimMs: 5_000 });

describe('claims', () => {
  it('take turns between projects, the oldest first within one', async () => {
    const [big, small, tiny] = [randomUUID(), randomUUID(), randomUUID()];
    const bigItems = await enqueue(big, 100);
    const smallItems = await enqueue(small, 3);
    const tinyItems = await enqueue(tiny, 1);
    const { operations } = await claim(10);
    const ids = operations.map((operation) => operation.operationId);
    expect(ids).toEqual(
      [
        bigItems[0],
        smallItems[0],
        tinyItems[0],
        bigItems[1],
        smallItems[1],
        bigItems[2],
        smallItems[2],
        bigItems[3],
        bigItems[4],
        bigItems[5],
      ].map((item) => item!.operationId),
    );
  });

  it('reach every project in a few rounds although hundreds wait', { tags: 'slow' }, async () => {
    const projects = Array.from({ length: 300 }, () => randomUUID());
    const items = projects.map((projectId) => anItem(projectId));
    await database.store.transaction((tx) => enqueueOperations(tx, items));
    const seen = new Set<string>();
    // A claim looks at 32 projects on either side of a random point: at 32 at least, so 10 claims
    // reach 300.
    for (let rounds = 0; rounds < 10; rounds++)
      for (const operation of (await claim(50)).operations) seen.add(operation.operationId);
    expect(seen.size).toBe(300);
  });

  it('never give one operation to two, and fill a batch from one project', {
    tags: 'slow',
  }, async () => {
    await enqueue(randomUUID(), 120);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(20)));
    const ids = claims.flatMap(({ operations }) =>
      operations.map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (let rounds = 0; rounds < 6; rounds++)
      ids.push(...(await claim(20)).operations.map((operation) => operation.operationId));
    expect(new Set(ids).size).toBe(120);
    expect(ids.length).toBe(120);
  });

  it('stay within the gas of a batch, but never come back empty-handed for its sake', {
    tags: 'slow',
  }, async () => {
    await enqueue(randomUUID(), 10, 1_000_000n);
    expect((await claim(10, 3_500_000n)).operations.length).toBe(3);
    expect((await claim(10, 1n)).operations.length).toBe(1);
  });

  it('that were given back are there again', async () => {
    await enqueue(randomUUID(), 2);
    const { token, operations } = await claim(10);
    expect((await claim(10)).operations).toEqual([]);
    expect(await reviveHeld(database.store, chain)).toBe(0);
    await releaseOperations(database.store, {
      token,
      operationIds: operations.map((operation) => operation.operationId),
      pauseMs: 0,
      unknown: true,
    });
    expect((await claim(10)).operations.map((operation) => operation.unknowns)).toEqual([1, 1]);
  });

  it('go back, as all do with them, however often somebody wrote that they were tried', async () => {
    const { store } = database;
    const [written, other] = await enqueue(randomUUID(), 2);
    const operationIds = [written!.operationId, other!.operationId];
    await store.query({
      text: `update evm_operations set unknowns = $2, refusals = $2, tries = $2, item_refusals = $2,
        burned_wei = $3 where operation_id = $1`,
      values: [written!.operationId, 2 ** 31 - 1, '9'.repeat(78)],
    });
    const again = async () => (await claim(10)).token;
    const back = { operationIds, pauseMs: 0 };
    await releaseOperations(store, { ...back, token: await again(), unknown: true });
    await postponeRefused(store, { ...back, token: await again(), counted: true });
    await reviveHeld(store, chain);
    const send = { text: `update evm_operations set status = 'sent', send_id = 7`, values: [] };
    await store.query(send);
    await store.transaction((tx) =>
      noteRefusals(
        tx,
        operationIds.map((operationId) => ({ operationId, times: 1, wei: 5n })),
      ),
    );
    expect(await requeueOperations(store, { sendId: '7', txHash: null, executed: [] })).toBe(2);
    const { rows } = await store.query({
      text: 'select tries, item_refusals, burned_wei from evm_operations where operation_id = $1',
      values: [other!.operationId],
    });
    expect(rows).toEqual([{ tries: 1, item_refusals: 1, burned_wei: '5' }]);
  });

  it('end by time when their worker is gone, and what was postponed comes back', {
    tags: 'slow',
  }, async () => {
    await enqueue(randomUUID(), 3);
    const lost = await claimOperations(database.store, {
      chain,
      countMax: 1,
      gasMax: 10n ** 12n,
      claimMs: 0,
    });
    const { token, operations } = await claim(1);
    await postponeRefused(database.store, {
      token,
      operationIds: operations.map((operation) => operation.operationId),
      pauseMs: 0,
      counted: true,
    });
    expect((await claim(10)).operations.length).toBe(1);
    expect(await reviveHeld(database.store, chain)).toBe(2);
    const again = (await claim(10)).operations;
    expect(again.map((operation) => operation.operationId)).toEqual([
      lost.operations[0]!.operationId,
      operations[0]!.operationId,
    ]);
    expect(again.map((operation) => operation.refusals)).toEqual([0, 1]);
  });
});

describe('leases', { tags: 'slow' }, () => {
  const acquire = (owner: string, leaseMs = 60_000) =>
    acquireAccounts(database.store, { chain, addresses: [executor], owner, leaseMs, extraMax: 1 });
  beforeEach(() =>
    ensureAccounts(database.store, chain, [{ address: executor, role: 'executor' }]),
  );

  it('belong to one at a time, whoever asks, until released', async () => {
    const leases = (
      await Promise.all([acquire('a'), acquire('b'), acquire('a'), acquire('c')])
    ).flat();
    expect(leases.length).toBe(1);
    await releaseLease(database.store, leases[0]!);
    expect((await acquire('d')).map((lease) => lease.fence)).toEqual(['2']);
  });

  it('end by time, and who had them can neither renew, raise a nonce nor store a transaction', async () => {
    const [old] = await acquire('a', 0);
    const [next] = await acquire('b');
    expect(next!.fence).toBe('2');
    expect(await renewLeases(database.store, chain, [old!], 60_000)).toEqual(new Set());
    await expect(raiseNextNonce(database.store, old!, 5n)).rejects.toThrow(LeaseLostError);
    expect(await raiseNextNonce(database.store, next!, 5n)).toBe(5n);
    expect(await raiseNextNonce(database.store, next!, 3n)).toBe(5n);

    await enqueue(randomUUID(), 2);
    const { token, operations } = await claim(10);
    const input = {
      nonce: 5n,
      signed: { hash: '0xaa', raw: Buffer.of(1) },
      fees: { maxFeeWei: 2n, tipWei: 1n, legacy: false },
      reservedWei: 1n,
      token,
      operationIds: operations.map((operation) => operation.operationId),
      gasWeights: operations.map(() => 1n),
    } as const;
    expect(await storeBatch(database.store, { ...input, lease: old! })).toBeUndefined();
    expect(
      await storeBatch(database.store, { ...input, lease: next!, token: randomUUID() }),
    ).toBeUndefined();
    expect(await storeBatch(database.store, { ...input, lease: next!, nonce: 4n })).toBeUndefined();
    expect((await database.store.query({ text: 'select 1 from evm_sends' })).rowCount).toBe(0);
    expect(await storeBatch(database.store, { ...input, lease: next! })).toMatch(/^\d+$/);
    const { rows } = await database.store.query({
      text: 'select status, item_index from evm_operations order by item_index',
    });
    expect(rows).toEqual([
      { status: 'sent', item_index: 0 },
      { status: 'sent', item_index: 1 },
    ]);
  });
});
