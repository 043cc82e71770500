import { randomBytes } from 'node:crypto';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { readFeeAccounts } from '../../family/spending/accounts.ts';
import { readHourlySpending } from '../../family/spending/budgets.ts';
import { suiCoinType } from '../config/networks.ts';
import { readObjects } from '../rpc/objects.ts';
import { newSuiAddress } from '../testing/bed.ts';
import { lockTransaction } from '../testing/lock.ts';
import { openWorld, type World } from '../testing/world.ts';
import { createSigningAccount } from './keys.ts';
import { createTreasury } from './treasury.ts';
import { createUpkeep, type UpkeepDeps } from './upkeep.ts';

const { relay: settings } = testConfig().sui;
const sui = 1_000_000_000n;
let world: World;
beforeAll(async () => {
  world = await openWorld({ sponsorCount: 1 });
});
afterAll(() => world?.close());

const query = async <Row>(text: string) =>
  (await world.database.store.query<Row & object>({ text })).rows;
const counts = async () =>
  (
    await query<{ free: number; total: number; least: string }>(
      `select count(*) filter (where status = 'free')::int as free, count(*)::int as total, min(mist) as least from sui_gas_coins`,
    )
  )[0]!;

function upkeepOf(rest: Partial<UpkeepDeps> = {}) {
  const { store, log, sponsors } = world.deps();
  return createUpkeep({
    store,
    log,
    chain: 'sui',
    sponsors,
    treasury: undefined,
    settings,
    ...rest,
  });
}

/** Rounds until it is so. */
async function keep(
  upkeep: ReturnType<typeof upkeepOf>,
  isSo: () => Promise<boolean>,
  what: string,
): Promise<void> {
  await world.until(async () => {
    await upkeep.round(await world.connect(), false);
    return isSo();
  }, what);
}

describe('the coins of sponsors', () => {
  it('are split until enough are ready, by one transaction at a time, and no more than there may be', async () => {
    const had = await world.amountOf(world.sponsors[0]!.address, suiCoinType);
    const [one, other] = [upkeepOf(), upkeepOf()];
    await world.until(async () => {
      const connection = await world.connect();
      await Promise.all([one.round(connection, false), other.round(connection, false)]);
      return (await counts()).free >= 12;
    }, 'coins');
    expect(await counts()).toEqual({
      free: 12,
      total: 12,
      least: String(2n * settings.budgetMaxMist),
    });
    const cost = had - (await world.amountOf(world.sponsors[0]!.address, suiCoinType));
    expect([
      cost > 0n,
      (await readHourlySpending(world.database.store, 'fees')).get('sui'),
    ]).toEqual([true, cost]);
    await query(`update sui_gas_coins set status = 'used'`);
    await keep(
      upkeepOf({ settings: { ...settings, gasCoinsMax: 15 } }),
      async () => (await counts()).free > 0,
      'more coins',
    );
    expect(await counts()).toMatchObject({ free: 3, total: 15 });
    await query(`update sui_gas_coins set status = 'free'`);
  });

  it('that somebody else moved are read anew, and what pays for nothing any more is joined with the rest', {
    tags: 'slow',
  }, async () => {
    await query(
      `update sui_gas_coins set version = version - 1, digest = 'old', status = 'moving' where object_id = (select min(object_id) from sui_gas_coins)`,
    );
    await query(
      `insert into sui_gas_coins (chain, object_id, sponsor, version, digest, mist) values ('sui', '${newSuiAddress()}', '${world.sponsors[0]!.address}', 1, 'x', 1)`,
    );
    const poor = world.give(world.sponsors[0]!.address, suiCoinType, settings.budgetMaxMist - 1n);
    await query(
      `insert into sui_gas_coins (chain, object_id, sponsor, version, digest, mist) values ('sui', '${poor}', '${world.sponsors[0]!.address}', 0, 'x', 1)`,
    );
    const foreign = newSuiAddress();
    await query(
      `insert into sui_gas_coins (chain, object_id, sponsor, version, digest, mist) values ('sui', '${newSuiAddress()}', '${foreign}', 1, 'x', 1)`,
    );
    const { free } = await counts();
    const upkeep = upkeepOf();
    await keep(
      upkeep,
      async () => (await counts()).free === 15 && (await counts()).total === 15,
      'the pool as it is',
    );
    expect(free).toBeGreaterThan(15);
    expect(await query(`select 1 from sui_gas_coins where digest in ('old', 'x')`)).toEqual([]);
  });
});

