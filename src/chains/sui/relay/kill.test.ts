/** @module-tag slow */

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { newSuiAddress } from '../testing/bed.ts';
import type { WorkerSetup } from '../testing/worker.ts';
import { openWorld, type World } from '../testing/world.ts';

const leaseMs = 1_000;
let world: World;
const workers = openWorkers<WorkerSetup>('src/chains/sui/testing/worker.ts', () => ({
  databaseUrl: world.database.url,
  rpcUrl: world.chain.url,
  sponsorSeeds: world.sponsorSeeds.map(hexOf),
  walletSeeds: hexSeeds(world.seeds),
  leaseMs,
}));
beforeAll(async () => {
  world = await openWorld();
  await createOutcomes(world.database.store);
  // Coins for what is prepared before any worker of a test runs.
  const first = await world.start();
  await coins();
  await first.stop();
});
afterAll(async () => {
  workers.kill();
  await world?.close();
});

/** Processes of a busy machine start in many seconds. */
const waitMaxMs = 90_000;

/** As many as a test binds before its worker runs. */
const coins = () => world.until(async () => (await world.freeCoins()) >= 6, 'coins');

const given = 60n;
const amounts = [1n, 1n, 1n, 1n, 1n, 58n];

/**
 * Five that go through and one that cannot by the time it is there: together they move more than
 * the wallet has.
 */
async function submitMixed(wallet = world.aWallet(given)): Promise<Batch> {
  const recipient = newSuiAddress();
  const prepared = await Promise.all(
    amounts.map((amount) => world.prepareTransfer(wallet, amount, recipient)),
  );
  const ids: string[] = [];
  for (const one of prepared) ids.push(await world.submit(wallet, one));
  return { wallet, recipient, amounts, ids };
}

const expectOnce = async (batch: Batch) =>
  void (await expectMovedOnce(world, batch, { given, balanceOf: world.amountOf, waitMaxMs }));

describe('a worker killed in the middle', () => {
  itOutlivesKills(killPoints, {
    submit: () => submitMixed(),
    spawn: workers.spawn,
    startNext: () =>
      world.start({
        settleOperations: recordOutcomes,
        settings: { ...world.deps().settings, leaseMs },
      }),
    async expectOnce(batch) {
      await expectOnce(batch);
      await coins();
    },
  });

  it('two workers at once: no coin is of two operations, and each operation happens once', async () => {
    const wallets = [0, 1, 2].map(() => world.aWallet(given));
    const both = [workers.spawn(), workers.spawn()];
    // The operations need more coins than are ready, and whoever asks for one waits for seconds
    // only: for workers, not for their start.
    await Promise.all(both.map(({ stdout }) => once(stdout!, 'data')));
    const batches = await Promise.all(wallets.map((wallet) => submitMixed(wallet)));
    for (const batch of batches) await expectOnce(batch);
    for (const worker of both) worker.kill('SIGKILL');
    const { rows } = await world.database.store.query<{ coin: string }>({
      text: `select operation -> 'coin' ->> 'objectId' || ' ' || (operation -> 'coin' ->> 'version') as coin from operation_intents
        where status = 'settled' and tx_id is not null group by 1 having count(*) > 1`,
    });
    expect(rows).toEqual([]);
  });
});
