/** @module-tag slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArgs } from '../../../../test/harness/programs.ts';
import type { KillPoint } from '../../family/late/types.ts';
import type { FamilyWallet } from '../../family.ts';
import { createOutcomes, readOutcomes, recordOutcomes } from '../../testing/outcomes.ts';
import { ed25519Signer } from '../testing/smart.ts';
import type { WorkerSetup } from '../testing/worker.ts';
import { openWorld, type World } from '../testing/world.ts';

const leaseMs = 1_000;
const owner = ed25519Signer();
let world: World;
const children: ChildProcess[] = [];
beforeAll(async () => {
  world = await openWorld();
  await createOutcomes(world.database.store);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world?.close();
});

function spawnWorker(kill?: { readonly at: KillPoint; readonly count: number }): ChildProcess {
  const setup: WorkerSetup = {
    databaseUrl: world.database.url,
    rpcUrl: world.chain.node.url,
    channelSeeds: world.seeds.map((seed) => Buffer.from(seed).toString('hex')),
    leaseMs,
    ...(kill && { killAt: kill.at, killAtCount: kill.count }),
  };
  const script = programArgs('src/chains/stellar/testing/worker.ts');
  const child = spawn(process.execPath, [...script, JSON.stringify(setup)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

interface Batch {
  readonly wallet: FamilyWallet;
  readonly recipient: string;
  readonly ids: readonly string[];
}

const amounts = [1n, 1n, 1n, 1n, 58n];

/**
 * Four that go through and one that cannot by the time it is there: together they move more than
 * the wallet has, which is not deployed.
 */
async function submitMixed(): Promise<Batch> {
  const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 60n });
  const recipient = world.freshAddress();
  const ids: string[] = [];
  const prepared = await Promise.all(
    amounts.map((amount) => world.prepareTransfer(wallet, owner, { amount, to: recipient })),
  );
  for (const one of prepared) ids.push(await world.submit(wallet, one, [owner]));
  return { wallet, recipient, ids };
}

/** Every operation once or failed with a reason, told once, and the chain says the same. */
async function expectOnce({ wallet, recipient, ids }: Batch): Promise<void> {
  const told = async () =>
    (await readOutcomes(world.database.store)).filter(({ operationId }) =>
      ids.includes(operationId),
    );
  await world.until(async () => (await told()).length >= ids.length, 'outcomes of all', 60_000);
  const outcomes = await told();
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(outcomes.length);
  const moved = ids.map((id, index) => {
    const outcome = outcomes.find(({ operationId }) => operationId === id)!;
    if (outcome.status === 'failed') expect(outcome.error.message.length).toBeGreaterThan(10);
    return outcome.status === 'success' ? amounts[index]! : 0n;
  });
  const sum = moved.reduce<bigint>((total, amount) => total + amount, 0n);
  expect(sum).toBeGreaterThan(0n);
  expect([await world.balance(recipient), await world.balance(wallet.address)]).toEqual([
    sum,
    60n - sum,
  ]);
  const { rows } = await world.database.store.query<{ count: string }>({
    text: 'select count(*) from stellar_channels where operation_id = any($1::uuid[])',
    values: [ids],
  });
  expect(rows[0]!.count).toBe('0');
}

describe('a worker killed in the middle', () => {
  const points: readonly (readonly [KillPoint, number])[] = [
    ['before-signature', 1],
    ['before-store', 1],
    ['after-store', 1],
    ['after-broadcast', 2],
    ['after-inclusion', 1],
    ['before-confirmation', 1],
  ];
  it.each(points)(
    '%s: another worker takes over, and each operation happens once or fails with a reason',
    async (at, count) => {
      const batch = await submitMixed();
      const child = spawnWorker({ at, count });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      const next = await world.start({
        settleOperations: recordOutcomes,
        settings: { inFlightMax: 20, resendAfterMs: 500, leaseMs },
      });
      await expectOnce(batch);
      await next.stop();
    },
  );

  it('two workers at once: each operation happens once', async () => {
    const workers = [spawnWorker(), spawnWorker()];
    const batches = [await submitMixed(), await submitMixed()];
    for (const batch of batches) await expectOnce(batch);
    for (const worker of workers) worker.kill('SIGKILL');
  });
});
