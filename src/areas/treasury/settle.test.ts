import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { insertTestWallet } from '../../../test/harness/watcher-world.ts';
import { createEvmFamily } from '../../chains/evm/index.ts';
import type { OperationError, OperationResult, SeenOperation } from '../../chains/family.ts';
import { createChains } from '../../chains/registry.ts';
import type { Ctx } from '../../context.ts';
import { createManualClock } from '../../lib/clock.ts';
import {
  finalizeTreasuryTransfers,
  recordTreasuryOperations,
  resumeLostTransfers,
  retractTreasuryTransfers,
  selectTransfersOfSubject,
  selectTreasuryTransfer,
  settleTreasuryTransfers,
  type TreasuryChange,
} from './index.ts';
import { insertTransfer } from './store.ts';

const chain = 'base-sepolia';
const base = { clock: createManualClock(), log: pino({ level: 'silent' }) };
const revert: OperationError = { reason: 'execution_reverted', message: 'It reverted.' };
const neverSent: OperationError = {
  reason: 'failed_to_land_on_chain',
  message: 'It never landed.',
};

let database: TestDatabase;
let ctx: typeof base & Pick<Ctx, 'chains'>;
let wallet: { id: string; projectId: string };
let id: string;
let changes: TreasuryChange[];

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = {
    ...base,
    chains: createChains([
      createEvmFamily({ ...base, config: testConfig(), store: database.store }),
    ]),
  };
  wallet = await insertTestWallet(database.store, {
    address: '0x00000000000000000000000000000000000000a1',
    purpose: 'treasury',
  });
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.store.query({ text: 'truncate treasury_transfers' });
  id = await aTransfer();
  changes = [];
});

async function aTransfer(): Promise<string> {
  const transferId = randomUUID();
  const transfer = {
    id: transferId,
    projectId: wallet.projectId,
    walletId: wallet.id,
    subject: 'order:1',
    chain,
    token: {
      chain,
      locator: `${chain}:usdc`,
      address: '0x00000000000000000000000000000000000000c1',
      symbol: 'usdc',
      decimals: 6,
    },
    amountMinor: 10n ** 30n,
    recipient: '0x00000000000000000000000000000000000000b1',
    collectible: false,
    status: 'pending',
    createdAt: ctx.clock.now(),
  } as const;
  await insertTransfer(database.store, transfer, { of: transferId });
  return transferId;
}

const listen = async (told: readonly TreasuryChange[]) => void changes.push(...told);
const at = new Date('2026-02-01T00:00:00Z');
type End = { status: 'success' } | { status: 'failed'; error: OperationError };
const settle = (end: End, txId = '0xaa', executed = true) =>
  database.store.transaction((tx) => {
    const ran = executed ? { executed: true as const, costMinor: 7n } : { costMinor: 0n };
    const outcome: OperationResult = { operationId: id, onChain: { txId }, at, ...ran, ...end };
    return settleTreasuryTransfers(
      ctx,
      tx,
      [outcome, { ...outcome, operationId: randomUUID() }],
      listen,
    );
  });
const see = (height: bigint, succeeded = true, txId = '0xaa', on = chain) =>
  database.store.transaction((tx) => {
    const seen: SeenOperation = { operationId: id, chain: on, txId, succeeded, height, at };
    return recordTreasuryOperations(
      ctx,
      tx,
      [seen, { ...seen, operationId: randomUUID() }],
      listen,
    );
  });
const finalize = (height: bigint, on = chain) =>
  database.store.transaction((tx) => finalizeTreasuryTransfers(ctx, tx, on, height, listen));
const retract = (from: bigint, on = chain) =>
  database.store.transaction((tx) => retractTreasuryTransfers(ctx, tx, on, from, listen));

const transfer = async () => (await selectTreasuryTransfer(database.store, id))!;
const status = async () => (await transfer()).status;
const told = () => changes.map(({ change }) => change);

