import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { rowMacMetrics } from '../../../store/row-mac.ts';
import {
  chargeGas,
  readBudgets as readGas,
  writeBudget,
} from '../../evm/relay/spending/budgets.ts';
import { charge, readBudgets } from './budgets.ts';
import { createFeeBook } from './fee-book.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

interface Standing {
  readonly spent: bigint;
  readonly max: bigint;
}

/** What is paid on chains whose fee payers are the service's, and what executors pay. */
const kinds = {
  fees: {
    tables: { budgets: 'fee_budgets', spent: 'fee_spent', day: 'owner_day_minor', sum: 'minor' },
    pay: (projectId: string, owner: string, minor: bigint) =>
      database.store.transaction((tx) => charge(tx, 'sui', [{ projectId, owner, minor }])),
    allow: (projectId: string, ownerDayMinor: bigint) =>
      createFeeBook({ chain: 'sui', unit: 'MIST', bounds: {} as never }).write(
        database.store,
        projectId,
        { chain: 'sui', projectDayMinor: null, ownerDayMinor },
      ),
    read: async (projectId: string, owner: string): Promise<Standing> => {
      const [budget] = await readBudgets(database.store, {
        chain: 'sui',
        pairs: [{ projectId, owner }],
        bounds: { projectDayMaxMinor: 1_000n, ownerDayMaxMinor: 100n },
        open: [],
      });
      return budget!.ownOwner;
    },
  },
  gas: {
    tables: {
      budgets: 'evm_gas_budgets',
      spent: 'evm_gas_spent',
      day: 'owner_day_wei',
      sum: 'spent_wei',
    },
    pay: (projectId: string, owner: string, wei: bigint) =>
      database.store.transaction((tx) =>
        chargeGas(tx, 'base-sepolia', [{ projectId, owner, wei }]),
      ),
    allow: (projectId: string, ownerDayWei: bigint) =>
      writeBudget(database.store, {
        projectId,
        chain: 'base-sepolia',
        projectDayWei: null,
        ownerDayWei,
      }),
    read: async (projectId: string, owner: string): Promise<Standing> => {
      const [budget] = await readGas(database.store, {
        chain: 'base-sepolia',
        token: randomUUID(),
        pairs: [{ projectId, owner }],
        bounds: { projectDayMaxWei: 1_000n, ownerDayMaxWei: 100n } as never,
      });
      return { spent: budget!.ownOwner.spentWei, max: budget!.ownOwner.maxWei };
    },
  },
};

let projectId: string;
beforeEach(() => {
  projectId = randomUUID();
});
const owner = 'userId:spendthrift';
const sql = (text: string) => database.store.query({ text, values: [projectId] });

describe.each(Object.entries(kinds))('a budget of %s', (_, { tables, pay, allow, read }) => {
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
    await sql(`update ${tables.budgets} set ${tables.day} = 1000000 where project_id = $1`);
    expect((await read(projectId, owner)).max).toBe(100n);
    expect(rowMacMetrics().changed).toBe(before + 1);
  });

  it('counts nothing of a transaction that was rolled back', async () => {
    await pay(projectId, owner, 1n);
    const { store } = database;
    await store
      .transaction(async (tx) => {
        if (tables.budgets === 'fee_budgets')
          await charge(tx, 'sui', [{ projectId, owner, minor: 50n }]);
        else await chargeGas(tx, 'base-sepolia', [{ projectId, owner, wei: 50n }]);
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect((await read(projectId, owner)).spent).toBe(1n);
  });
});
