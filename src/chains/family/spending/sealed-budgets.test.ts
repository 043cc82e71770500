import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { rowMacMetrics } from '../../../store/row-mac.ts';
import { chargeBudgets, readBudgets } from './budgets.ts';
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