describe('a transfer of a treasury', () => {
  it('is not over by what has its id on another chain: it would be sent once more', async () => {
    await see(5n, false, '0xbb', 'another-chain');
    await finalize(6n);
    expect([await status(), changes]).toEqual(['pending', []]);
  });

  it('goes from pending to success with the relay’s word, and to final with the chain’s, each told once', async () => {
    await settle({ status: 'success' });
    await settle({ status: 'success' });
    await see(5n);
    await see(5n);
    await finalize(4n);
    expect(await status()).toBe('success');
    await finalize(5n, 'another-chain');
    await finalize(5n);
    await finalize(6n);
    expect(changes).toEqual([
      {
        transferId: id,
        projectId: wallet.projectId,
        subject: 'order:1',
        change: 'success',
        txId: '0xaa',
        costMinor: 7n,
        at,
      },
      {
        transferId: id,
        projectId: wallet.projectId,
        subject: 'order:1',
        change: 'final',
        txId: '0xaa',
        costMinor: 7n,
        at: ctx.clock.now(),
      },
    ]);
    expect(await transfer()).toMatchObject({
      status: 'final',
      height: 5n,
      executed: true,
      amountMinor: 10n ** 30n,
      settledAt: at,
    });
    expect(await selectTransfersOfSubject(database.store, 'order:1')).toEqual([await transfer()]);
  });

  it('is a success with the watcher’s word alone; what the relay adds later is its cost', async () => {
    await see(5n);
    expect(changes).toMatchObject([{ change: 'success', txId: '0xaa' }]);
    expect(changes[0]!.costMinor).toBeUndefined();
    await settle({ status: 'success' });
    expect(told()).toEqual(['success']);
    expect((await transfer()).costMinor).toBe(7n);
  });

  it('is not final by what the relay says alone', async () => {
    await settle({ status: 'success' });
    await finalize(1_000n);
    expect(await status()).toBe('success');
  });

  it('that no block has has failed at once, whatever transactions were to carry it', async () => {
    await settle({ status: 'failed', error: neverSent }, '0xaa', false);
    expect(changes).toMatchObject([{ change: 'failed', error: neverSent, costMinor: 0n }]);
  });

  it('that a block had which nobody read and which went has failed, once it can run no more', async () => {
    await settle({ status: 'success' });
    await settle({ status: 'failed', error: neverSent }, '0xaa', false);
    await settle({ status: 'failed', error: neverSent }, '0xaa', false);
    expect([await status(), told()]).toEqual(['failed', ['success', 'failed']]);
  });

  it('that reverted has failed once its block is final: before, a reorganisation could still let it through', async () => {
    await settle({ status: 'failed', error: revert });
    await see(5n, false);
    expect([await status(), told()]).toEqual(['pending', []]);
    await finalize(5n);
    expect(changes).toMatchObject([
      { change: 'failed', error: revert, txId: '0xaa', costMinor: 7n },
    ]);
    expect(await status()).toBe('failed');
  });

  it('that reverted and went through after a reorganisation was never told to have failed', async () => {
    await settle({ status: 'failed', error: revert });
    await see(5n, false);
    await retract(5n);
    await see(6n, true, '0xbb');
    await settle({ status: 'success' }, '0xbb');
    await finalize(6n);
    expect(told()).toEqual(['success', 'final']);
    expect(await transfer()).toMatchObject({ status: 'final', txId: '0xbb' });
    expect(await transfer()).not.toHaveProperty('error');
  });

  it('is pending again when a reorganisation takes its block, also after it was final', async () => {
    await see(5n);
    await retract(6n);
    await retract(5n, 'another-chain');
    expect(await status()).toBe('success');
    await retract(5n);
    expect(await status()).toBe('pending');
    expect(await transfer()).not.toHaveProperty('height');
    await finalize(9n);
    expect(await status()).toBe('pending');
    await see(7n);
    await finalize(9n);
    await retract(3n);
    await see(4n);
    expect(told()).toEqual([
      'success',
      'reverted-to-pending',
      'success',
      'final',
      'reverted-to-pending',
      'success',
    ]);
    expect(await transfer()).not.toHaveProperty('finalAt');
  });

  it('that the relay thought to have succeeded and the chain refused is pending, then failed', async () => {
    await settle({ status: 'success' });
    await see(5n, false);
    await settle({ status: 'success' });
    expect(await status()).toBe('pending');
    await finalize(5n);
    expect(told()).toEqual(['success', 'reverted-to-pending', 'failed']);
    expect(changes.at(-1)!.error).toMatchObject({ reason: 'execution_reverted' });
  });

  it('does not believe the relay’s news of a block that is gone', async () => {
    await see(5n);
    await settle({ status: 'failed', error: revert });
    expect(await transfer()).toMatchObject({ status: 'success', costMinor: 7n });
    expect(await transfer()).not.toHaveProperty('error');
    expect(told()).toEqual(['success']);
  });

  it('that failed for good and went through against every rule says so', async () => {
    await settle({ status: 'failed', error: neverSent }, '0xaa', false);
    await see(5n);
    expect(told()).toEqual(['failed', 'success']);
    const other = await aTransfer();
    id = other;
    await see(6n, false);
    await finalize(6n);
    await retract(6n);
    const ofOther = changes
      .filter(({ transferId }) => transferId === other)
      .map(({ change }) => change);
    expect(ofOther).toEqual(['failed', 'reverted-to-pending']);
  });

  it('that failed for good has a successor: a reorganisation that undoes its failure does not send it again', async () => {
    const pending = await aTransfer();
    for (const operationId of [id, pending])
      await database.store.query({
        text: `insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, status)
          values ($1::uuid, $2, $3, 'hash', '0xa1', now() + interval '1 day', 1, 1, '', 'settled')`,
        values: [operationId, wallet.projectId, chain],
      });
    await see(5n, false);
    await finalize(5n);
    id = pending;
    await see(6n, false);
    await retract(5n);
    const { rows } = await database.store.query<{ operation_id: string }>({
      text: 'select operation_id from evm_operations where withheld and operation_id = any($1)',
      values: [[changes[0]!.transferId, pending]],
    });
    expect(rows.map((row) => row.operation_id)).toEqual([changes[0]!.transferId]);
  });

  it('that a node said to have run, and that no block has an hour later, is taken up again', async () => {
    const seen = await aTransfer();
    for (const [operationId, hash] of [
      [id, '0xaa'],
      [seen, '0xbb'],
    ])
      await database.store.query({
        text: `with send as (insert into evm_sends (chain, account, nonce, kind, status, reserved_wei, mined_block) values ($3, $4, 0, 'batch', 'final', 0, 5) returning id),
            attempt as (insert into evm_attempts (hash, send_id, filler, raw, max_fee_wei, tip_wei) select $4, id, false, '', 0, 0 from send)
          insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, status, send_id, told_status, told_tx, settled_at)
          select $1::uuid, $2::uuid, $3, $4, '0xa1', now(), 1, 1, '', 'settled', id, 'success', $4, now() - interval '2 hours' from send`,
        values: [operationId, wallet.projectId, chain, hash],
      });
    await settle({ status: 'success' });
    const resume = () => resumeLostTransfers({ ...ctx, store: database.store });
    expect(await resume()).toBe(0);
    ctx.clock.advance(3_600_001);
    id = seen;
    await see(5n);
    const isRead = (next: number, failure: string | null) =>
      database.store.query({
        text: `insert into evm_watched_chains (chain, next_height, failure) values ($1, $2, $3)
          on conflict (chain) do update set next_height = excluded.next_height, failure = excluded.failure`,
        values: [chain, next, failure],
      });
    await isRead(5, null);
    expect(await resume()).toBe(0);
    await isRead(6, 'the node is away');
    expect(await resume()).toBe(0);
    await isRead(6, null);
    expect([await resume(), await resume()]).toEqual([1, 0]);
    const { rows } = await database.store.query<{ told_tx: string }>({
      text: "select told_tx from evm_operations where status = 'queued'",
    });
    expect(rows).toEqual([{ told_tx: '0xaa' }]);
  });
});
