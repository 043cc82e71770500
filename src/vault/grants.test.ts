import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/harness/database.ts';
import { startVaultDatabase } from '../../test/harness/vault.ts';
import { asRole } from '../store/grants.ts';
import { createStore } from '../store/pool.ts';
import type { Store } from '../store/types.ts';
import { vaultServiceRole, vaultTableRights } from './grants.ts';

let database: TestDatabase;
let service: Store;
beforeAll(async () => {
  database = await startVaultDatabase();
  service = createStore({ url: asRole(database.url, vaultServiceRole), poolSize: 1 });
});
afterAll(async () => {
  await service?.close();
  await database?.close();
});

const granted: Readonly<Record<string, string>> = {
  none: '',
  read: 'SELECT',
  lock: 'SELECT id:UPDATE',
  append: 'INSERT,SELECT',
  update: 'SELECT,UPDATE',
  change: 'INSERT,SELECT,UPDATE',
  all: 'DELETE,INSERT,SELECT,UPDATE',
};

it('the running vault has the rights that are declared for each table and column, and no others', async () => {
  const { rows } = await database.store.query<{ name: string; rights: string }>({
    text: `select c.relname as name, concat_ws(' ',
        nullif((select coalesce(string_agg(g.privilege_type, ',' order by g.privilege_type), '')
           from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g where g.grantee in ($1::regrole, 0)), ''),
        (select string_agg(a.attname || ':' || g.privilege_type, ',' order by a.attname, g.privilege_type)
           from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = c.oid and g.grantee in ($1::regrole, 0))) as rights
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    values: [vaultServiceRole],
  });
  const undeclared = rows
    .filter(({ name }) => !Object.hasOwn(vaultTableRights, name))
    .map(({ name }) => name);
  expect(undeclared, 'src/vault/grants.ts: each has a line there').toEqual([]);
  expect(
    Object.keys(vaultTableRights).filter((table) => !rows.some(({ name }) => name === table)),
  ).toEqual([]);
  expect(Object.keys(vaultTableRights)).toEqual(Object.keys(vaultTableRights).toSorted());
  for (const row of rows)
    expect(row).toEqual({ name: row.name, rights: granted[vaultTableRights[row.name]![0]] });
});

it.each([
  'update payout_limits set per_payout_minor = 1e15',
  `insert into payout_limits select 'xau', 1, 1, 1, null, now(), 1`,
  'update payout_rules set new_destination_wait_hours = 0',
  'update payout_switch set stopped_at = null',
  `insert into payout_approvers values ('mallory', '\\x00', 'mallory', now(), null)`,
  `insert into payout_approvals select gen_random_uuid(), 'm', 1, 'mallory', 'mallory', now()`,
  'select token_hash from payout_approvers',
  'delete from payouts',
  'delete from payment_methods',
  `update audit_entries set entry = ''`,
  'delete from audit_entries',
  'delete from operator_commands',
  'truncate payouts',
])('who has the running vault’s password cannot: %s', async (text) => {
  await expect(service.query({ text })).rejects.toThrow('permission denied');
});

it('the running vault owns no table, switches no trigger off and gives itself no rights', async () => {
  for (const text of [
    'alter table audit_entries disable trigger all',
    'set session_replication_role = replica',
    'create table mine (id int)',
    'drop trigger payout_approvals_append_only on payout_approvals',
  ])
    await expect(service.query({ text })).rejects.toThrow(/must be owner|permission denied/);
});

it('it goes on holding payouts against a stop that comes meanwhile', async () => {
  await service.query({ text: 'select id from payout_switch for share' });
});
