/** @module-tag slow */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMessage } from '../operation/message.ts';
import { readOperation } from '../operation/stored.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ feePayers: 2 });
  await world.start();
});
afterAll(() => world?.close());

/** Transfers that are all prepared before the first is handed over; who pays for each. */
async function transferAtOnce(wallet: TestWallet, count: number) {
  const prepared = await Promise.all(
    Array.from({ length: count }, () => world.prepareTransfer(wallet, 1n, newAddress())),
  );
  const payers = prepared.map(
    ({ operation }) => readMessage(readOperation(operation).messageBytes).staticAccounts[0]!,
  );
  const ids = [];
  for (const one of prepared) ids.push(await world.submit(wallet, one));
  const outcomes = await Promise.all(ids.map((id) => world.outcomeOf(id)));
  expect(outcomes.map(({ status }) => status)).toEqual(prepared.map(() => 'success'));
  return payers as readonly string[];
}

/** As the keeper saw it last. */
async function seenOf(address: string | undefined) {
  const { rows } = await world.database.store.query<{ minor: string; alarm: string | null }>({
    text: 'select minor, alarm from fee_accounts where address = $1',
    values: [address],
  });
  return rows[0] && { ...rows[0], minor: BigInt(rows[0].minor) };
}

it('the richest makes the nonces, so that all of them pay; one that is nearly empty is left out, with an alarm', async () => {
  const [first, second] = world.feePayers.map(({ address }) => address as string);
  const wallet = await world.aWallet({ tokens: 100n });
  const [richest, ...others] = new Set(await transferAtOnce(wallet, 12));
  expect(others).toEqual([]);
  await world.until(
    async () =>
      (await seenOf(richest))!.minor < (await seenOf(first === richest ? second : first))!.minor,
    'a look at what it paid',
  );
  // More than are ready.
  expect(new Set(await transferAtOnce(wallet, 40))).toEqual(new Set([first, second]));
  for (const { address } of world.feePayers)
    expect(await world.lamportsOf(address)).toBeLessThan(9_990_000_000n);

  // What is left of one that paid for as long as it could: less than the rent of an account.
  await world.rpc.request('devnet_setAccount', [
    second,
    { lamports: 900_000, owner: programs.system, data: '' },
  ]);
  await world.until(async () => (await seenOf(second))!.alarm !== null, 'the alarm');
  expect([(await seenOf(first))!.alarm, (await seenOf(second))!.alarm]).toEqual([
    null,
    expect.stringContaining('send it SOL'),
  ]);
  // More than the other one has ready.
  expect(new Set(await transferAtOnce(wallet, 30))).toEqual(new Set([first]));
});
