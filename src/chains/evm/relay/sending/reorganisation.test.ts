import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { readOutcomes } from '../testing/relay.ts';
import {
  aFirstItem,
  anItem,
  aWorld,
  countExecutions,
  someAccounts,
  someWallets,
  type World,
} from '../testing/world.ts';

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function aChain(stateFile?: string, port?: number): Promise<RelayTestChain> {
  const chain = await startRelayTestChain({ stateFile, port });
  ending.push(() => chain.stop());
  return chain;
}

async function aRelayWorld(chain: RelayTestChain): Promise<World> {
  const world = await aWorld(chain);
  ending.push(() => world.close());
  return world;
}

/** The chain has every operation once, in the transaction that was told. */
async function expectOnChain(world: World, chain: RelayTestChain): Promise<void> {
  const outcomes = await world.settled();
  const executions = await countExecutions(chain, world.items);
  for (const item of world.items) {
    expect(outcomes.get(item.operationId)!.status).toBe('success');
    expect(executions.get(item.operationHash)).toEqual([
      outcomes.get(item.operationId)!.onChain.txId,
    ]);
  }
}

/** Waits until the chain has the operations (again). */
async function waitForExecutions(world: World, chain: RelayTestChain): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const executions = await countExecutions(chain, world.items);
    if ([...executions.values()].every((found) => found.length === 1)) return;
    await delay(50);
  }
  throw new Error('The operations did not come back to the chain.');
}

/**
 * How many sends the relay takes for mined in a block that the chain does not have, or for not
 * mined.
 */
async function countUnknownBlocks(world: World, chain: RelayTestChain): Promise<number> {
  const { rows } = await world.database.store.query<{ hash: string | null }>({
    text: 'select mined_block_hash as hash from evm_sends order by nonce',
  });
  const blocks = await Promise.all(
    rows.map(({ hash }) => hash && chain.call('eth_getBlockByHash', [hash, false])),
  );
  return blocks.filter((block) => !block).length;
}

describe('a chain that forgets', () => {
  it('blocks replaced by a reorganisation: the same bytes are sent again, and nothing is told twice', async () => {
    const chain = await aChain();
    const world = await aRelayWorld(chain);
    const [[wallet], [account]] = [await someWallets(chain, 1), await someAccounts(chain, 1)];
    await world.start({ relay: { batchSizeMax: 4 } });
    const items = Array.from({ length: 6 }, () => [
      anItem(world, wallet!),
      aFirstItem(world, account!),
    ]).flat();
    await world.enqueue(await Promise.all(items));
    await world.settled();
    await chain.call('anvil_reorg', [3, []]);
    expect(
      [...(await countExecutions(chain, world.items)).values()].some((found) => found.length === 0),
    ).toBe(true);
    await waitForExecutions(world, chain);
    await expectOnChain(world, chain);
    expect((await readOutcomes(world.database.store)).length).toBe(12);
  });

  it('a local node killed with the loss of its last second: it heals by itself while the relay runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'purser-relay-test-'));
    ending.push(() => rm(folder, { recursive: true, force: true }));
    const chain = await aChain(join(folder, 'now', 'chain'));
    const world = await aRelayWorld(chain);
    const wallets = await someWallets(chain, 2);
    await chain.anvil.save();
    await cp(join(folder, 'now'), join(folder, 'before'), { recursive: true });
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => anItem(world, wallets[index % 2]!)),
      ),
    );
    await world.start({ relay: { batchSizeMax: 3 } });
    await world.settled();
    process.kill(chain.anvil.pid, 'SIGKILL');
    await chain.anvil.ended;
    const again = await aChain(join(folder, 'before', 'chain'), chain.anvil.port);
    for (const executor of world.executors) await again.setBalance(executor, 10n ** 20n);
    await waitForExecutions(world, again);
    await expectOnChain(world, again);
    // A node that mines the same transactions in the same seconds makes the same blocks again: what
    // counts is that it has them.
    await expect.poll(() => countUnknownBlocks(world, again), { timeout: 20_000 }).toBe(0);
    expect((await readOutcomes(world.database.store)).length).toBe(10);
    await world.enqueue([await anItem(world, (await someWallets(again, 1))[0]!)]);
    await expectOnChain(world, again);
  });

  it('forgotten while no relay ran, and even what counted as final: the next relay sends it again', async () => {
    const chain = await aChain();
    const world = await aRelayWorld(chain);
    const wallets = await someWallets(chain, 2);
    const snapshot = await chain.call('evm_snapshot');
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 9 }, (_, index) => anItem(world, wallets[index % 2]!)),
      ),
    );
    const relay = await world.start({ relay: { batchSizeMax: 3 } });
    await world.settled();
    await relay.stop();
    await world.database.store.query({ text: "update evm_sends set status = 'final'" });
    await chain.call('evm_revert', [snapshot]);
    for (const executor of world.executors) await chain.setBalance(executor, 10n ** 20n);
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({ relay: { batchSizeMax: 3 } });
    await waitForExecutions(world, chain);
    await expectOnChain(world, chain);
    expect((await readOutcomes(world.database.store)).length).toBe(10);
  });
});
