import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { rowMacMetrics } from '../../../store/row-mac.ts';
import { runLateRelay } from '../late/run.ts';
import { chargeBudgets, deleteOldSpending, readBudgets, recordSpending } from './budgets.ts';
import { createFeeRows } from './fee-book.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const chains: Readonly<Record<FeeKind, string>> = { fees: 'sui', gas: 'base-sepolia' };

let projectId: string;
beforeEach(() => {
  projectId = randomUUID();
});
const owner = 'userId:spendthrift';
const sql = (text: string) => database.store.query({ text, values: [projectId] });

describe.each(Object.entries(chains) as [FeeKind, string][])('a budget of %s', (kind, chain) => {
  const tables = feeTables[kind];
  const pay = (project: string, whose: string, minor: bigint) =>
    database.store.transaction((tx) =>
      chargeBudgets(tx, kind, chain, [{ projectId: project, owner: whose, minor }]),
    );
  const allow = (project: string, ownerDayMinor: bigint) =>
    createFeeRows(kind).write(database.store, project, {
      chain,
      projectDayMinor: null,
      ownerDayMinor,
    });
  const read = async (project: string, whose: string) => {
    const [budget] = await readBudgets(database.store, {
      chain,
      pairs: [{ projectId: project, owner: whose }],
      bounds: { projectDayMaxMinor: 1_000n, ownerDayMaxMinor: 100n },
      open: [],
      kind,
    });
    return budget!.ownOwner;
  };

  it('is what the operator says, and what was charged is taken of it', async () => {
    await allow(projectId, 40n);
    await pay(projectId, owner, 7n);
    await pay(projectId, owner, 5n);
    expect(await read(projectId, owner)).toMatchObject({ spent: 12n, max: 40n });
  });

  it.each([
    ['deletes what was spent', `delete from ${tables.spent} where project_id = $1`],
    ['lowers it', `update ${tables.spent} set ${tables.sum} = 0 where project_id = $1`],
  ])('is not emptied by whoever %s', async (__, text) => {
    await pay(projectId, owner, 30n);
    await sql(text);
    expect((await read(projectId, owner)).spent).toBe(30n);
    await pay(projectId, owner, 30n);
    await sql(text);
    expect((await read(projectId, owner)).spent).toBe(60n);
  });

  it('is no more than that of the network when somebody raises it, with an alarm', async () => {
    await allow(projectId, 200n);
    expect((await read(projectId, owner)).max).toBe(200n);
    const before = rowMacMetrics().changed;
    await sql(`update ${tables.budgets} set ${tables.ownerDay} = 1000000 where project_id = $1`);
    expect((await read(projectId, owner)).max).toBe(100n);
    expect(rowMacMetrics().changed).toBe(before + 1);
  });

  it.each([
    ['deletes it', `delete from ${tables.budgets} where project_id = $1`],
    [
      'raises it',
      `update ${tables.budgets} set ${tables.ownerDay} = 1000000 where project_id = $1`,
    ],
    [
      'takes its version away',
      `update ${tables.budgets} set ${tables.ownerDay} = null, version = null where project_id = $1`,
    ],
  ])(
    'is not lifted, where it is lower than that of the network, by whoever %s',
    async (__, text) => {
      await allow(projectId, 40n);
      expect((await read(projectId, owner)).max).toBe(40n);
      await sql(text);
      const before = rowMacMetrics().changed;
      expect((await read(projectId, owner)).max).toBe(40n);
      expect(rowMacMetrics().changed).toBe(before + 1);
      await allow(projectId, 50n);
      expect((await read(projectId, owner)).max).toBe(50n);
      expect(rowMacMetrics().changed).toBe(before + 1);
    },
  );

  it('is what was set last, also by a machine whose clock is behind', async () => {
    await allow(projectId, 40n);
    expect((await read(projectId, owner)).max).toBe(40n);
    const before = rowMacMetrics().changed;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    await allow(projectId, 90n);
    vi.useRealTimers();
    expect((await read(projectId, owner)).max).toBe(90n);
    expect(rowMacMetrics().changed).toBe(before);
  });

  it('is not lifted by whoever puts an earlier one back, seal and all', async () => {
    await allow(projectId, 90n);
    const kept = `kept_${projectId.slice(0, 8)}`;
    await database.store.query({
      text: `create table ${kept} as select * from ${tables.budgets} where project_id = '${projectId}'`,
    });
    await delay(5);
    await allow(projectId, 40n);
    expect((await read(projectId, owner)).max).toBe(40n);
    await sql(`delete from ${tables.budgets} where project_id = $1`);
    await database.store.query({ text: `insert into ${tables.budgets} select * from ${kept}` });
    await database.store.query({ text: `drop table ${kept}` });
    expect((await read(projectId, owner)).max).toBe(40n);
  });

  const daysBack = (days: number) => `(now() at time zone 'utc')::date - ${days}`;
  const spendBefore = (whose: string, days: number) =>
    sql(`insert into ${tables.spent} (day, chain, project_id, owner, ${tables.sum})
      values (${daysBack(days)}, '${chain}', $1, '${whose}', 5)`);

  it('forgets days that are long over, so many at a time, and no others', async () => {
    await pay(projectId, owner, 7n);
    for (const days of [0, 1, 7, 8, 9, 400]) await spendBefore('userId:other', days);
    await sql(`insert into ${tables.spending} (chain, since, ${tables.sum})
      select '${chain}', now() - days * interval '1 day', 5 from unnest(array[1, 8, 9, 10]) as days where $1::uuid is not null`);
    const forget = () => deleteOldSpending(database.store, kind, { olderThanDays: 7, countMax: 2 });
    expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 0]);
    const { rows } = await sql(
      `select (now() at time zone 'utc')::date - day as days, owner from ${tables.spent} where project_id = $1 order by days, owner`,
    );
    expect(rows).toEqual([
      { days: 0, owner: '' },
      { days: 0, owner: 'userId:other' },
      { days: 0, owner },
      { days: 1, owner: 'userId:other' },
      { days: 7, owner: 'userId:other' },
    ]);
    const hours = await sql(
      `select 1 from ${tables.spending} where since < now() - interval '2 days' or $1::uuid is null`,
    );
    expect(hours.rows).toEqual([]);
  });

  it('is not emptied by whoever has it forgotten as one of a day that is long over', async () => {
    await pay(projectId, owner, 30n);
    await sql(`update ${tables.spent} set day = ${daysBack(30)} where project_id = $1`);
    await deleteOldSpending(database.store, kind, { olderThanDays: 7, countMax: 500 });
    expect((await sql(`select 1 from ${tables.spent} where project_id = $1`)).rows).toEqual([]);
    expect((await read(projectId, owner)).spent).toBe(30n);
  });

  it('is cleared of such days by the relay of its chain', async () => {
    await spendBefore(owner, 8);
    const none = () => Promise.reject(new Error('nothing waits'));
    const relay = await runLateRelay({
      store: database.store,
      clock: { now: () => new Date() },
      log: pino({ enabled: false }),
      chain,
      network: { build: none, complete: none, send: none, look: none, identify: () => '' },
      onChainOf: () => ({}),
      settings: { inFlightMax: 1, resendAfterMs: 1_000, leaseMs: 1_000 },
      bounds: { projectDayMaxMinor: 1n, ownerDayMaxMinor: 1n },
      kind,
      unit: 'units',
      workerName: 'tidy',
      settleOperations: none,
      signBuilt: none,
    });
    const left = async () =>
      (await sql(`select 1 from ${tables.spent} where project_id = $1`)).rows;
    await expect.poll(left).toEqual([]);
    await relay.stop();
  });

  it.each(['spent', 'spending'] as const)('has no sum in %s that is no number', async (which) => {
    await pay(projectId, owner, 1n);
    await recordSpending(database.store, kind, chain, 1n);
    await expect(
      database.store.query({ text: `update ${tables[which]} set ${tables.sum} = 'NaN'` }),
    ).rejects.toThrow('violates check constraint');
  });

  it('keeps no cost from being booked, however much somebody wrote that was spent', async () => {
    await pay(projectId, owner, 1n);
    const most = tables.sumMax;
    await sql(`update ${tables.spent} set ${tables.sum} = ${most} where project_id = $1`);
    await recordSpending(database.store, kind, chain, 1n);
    await sql(`update ${tables.spending} set ${tables.sum} = ${most} where $1::uuid is not null`);
    await recordSpending(database.store, kind, chain, 1n);
    await pay(projectId, 'userId:other', 2n);
    expect((await read(projectId, 'userId:other')).spent).toBe(2n);
    await sql(`delete from ${tables.spending} where $1::uuid is not null`);
  });

  it('counts nothing of a transaction that was rolled back', async () => {
    await pay(projectId, owner, 1n);
    const { store } = database;
    await store
      .transaction(async (tx) => {
        await chargeBudgets(tx, kind, chain, [{ projectId, owner, minor: 50n }]);
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect((await read(projectId, owner)).spent).toBe(1n);
  });
});
