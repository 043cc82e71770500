/** @module-tag slow */

import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  type Batch,
  expectMovedOnce,
  hexOf,
  hexSeeds,
  itOutlivesKills,
  killPoints,
  openWorkers,
} from '../../testing/kills/relay-kills.ts';
import { createOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import type { WorkerSetup } from '../testing/worker.ts';
import { newAddress, openWorld, type World } from '../testing/world.ts';

const leaseMs = 1_000;
let world: World;
const workers = openWorkers<WorkerSetup>('src/chains/aptos/testing/worker.ts', () => ({
  databaseUrl: world.database.url,
  rpcUrl: world.chain.url,
  feePayerSeeds: world.feePayerSeeds.map(hexOf),
  walletSeeds: hexSeeds(world.seeds),
  leaseMs,
}));
beforeAll(async () => {
  world = await openWorld();
  await createOutcomes(world.database.store);
});
afterAll(async () => {
  workers.kill();
  await world?.close();
});

const given = 60n;
const amounts = [1n, 1n, 1n, 1n, 1n, 58n];

/**
 * Five that go through and one that cannot by the time it is there: together they move more than
 * the wallet has.
 */
async function submitMixed(wallet = world.aWallet(given)): Promise<Batch> {
  const recipient = newAddress();
  const prepared = await Promise.all(
    amounts.map((amount) => world.prepareTransfer(wallet, amount, recipient)),
  );
  const ids: string[] = [];
  for (const one of prepared) ids.push(await world.submit(wallet, one));
  return { wallet, recipient, amounts, ids };
}

const expectOnce = async (batch: Batch) =>
  void (await expectMovedOnce(world, batch, { given, balanceOf: world.amountOf }));

describe('a worker killed in the middle', () => {
  itOutlivesKills(killPoints, {
    submit: () => submitMixed(),
    spawn: workers.spawn,
    startNext: () =>
      world.start({
        settleOperations: recordOutcomes,
        settings: { ...world.deps().settings, leaseMs },
      }),
    expectOnce,
  });

  it('two workers at once: each operation happens once', async () => {
    const wallets = [0, 1, 2].map(() => world.aWallet(given));
    const both = [workers.spawn(), workers.spawn()];
    const batches = await Promise.all(wallets.map((wallet) => submitMixed(wallet)));
    for (const batch of batches) await expectOnce(batch);
    for (const worker of both) worker.kill('SIGKILL');
  });
});
