import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { apiRole, asRole, grantRights, type Right, tableRights, workerRole } from './grants.ts';
import { createStore } from './pool.ts';
import type { Store } from './types.ts';

let database: TestDatabase;
let api: Store;
beforeAll(async () => {
  database = await startTestDatabase();
  api = createStore({ url: asRole(database.url, apiRole), poolSize: 2 });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const granted: Readonly<Record<Right, string>> = {
  none: '',
  read: 'SELECT',
  lock: 'SELECT',
  lease: 'SELECT',
  append: 'INSERT,SELECT',
  update: 'SELECT,UPDATE',
  change: 'INSERT,SELECT,UPDATE',
  all: 'DELETE,INSERT,SELECT,UPDATE',
};

it('each table has the rights that are declared for the API and the worker, and no others', async () => {
  const { rows } = await database.store.query<{ name: string; api: string; worker: string }>({
    text: `select c.relname as name, r.api, r.worker from pg_class c cross join lateral (
        select coalesce(string_agg(g.privilege_type, ',' order by g.privilege_type) filter (where g.grantee = $1::regrole), '') as api,
          coalesce(string_agg(g.privilege_type, ',' order by g.privilege_type) filter (where g.grantee = $2::regrole), '') as worker
        from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g) r
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    values: [apiRole, workerRole],
  });
  const undeclared = rows
    .filter(({ name }) => !Object.hasOwn(tableRights, name))
    .map(
      ({ name }) =>
        `src/store/grants.ts, tableRights: add "${name}: ['all', 'all'],", with less for the API where it can be less`,
    );
  expect(undeclared).toEqual([]);
  expect(
    Object.keys(tableRights).filter((table) => !rows.some(({ name }) => name === table)),
  ).toEqual([]);
  expect(Object.keys(tableRights)).toEqual(Object.keys(tableRights).toSorted());
  for (const row of rows) {
    const [forApi, forWorker] = tableRights[row.name]!;
    expect(row).toEqual({ name: row.name, api: granted[forApi], worker: granted[forWorker] });
  }
});

it.each([
  'ledger_entries',
  'ledger_postings',
  'ledger_order_balances',
  'ledger_tail',
  'deposits',
  'order_deposits',
  'order_refunds',
  'order_disputes',
  'treasury_transfers',
  'payout_event_cursors',
  'operators',
  'audit_entries',
  'audit_head',
])('the API cannot write %s', async (table) => {
  for (const text of [
    `insert into ${table} default values`,
    `update ${table} set ctid = ctid`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])
    await expect(api.query({ text })).rejects.toThrow(
      /permission denied|cannot assign to system column/,
    );
});

it('a right that is missing is said with the place where it is given', async () => {
  await expect(api.query({ text: 'delete from deposits' })).rejects.toThrow(
    'permission denied for table deposits: the rights of this process are in src/store/grants.ts',
  );
});

it('neither role owns a table, switches a trigger off, or gives itself rights', async () => {
  for (const role of [apiRole, workerRole]) {
    const store = createStore({ url: asRole(database.url, role), poolSize: 1 });
    try {
      for (const text of [
        'alter table ledger_postings disable trigger all',
        'set session_replication_role = replica',
        'drop trigger orders_api on orders',
        'create table mine (id int)',
        `create or replace function orders_check_api() returns trigger language plpgsql as 'begin return new; end'`,
      ])
        await expect(store.query({ text })).rejects.toThrow(/must be owner|permission denied/);
      await expect(
        store.query({ text: `set role ${role === apiRole ? workerRole : apiRole}` }),
      ).rejects.toThrow('permission denied');
    } finally {
      await store.close();
    }
  }
});

it('what is granted twice, or was granted too much, is as declared', async () => {
  await database.store.query({ text: `grant all on deposits to ${apiRole}` });
  await grantRights(database.store);
  await grantRights(database.store);
  await expect(api.query({ text: 'delete from deposits' })).rejects.toThrow('permission denied');
});
