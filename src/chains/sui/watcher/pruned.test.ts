import { afterAll, beforeAll, expect, it } from 'vitest';
import { followerStatus } from '../../family/following/index.ts';
import { suiCoinType } from '../config/networks.ts';
import { type Bed, newSuiAddress, startBed } from '../testing/bed.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await startBed({}, { historyMax: 40 });
});
afterAll(() => bed?.close());

const happen = (times: number) => {
  for (let time = 0; time < times; time++) bed.give(newSuiAddress(), suiCoinType, 1n);
};

it('a node that has pruned what was not read yet is an alarm, and nothing is skipped', async () => {
  const status = async () => (await followerStatus(bed.store, 'sui'))[0]!;
  const nextHeight = async () =>
    (
      await bed.store.query<{ next: string }>({
        text: 'select next_height as next from followed_chains',
      })
    ).rows[0]!.next;
  await bed.connections.connect('sui');
  const first = await bed.watch({ leaseMs: 600 });
  await expect
    .poll(async () => [(await status()).followed, (await status()).lagBlocks, await nextHeight()])
    .toEqual([true, 0n, expect.any(String)]);
  await first.stop();
  const next = await nextHeight();
  happen(100);
  const second = await bed.watch({ leaseMs: 600 });
  await expect
    .poll(async () => (await status()).failure)
    .toMatch(/does not have checkpoint \d+ any more: name one in SUI_RPC_URL/);
  expect([await nextHeight(), (await status()).failingSince]).toEqual([next, expect.any(Date)]);
  await second.stop();
});
