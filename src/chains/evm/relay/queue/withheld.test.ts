/** @module-tag slow */

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readHeight } from '../../../../../devnet/index.ts';
import type { Tx } from '../../../../store/types.ts';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { startFaultProxy } from '../testing/fault-proxy.ts';
import { anItem, aWorld, countExecutions, someWallets, type World } from '../testing/world.ts';
import type { RelayItem } from '../types.ts';
import { releaseWithheld, withholdOperations } from './withheld.ts';

let chain: RelayTestChain;
let world: World;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain?.stop());
beforeEach(async () => {
  world = await aWorld(chain);
});
afterEach(() => world.close());

const within = (work: (tx: Tx) => Promise<void>) => world.database.store.transaction(work);

async function runsOf(items: readonly RelayItem[]): Promise<number[]> {
  const executions = await countExecutions(chain, items);
  return items.map((item) => executions.get(item.operationHash)!.length);
}

/** Waits until the chain has executed each so often. */
async function untilRuns(items: readonly RelayItem[], runs: readonly number[]): Promise<void> {
  await expect.poll(() => runsOf(items), { timeout: 20_000 }).toEqual(runs);
}

/** Where the relay has an operation. */
async function placeOf(item: RelayItem): Promise<string> {
  const { rows } = await world.database.store.query<{ status: string; withheld: boolean }>({
    text: 'select status, withheld from evm_operations where operation_id = $1',
    values: [item.operationId],
  });
  return `${rows[0]!.status}${rows[0]!.withheld ? ' withheld' : ''}`;
}

it('what is withheld is not sent again after a reorganisation; what shared its transaction is, and once released it runs once', async () => {
  const wallets = await someWallets(chain, 2);
  const items = await Promise.all([0, 1, 0, 1].map((index) => anItem(world, wallets[index]!)));
  const before = await readHeight(chain.url);
  await world.enqueue(items);
  await world.start({ relay: { batchSizeMax: 4 } });
  await world.settled();
  const [kept, ...others] = items as [RelayItem, ...RelayItem[]];
  await within((tx) => withholdOperations(tx, [kept.operationId]));
  await chain.call('anvil_reorg', [(await readHeight(chain.url)) - before, []]);
  await untilRuns(items, [0, 1, 1, 1]);
  // The no-op is there for good: nothing that was signed before can carry the operation any more.
  await expect.poll(() => placeOf(kept), { timeout: 20_000 }).toBe('held withheld');
  // Later work goes past it.
  const later = await anItem(world, wallets[0]!);
  await world.enqueue([later]);
  await untilRuns([kept, ...others, later], [0, 1, 1, 1, 1]);
  await within((tx) => releaseWithheld(tx, [kept.operationId]));
  await untilRuns([kept, ...others, later], [1, 1, 1, 1, 1]);
}, 60_000);

it('what waits in the queue is not taken from it, and nor is what was claimed', async () => {
  const [wallet] = await someWallets(chain, 1);
  const items = [
    await anItem(world, wallet!),
    await anItem(world, wallet!),
    await anItem(world, wallet!),
  ] as const;
  await world.enqueue(items);
  await world.database.store.query({
    text: "update evm_operations set status = 'held', claim_token = gen_random_uuid(), run_at = now() where operation_id = $1",
    values: [items[1].operationId],
  });
  await within((tx) => withholdOperations(tx, [items[0].operationId, items[1].operationId]));
  await world.start();
  await untilRuns(items, [0, 0, 1]);
  const later = await anItem(world, wallet!);
  await world.enqueue([later]);
  await untilRuns([...items, later], [0, 0, 1, 1]);
  expect([await placeOf(items[0]), await placeOf(items[1])]).toEqual([
    'held withheld',
    'held withheld',
  ]);
  await within((tx) => releaseWithheld(tx, [items[0].operationId, items[1].operationId]));
  await untilRuns(items, [1, 1, 1]);
}, 60_000);

it('what a reorganisation took is not sent again before the watcher has seen it too: whoever hears of it there may withhold it', async () => {
  const [wallet] = await someWallets(chain, 1);
  const item = await anItem(world, wallet!);
  const before = await readHeight(chain.url);
  let looks = 0;
  const proxy = await startFaultProxy(chain.url);
  await world.enqueue([item]);
  const relay = await world.start({ rpcUrl: proxy.url });
  await world.settled();
  const height = await readHeight(chain.url);
  const { hash } = (await chain.call('eth_getBlockByNumber', [
    `0x${height.toString(16)}`,
    false,
  ])) as { hash: string };
  await world.database.store.query({
    text: 'insert into evm_watched_blocks (chain, height, hash) values ($1, $2, $3)',
    values: [item.chain, height, hash],
  });
  proxy.rule = (methods, body) => {
    if (methods.includes('eth_getBlockByNumber') && body.includes(`"0x${height.toString(16)}"`))
      looks++;
    return 'pass';
  };
  await chain.call('anvil_reorg', [height - before, []]);
  await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(await runsOf([item])).toEqual([0]);
  await within(async (tx) => {
    await withholdOperations(tx, [item.operationId]);
    await tx.query({ text: 'delete from evm_watched_blocks' });
  });
  await expect.poll(() => placeOf(item), { timeout: 20_000 }).toBe('held withheld');
  expect(await runsOf([item])).toEqual([0]);
  await relay.stop();
  await proxy.close();
}, 60_000);