describe('a sponsor without money', () => {
  const seed = () => new Secret(new Uint8Array(randomBytes(32)));

  it('shows it, and is filled by the treasury once, and no further than a day allows', async () => {
    const [poor, rich] = [createSigningAccount(seed()), createSigningAccount(seed())];
    for (const amount of [60n, 40n, 1n]) world.give(rich.address, suiCoinType, amount * sui);
    const { store } = world.database;
    const treasury = createTreasury({
      store,
      chain: 'sui',
      connect: world.connect,
      account: rich,
      priceMax: settings.priceMaxMist,
    });
    const bounded = { ...settings, feePayerBalanceMinMist: 5n * sui, topUpDayMaxMist: 15n * sui };
    const upkeep = upkeepOf({ sponsors: [poor], treasury, settings: bounded });
    await keep(
      upkeep,
      async () => (await world.amountOf(poor.address, suiCoinType)) > 0n,
      'the treasury to give',
    );
    // Ten, without what it cost to split them.
    expect(await world.amountOf(poor.address, suiCoinType)).toBeGreaterThan((99n * sui) / 10n);
    expect(await world.amountOf(poor.address, suiCoinType)).toBeLessThanOrEqual(10n * sui);
    await keep(
      upkeep,
      async () => (await query('select 1 from fee_top_ups')).length === 0,
      'the top-up to end',
    );
    const broke = createSigningAccount(seed());
    const another = upkeepOf({ sponsors: [broke], treasury, settings: bounded });
    const alarmOf = async () =>
      (await readFeeAccounts(store, 'sui')).find(({ address }) => address === broke.address)
        ?.alarm ?? '';
    await keep(
      another,
      async () => (await alarmOf()).includes('SUI_TOP_UP_DAY_MAX_MIST'),
      'the alarm',
    );
    expect(await alarmOf()).toMatch(/It holds less than 5000000000 MIST: send it SUI/);
    expect(await world.amountOf(broke.address, suiCoinType)).toBe(0n);
  });
});

describe('a sponsor whose coin is locked', { tags: 'slow' }, () => {
  it('does not hold up the others: they make the coins, and it is an alarm until the epoch ends', async () => {
    const own = await openWorld({ sponsorCount: 2 });
    try {
      const { store, log, sponsors } = own.deps();
      const upkeep = createUpkeep({
        store,
        log,
        chain: 'sui',
        sponsors,
        treasury: undefined,
        settings,
      });
      const rounds = (isSo: () => Promise<boolean>, what: string) =>
        own.until(async () => {
          await upkeep.round(await own.connect(), false);
          return isSo();
        }, what);
      const stuck = sponsors[0]!;
      const coin = own.give(stuck.address, suiCoinType, 9_000_000_000_000n);
      const keypair = Ed25519Keypair.fromSecretKey(own.sponsorSeeds[0]!);
      const tx = new Transaction();
      tx.transferObjects([coin], newSuiAddress());
      tx.setSender(stuck.address);
      const bytes = await tx.build({
        client: new SuiGrpcClient({ network: 'localnet', baseUrl: own.chain.url }),
      });
      await lockTransaction(own.chain.url, bytes, (await keypair.signTransaction(bytes)).signature);
      const openOf = async () =>
        (
          await store.query<{ account: string }>({
            text: 'select account from sui_own_transactions',
          })
        ).rows.map(({ account }) => account);
      // The richest makes them, and cannot.
      await rounds(async () => (await openOf()).length > 0, 'its transaction');
      await upkeep.round(await own.connect(), true);
      expect([await openOf(), await own.freeCoins()]).toEqual([[stuck.address], 0]);
      await store.query({
        text: `update sui_own_transactions set created_at = now() - interval '1 minute'`,
      });
      await rounds(async () => (await own.freeCoins()) >= 12, 'coins of the other one');
      const { rows } = await store.query<{ sponsor: string }>({
        text: 'select distinct sponsor from sui_gas_coins',
      });
      expect(rows).toEqual([{ sponsor: sponsors[1]!.address }]);
      const alarmOf = async () =>
        (await readFeeAccounts(store, 'sui')).find(({ address }) => address === stuck.address)
          ?.alarm;
      await createUpkeep({
        store,
        log,
        chain: 'sui',
        sponsors,
        treasury: undefined,
        settings,
      }).round(await own.connect(), false);
      expect(await alarmOf()).toMatch(
        /^Its transaction \w+, which makes coins, is under way for 6\d s/,
      );
      await own.chain.advanceTime(2 * 24 * 3_600);
      await rounds(async () => (await openOf()).length === 0, 'its end');
    } finally {
      await own.close();
    }
  });
});

it('coins that another process has made meanwhile are not joined with the rest: what the pool has is there', {
  tags: 'slow',
}, async () => {
  const own = await openWorld({ sponsorCount: 1 });
  try {
    const { store, log, sponsors } = own.deps();
    const upkeep = () =>
      createUpkeep({ store, log, chain: 'sui', sponsors, treasury: undefined, settings });
    const poolOf = async () =>
      (
        await store.query<{ id: string; version: string }>({
          text: 'select object_id as id, version from sui_gas_coins',
        })
      ).rows;
    const connection = await own.connect();
    let isHeld = false;
    // It has looked at the pool, and reads the coins of the account when the other one is done.
    const stateService = new Proxy(connection.client.stateService, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (name !== 'listOwnedObjects')
          return typeof value === 'function' ? value.bind(target) : value;
        return (...args: Parameters<typeof target.listOwnedObjects>) => {
          const response = (async () => {
            if (!isHeld) {
              isHeld = true;
              const other = upkeep();
              await own.until(async () => {
                await other.round(connection, false);
                return (await poolOf()).length >= 12;
              }, 'the coins of the other one');
            }
            return target.listOwnedObjects(...args).response;
          })();
          return { response };
        };
      },
    });
    const late = {
      ...connection,
      client: { ...connection.client, stateService },
    } as typeof connection;
    await upkeep().round(late, false);
    expect(isHeld).toBe(true);
    for (let round = 0; round < 5; round++) await upkeep().round(connection, false);
    const pool = await poolOf();
    const objects = await readObjects(
      connection,
      pool.map(({ id }) => id),
    );
    expect(pool.filter(({ id, version }) => objects.get(id)?.version !== version)).toEqual([]);
  } finally {
    await own.close();
  }
});
