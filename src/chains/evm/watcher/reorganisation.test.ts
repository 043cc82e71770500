/** @module-tag slow */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mineBlocks, reorganise, restoreSnapshot, takeSnapshot } from '../../../../devnet/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import {
  localNetwork,
  mintCall,
  planTestWallet,
  startWatchedChain,
  type TestWallet,
  tokenTransfer,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import {
  caughtUp,
  eventually,
  insertTestWallet,
  readActivity,
  readEventTypes,
  runTestWatcher,
} from '../../../../test/harness/watcher-world.ts';
import type { Running } from '../../family.ts';
import { watchChain, watcherStatus } from './index.ts';

const chainName = 'base-sepolia';
const networks = [localNetwork()];

let chain: WatchedChain;
let database: TestDatabase;
let running: Running;
let wallet: TestWallet & { id: string; projectId: string };

beforeEach(async () => {
  [chain, database] = await Promise.all([startWatchedChain(), startTestDatabase()]);
  const plan = planTestWallet();
  wallet = { ...plan, ...(await insertTestWallet(database.store, { address: plan.address })) };
  await watchChain(database.store, chainName);
  running = await runTestWatcher({ store: database.store, networks, rpc: () => chain.rpc });
});
afterEach(async () => {
  await running.stop();
  await database.close();
  await chain.stop();
});

const settled = async () => caughtUp(database.store, chainName, await chain.height());
const activity = async () =>
  (await readActivity(database.store, wallet.id)).map(
    (row) => `${row.direction} ${row.amount_minor} at ${row.height}`,
  );
const events = () => readEventTypes(database.store, wallet.projectId);
const eventuallyActivity = (expected: readonly string[]) =>
  eventually(activity, (found) => JSON.stringify(found) === JSON.stringify(expected));

describe('a reorganisation', () => {
  it('moves a transfer to its new block, and tells of it only once', async () => {
    await mineBlocks(chain.url, 3);
    const raw = await chain.sign(mintCall(wallet.address, 40n));
    await chain.sendRaw(raw);
    const height = await chain.height();
    await settled();
    expect(await activity()).toEqual([`in 40 at ${height}`]);
    await reorganise(chain.url, 3, [[raw, 0]]);
    await mineBlocks(chain.url, 1);
    await eventuallyActivity([`in 40 at ${height - 2n}`]);
    await settled();
    expect(await activity()).toEqual([`in 40 at ${height - 2n}`]);
    expect(await events()).toEqual(['wallets.transfer.in 40']);
  });

  it('takes back what is not included again, also when it is not longer than the old history', async () => {
    await mineBlocks(chain.url, 2);
    await chain.mint(wallet.address, 41n);
    await settled();
    expect(await activity()).toHaveLength(1);
    await reorganise(chain.url, 2);
    await eventuallyActivity([]);
    expect(await events()).toEqual(['wallets.transfer.in 41']);
    await chain.mint(wallet.address, 42n);
    await settled();
    expect(await activity()).toEqual([`in 42 at ${await chain.height()}`]);
    expect(await events()).toEqual(['wallets.transfer.in 41', 'wallets.transfer.in 42']);
  });

  it('may put an operation into another transaction: it is still the same transfer', async () => {
    await chain.mint(wallet.address, 100n);
    await chain.send({ to: wallet.address, value: 50n });
    const { call } = await chain.planBatch([
      {
        wallet,
        calls: [
          tokenTransfer('0x00000000000000000000000000000000000000ff', 7n),
          { to: '0x00000000000000000000000000000000000000ff', value: 8n },
        ],
      },
    ]);
    await settled();
    const snapshot = await takeSnapshot(chain.url);
    const first = await chain.send(call);
    await settled();
    const before = await readActivity(database.store, wallet.id);
    await restoreSnapshot(chain.url, snapshot);
    await mineBlocks(chain.url, 1);
    const second = await chain.send({ ...call, gas: 11_000_000n });
    await settled();
    const after = await eventually(
      () => readActivity(database.store, wallet.id),
      (rows) => rows.length === 4 && rows.every((row) => row.tx_id !== first),
    );
    expect(second).not.toBe(first);
    expect(after.map((row) => [row.seen_id, row.direction, row.amount_minor])).toEqual(
      before.map((row) => [row.seen_id, row.direction, row.amount_minor]),
    );
    expect(await events()).toEqual([
      'wallets.transfer.in 100',
      'wallets.transfer.in 50',
      'wallets.transfer.out 7',
      'wallets.transfer.out 8',
    ]);
  });

  it('to a shorter history, as a node that lost its last blocks has it, is noticed without any new block', async () => {
    await settled();
    const snapshot = await takeSnapshot(chain.url);
    await chain.mint(wallet.address, 43n);
    await mineBlocks(chain.url, 5);
    await settled();
    expect(await activity()).toHaveLength(1);
    await restoreSnapshot(chain.url, snapshot);
    await eventuallyActivity([]);
    await chain.mint(wallet.address, 43n);
    await settled();
    expect(await activity()).toEqual([`in 43 at ${await chain.height()}`]);
  });

  it('deeper than the hashes kept one by one goes back to an older one, and raises an alarm', async () => {
    await chain.mint(wallet.address, 1n);
    // A local node forks 128 blocks at most: the watcher is made to remember another history
    // instead.
    await mineBlocks(chain.url, 600);
    await chain.mint(wallet.address, 2n);
    await settled();
    expect(await activity()).toHaveLength(2);
    await running.stop();
    await database.store.query({
      text: `update evm_watched_blocks set hash = '0x' || repeat('ab', 32) where height > 300`,
    });
    running = await runTestWatcher({ store: database.store, networks, rpc: () => chain.rpc });
    const status = await eventually(
      async () => (await watcherStatus(database.store))[0],
      (found) => found?.alarm !== undefined,
    );
    expect(status!.alarm).toMatch(/reorganised from block 257 on/);
    await settled();
    expect(await activity()).toHaveLength(2);
    expect(await events()).toHaveLength(2);
  });
});

describe('a node that was replaced by another chain', () => {
  it('takes everything back, raises an alarm and is followed from its start', async () => {
    await chain.mint(wallet.address, 44n);
    await settled();
    expect(await activity()).toHaveLength(1);
    await running.stop();
    const other = await startWatchedChain();
    try {
      // Two local chains may begin with the same blocks; a real other chain shares none.
      await database.store.query({
        text: 'delete from evm_watched_blocks where height < (select max(height) from evm_watched_blocks)',
      });
      await mineBlocks(other.url, 40);
      await other.mint(wallet.address, 45n);
      running = await runTestWatcher({ store: database.store, networks, rpc: () => other.rpc });
      await eventuallyActivity([`in 45 at ${await other.height()}`]);
      const [status] = await watcherStatus(database.store);
      expect(status!.alarm).toMatch(/was replaced/);
    } finally {
      await running.stop();
      await other.stop();
    }
  });
});
