import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestWallet } from '../../../../contracts/test/chain.ts';
import { balanceOf } from '../../../../contracts/test/chain.ts';
import { type RelayTestChain, startRelayTestChain } from './testing/chain.ts';
import { type Fault, type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts';
import { readOutcomes } from './testing/relay.ts';
import { anItem, aWorld, countExecutions, someWallets, type World } from './testing/world.ts';

let chain: RelayTestChain;
let proxy: FaultProxy;
let world: World;
let wallets: TestWallet[];
beforeAll(async () => {
  chain = await startRelayTestChain();
  proxy = await startFaultProxy(chain.url);
  wallets = await someWallets(chain, 3);
});
afterAll(async () => {
  await proxy.close();
  await chain.stop();
});
afterEach(async () => {
  proxy.rule = () => 'pass';
  await world.close();
});

async function runThrough(
  count: number,
  rule: FaultProxy['rule'],
  rpcTimeoutMs = 700,
): Promise<void> {
  world = await aWorld(chain);
  proxy.rule = rule;
  await world.enqueue(
    await Promise.all(
      Array.from({ length: count }, (_, index) => anItem(world, wallets[index % wallets.length]!)),
    ),
  );
  await world.start({ rpcUrl: proxy.url, rpcTimeoutMs, relay: { batchSizeMax: 5 } });
  const outcomes = await world.settled();
  const executions = await countExecutions(chain, world.items);
  for (const item of world.items) {
    expect(outcomes.get(item.operationId)!.status).toBe('success');
    expect(executions.get(item.operationHash)).toEqual([
      outcomes.get(item.operationId)!.onChain.txId,
    ]);
  }
  expect(await balanceOf(chain, world.recipient)).toBe(BigInt(count));
  expect((await readOutcomes(world.database.store)).length).toBe(count);
}

const sends = (methods: readonly string[]) => methods.includes('eth_sendRawTransaction');

describe('a node that fails', () => {
  const faults: readonly Fault[] = ['lose-answer', 'lose-request', 'hang', 'http-500', 'rpc-error'];
  for (const fault of faults) {
    it(`${fault} at every first broadcast: each operation happens once`, {
      tags: 'slow',
    }, async () => {
      const seen = new Set<string>();
      await runThrough(10, (methods, body) => {
        if (!sends(methods) || seen.has(body)) return 'pass';
        seen.add(body);
        return fault;
      });
    });
  }

  it('any call failing in any way every third time: each operation happens once, none is told as failed', async () => {
    const kinds: readonly Fault[] = ['lose-answer', 'rpc-error', 'http-500', 'hang'];
    let calls = 0;
    await runThrough(15, () => (++calls % 3 === 0 ? kinds[(calls / 3) % kinds.length]! : 'pass'));
  }, 90_000);

  it('an operation that breaks the simulation of its batch is found by bisecting, and the others go on', async () => {
    world = await aWorld(chain);
    const items = await Promise.all(
      Array.from({ length: 8 }, (_, index) => anItem(world, wallets[index % wallets.length]!)),
    );
    const poison = items[5]!;
    const mark = poison.signature.slice(-60);
    let broken = true;
    proxy.rule = (methods, body) =>
      broken && methods.includes('eth_call') && body.includes(mark) ? 'rpc-error' : 'pass';
    await world.enqueue(
      items
        .filter((item) => item !== poison)
        .slice(0, 7)
        .concat(),
    );
    await world.enqueue([poison]);
    await world.start({ rpcUrl: proxy.url, relay: { batchSizeMax: 8 } });
    await expect
      .poll(async () => (await readOutcomes(world.database.store)).length, { timeout: 20_000 })
      .toBe(7);
    // What nobody could judge is not told as failed: it runs once the node answers again.
    broken = false;
    expect((await world.settled()).get(poison.operationId)!.status).toBe('success');
  });
});
