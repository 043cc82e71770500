/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { openWorld, type World } from '../testing/world.ts';
import { createSigningAccount } from './keys.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const lamportsOf = async () => {
  const { rows } = await world.database.store.query<{ lamports: string; alarm: string | null }>({
    text: `select minor as lamports, alarm from fee_accounts where role = 'fee-payer' order by address`,
  });
  return rows;
};

const sol = 1_000_000_000n;
const minimum = 1_000n * sol;
const treasury = createSigningAccount(new Secret(new Uint8Array(randomBytes(64))));
const amountOf = (fold: bigint) => (2n * minimum * BigInt(world.feePayers.length) * fold) / 10n;
const untilAlarm = () =>
  world.until(
    async () =>
      (await lamportsOf()).some(({ alarm }) => /SOLANA_TOP_UP_DAY_MAX_LAMPORTS/.test(alarm ?? '')),
    'it is an alarm',
  );

it('top-ups of fee payers stop at the ceiling of a day, with an alarm; a restart forgets nothing', async () => {
  const { feePayers } = world;
  const amount = amountOf(10n);
  await world.rpc.request('requestAirdrop', [treasury.address, Number(100n * amount)]);
  // Enough for one round; what is asked for next is above it, since the bound of what a fee payer
  // should hold is raised.
  const settings = {
    ...testConfig().solana.relay,
    feePayerBalanceMinLamports: minimum,
    topUpDayMaxLamports: 2n * amount,
  };
  const first = await world.start({ treasury, feePayers, settings });
  await world.until(
    async () => (await lamportsOf()).some(({ lamports }) => BigInt(lamports) >= 2n * minimum),
    'they are topped up',
  );
  await first.stop();
  const second = await world.start({
    treasury,
    feePayers,
    settings: { ...settings, feePayerBalanceMinLamports: 10n * minimum },
  });
  await untilAlarm();
  await second.stop();
  const { rows } = await world.database.store.query<{ given: string }>({
    text: 'select sum(minor)::text as given from fee_top_ups_given',
  });
  expect(BigInt(rows[0]!.given)).toBeGreaterThan(0n);
  expect(BigInt(rows[0]!.given)).toBeLessThanOrEqual(settings.topUpDayMaxLamports);
});

it('no more is given than that, whatever is written into or deleted from the database', async () => {
  const { feePayers, database } = world;
  for (const table of ['fee_top_ups_given', 'fee_top_ups', 'fee_accounts'])
    await database.store.query({ text: `delete from ${table}` });
  const before = await treasuryLamports();
  // Within the ceiling by itself, and above it with what the process remembers.
  const settings = {
    ...testConfig().solana.relay,
    feePayerBalanceMinLamports: (minimum * 21n) / 10n,
    topUpDayMaxLamports: amountOf(30n),
  };
  const relay = await world.start({ treasury, feePayers, settings });
  await untilAlarm();
  await relay.stop();
  expect(await treasuryLamports()).toBe(before);
});

const treasuryLamports = async () =>
  ((await world.rpc.request('getBalance', [treasury.address])) as { value: unknown }).value;
