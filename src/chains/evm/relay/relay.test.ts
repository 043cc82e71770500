import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../../../contracts/test/chain.ts';
import { startRelayTestChain, type RelayTestChain } from './testing/chain.ts';
import { readOutcomes } from './testing/relay.ts';
import { anItem, aWorld, countExecutions, someWallets, type World } from './testing/world.ts';

let chain: RelayTestChain;
let world: World;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain.stop());
afterEach(() => world.close());

describe('relay', () => {
  it('executes operations of many wallets in few transactions and tells each outcome once', async () => {
    world = await aWorld(chain);
    const wallets = [...(await someWallets(chain, 3)), ...(await someWallets(chain, 2, false))];
    await world.enqueue(await Promise.all(Array.from({ length: 30 }, (_, index) => anItem(world, wallets[index % wallets.length]!))));
    await world.start({ logLevel: 'debug' });
    const outcomes = await world.settled();
    const executions = await countExecutions(chain, world.items);
    for (const item of world.items) {
      const outcome = outcomes.get(item.operationId)!;
      expect(outcome.status).toBe('success');
      expect(executions.get(item.operationHash)).toEqual([outcome.onChain.txId]);
    }
    expect(await balanceOf(chain, world.recipient)).toBe(30n);
    expect((await readOutcomes(world.database.store)).length).toBe(30);
    expect(new Set([...outcomes.values()].map((outcome) => outcome.onChain.txId)).size).toBeLessThanOrEqual(3);
  });
});
