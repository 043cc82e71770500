/** @module-tag slow */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Batch,
  expectMovedOnce,
  hexOf,
  itOutlivesKills,
  killPoints,
  openWorkers,
} from '../../testing/kills/relay-kills.ts';
import { createOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import { ed25519Signer } from '../testing/smart.ts';
import type { WorkerSetup } from '../testing/worker.ts';
import { openWorld, type World } from '../testing/world.ts';

const leaseMs = 1_000;
const owner = ed25519Signer();
let world: World;
const workers = openWorkers<WorkerSetup>('src/chains/stellar/testing/worker.ts', () => ({
  databaseUrl: world.database.url,
  rpcUrl: world.chain.node.url,
  channelSeeds: world.seeds.map(hexOf),
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
const amounts = [1n, 1n, 1n, 1n, 58n];

/**
 * Four that go through and one that cannot by the time it is there: together they move more than
 * the wallet has, which is not deployed.
 */
async function submitMixed(): Promise<Batch> {
  const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: given });
  const recipient = world.freshAddress();
  const ids: string[] = [];
  const prepared = await Promise.all(
    amounts.map((amount) => world.prepareTransfer(wallet, owner, { amount, to: recipient })),
  );
  for (const one of prepared) ids.push(await world.submit(wallet, one, [owner]));
  return { wallet, recipient, amounts, ids };
}

async function expectOnce(batch: Batch): Promise<void> {
  await expectMovedOnce(world, batch, { given, balanceOf: world.balance, waitMaxMs: 60_000 });
  const { rows } = await world.database.store.query<{ count: string }>({
    text: 'select count(*) from stellar_channels where operation_id = any($1::uuid[])',
    values: [batch.ids],
  });
  expect(rows[0]!.count).toBe('0');
}

describe('a worker killed in the middle', () => {
  itOutlivesKills(killPoints, {
    submit: submitMixed,
    spawn: workers.spawn,
    startNext: () =>
      world.start({
        settleOperations: recordOutcomes,
        settings: { inFlightMax: 20, resendAfterMs: 500, leaseMs },
      }),
    expectOnce,
  });

  it('two workers at once: each operation happens once', async () => {
    const both = [workers.spawn(), workers.spawn()];
    const batches = [await submitMixed(), await submitMixed()];
    for (const batch of batches) await expectOnce(batch);
    for (const worker of both) worker.kill('SIGKILL');
  });
});
