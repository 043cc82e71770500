import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, transferCall } from '../../../../contracts/test/chain.ts';
import { itOutlivesKills } from '../../testing/kills/relay-kills.ts';
import { type RelayTestChain, startRelayTestChain } from './testing/chain.ts';
import { readOutcomes } from './testing/relay.ts';
import {
  aFirstItem,
  anItem,
  aWorld,
  countExecutions,
  hasEnded,
  someAccounts,
  someWallets,
  type World,
  waitForEnd,
} from './testing/world.ts';
import type { KillPoint } from './types.ts';

let chain: RelayTestChain;
let world: World;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain.stop());
afterEach(() => world.close());

/** Every operation once or failed with a reason, told once, as the chain has it. */
async function expectOnce(): Promise<void> {
  const outcomes = await world.settled();
  const executions = await countExecutions(chain, world.items);
  let succeeded = 0n;
  for (const item of world.items) {
    const outcome = outcomes.get(item.operationId)!;
    if (outcome.status === 'success') {
      succeeded++;
      expect(executions.get(item.operationHash)).toEqual([outcome.onChain.txId]);
    } else {
      expect(outcome.error.message.length).toBeGreaterThan(10);
      expect(executions.get(item.operationHash)!.length).toBeLessThanOrEqual(1);
    }
  }
  expect(await balanceOf(chain, world.recipient)).toBe(succeeded);
  expect((await readOutcomes(world.database.store)).length).toBe(world.items.length);
}

/** Of smart wallets, and of accounts that run our code only once a transaction has brought that. */
async function enqueueMixed(count: number): Promise<void> {
  const [wallets, accounts] = [await someWallets(chain, 3), await someAccounts(chain, 2)];
  const anyItem = (index: number) =>
    index % 2 === 0
      ? anItem(world, wallets[index % 3]!)
      : aFirstItem(world, accounts[index % 4 === 1 ? 0 : 1]!);
  const good = await Promise.all(Array.from({ length: count }, (_, index) => anyItem(index)));
  const poor = await anItem(world, wallets[0]!, {
    calls: [transferCall(chain.token, world.recipient, 10n ** 15n)],
  });
  await world.enqueue([...good.slice(0, 3), poor, ...good.slice(3)]);
}

describe('a worker killed in the middle', () => {
  const points: readonly (readonly [KillPoint, number])[] = [
    ['before-store', 1],
    ['after-store', 1],
    ['after-broadcast', 2],
    ['after-inclusion', 1],
    ['before-confirmation', 1],
  ];
  itOutlivesKills(points, {
    async submit() {
      world = await aWorld(chain);
      await enqueueMixed(15);
    },
    spawn: (kill) => world.spawnWorker({ relay: { batchSizeMax: 4 } }, kill),
    startNext: () => world.start({ relay: { batchSizeMax: 4 } }),
    expectOnce,
  });

  it('two workers at once, killed again and again at every point: each operation happens once or fails with a reason', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    world = await aWorld(chain, { executors: 3 });
    await enqueueMixed(60);
    const relay = { batchSizeMax: 5, inFlightMax: 2 };
    const kills = points.map(([at], index) => ({ at, count: 1 + (index % 3) }));
    let deaths = 0;
    for (let index = 0; index < kills.length; index += 2) {
      const pair = kills.slice(index, index + 2).map((kill) => world.spawnWorker({ relay }, kill));
      // A worker that finds nothing left to pass its point with lives on.
      await Promise.race([
        Promise.all(pair.map(waitForEnd)),
        world.settled().then(() => undefined),
      ]);
      deaths += pair.filter(hasEnded).length;
    }
    expect(deaths).toBeGreaterThan(0);
    await world.start({ relay });
    await expectOnce();
  });
});
