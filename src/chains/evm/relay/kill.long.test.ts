import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { balanceOf, type TestWallet, transferCall } from '../../../../contracts/test/chain.ts';
import { type RelayTestChain, startRelayTestChain } from './testing/chain.ts';
import { readOutcomes } from './testing/relay.ts';
import {
  anItem,
  aWorld,
  countExecutions,
  someWallets,
  type World,
  waitForEnd,
  waitForStart,
} from './testing/world.ts';

const rounds = 25;

let chain: RelayTestChain;
let world: World;
let wallets: TestWallet[];
beforeAll(async () => {
  chain = await startRelayTestChain();
  wallets = await someWallets(chain, 5);
  world = await aWorld(chain, { executors: 3 });
});
afterAll(async () => {
  await world.close();
  await chain.stop();
});

async function enqueueSome(): Promise<void> {
  const items = await Promise.all(
    Array.from({ length: 12 }, (_, index) => anItem(world, wallets[index % wallets.length]!)),
  );
  const poor = await anItem(world, wallets[0]!, {
    calls: [transferCall(chain.token, world.recipient, 10n ** 15n)],
  });
  await world.enqueue([...items, poor]);
}

it('two workers killed at random moments while work keeps coming and blocks are replaced: every operation once or failed with a reason', async () => {
  const relay = { batchSizeMax: 5, inFlightMax: 3 };
  for (let round = 0; round < rounds; round++) {
    await enqueueSome();
    const workers = [world.spawnWorker({ relay }), world.spawnWorker({ relay })];
    await Promise.all(workers.map(waitForStart));
    await delay(Math.random() * 1_500);
    if (round % 5 === 4) await chain.call('anvil_reorg', [1 + Math.floor(Math.random() * 3), []]);
    await enqueueSome();
    await delay(Math.random() * 1_000);
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(waitForEnd));
  }
  const told = (await readOutcomes(world.database.store)).length;
  expect(told).toBeGreaterThan(world.items.length / 4);
  await world.start({ relay });
  const outcomes = await world.settled(120_000);
  await expect
    .poll(
      async () =>
        (
          await world.database.store.query({
            text: "select 1 from evm_sends where status = 'pending'",
          })
        ).rowCount,
      {
        timeout: 60_000,
      },
    )
    .toBe(0);
  const executions = await countExecutions(chain, world.items);
  let succeeded = 0n;
  for (const item of world.items) {
    const outcome = outcomes.get(item.operationId)!;
    const found = executions.get(item.operationHash)!;
    if (outcome.status === 'success') {
      succeeded++;
      expect(found).toEqual([outcome.onChain.txId]);
    } else {
      expect(outcome.error.reason).toBe('execution_reverted');
      expect(found.length).toBeLessThanOrEqual(1);
    }
  }
  expect(succeeded).toBe(BigInt(rounds * 24));
  expect(await balanceOf(chain, world.recipient)).toBe(succeeded);
  // Told again only where a reorganisation gave an operation another transaction.
  expect((await readOutcomes(world.database.store)).length).toBeLessThan(world.items.length * 1.2);
}, 900_000);
