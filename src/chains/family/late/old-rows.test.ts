import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { Db } from '../../../store/types.ts';
import { deleteClosed } from '../../evm/relay/sending/sends.ts';
import { deleteOldMessages } from '../../solana/relay/queue/messages.ts';
import { solanaOperations } from '../../solana/relay/queue/store.ts';
import { deleteSettled } from './queue.ts';
import { intents } from './store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

interface Rows {
  readonly table: string;
  readonly what: string;
  readonly columns: string;
  readonly values: string;
  /** When it was over. */
  readonly over: string;
  /** Of one that is not over, however old it is. */
  readonly open?: string;
  forget(db: Db, how: { olderThanDays: number; countMax: number }): Promise<unknown>;
}

const anId = 'gen_random_uuid()';
const operation = {
  table: 'evm_operations',
  columns:
    'operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item',
  values: `${anId}, ${anId}, 'chain', 'hash', 'wallet', now(), 1, 1, ''`,
};

it.each<Rows>([
  {
    ...operation,
    what: 'operations that no transaction had',
    over: `settled_at, status) values (*, AT, 'settled')`,
    open: `settled_at, status) values (*, AT, 'held')`,
    forget: deleteClosed,
  },
  {
    table: 'evm_sends',
    what: 'transactions of the relay',
    columns: 'chain, account, nonce, kind, reserved_wei',
    values: `'chain', gen_random_uuid()::text, 1, 'batch', 1`,
    over: `created_at, status) values (*, AT, 'final')`,
    open: `created_at, status) values (*, AT, 'included')`,
    forget: deleteClosed,
  },
  {
    table: 'operation_intents',
    what: 'operations that are signed when they are sent',
    columns:
      'operation_id, subject, project_id, owner, chain, wallet_id, operation, cost_max, valid_until, mac',
    values: `${anId}, 'transaction', ${anId}, 'owner', 'chain', ${anId}, '{}', 1, now(), 'mac'`,
    over: `settled_at, status) values (*, AT, 'settled')`,
    open: `settled_at, status) values (*, AT, 'queued')`,
    forget: (db, how) => deleteSettled(db, intents, how),
  },
  {
    table: 'solana_operations',
    what: 'operations on Solana',
    columns:
      'operation_id, project_id, owner, chain, wallet, lease, message, signatures, cost_max, valid_until',
    values: `${anId}, ${anId}, 'owner', 'chain', 'wallet', ${anId}, '', '{}', 1, now()`,
    over: `settled_at, status) values (*, AT, 'settled')`,
    open: `settled_at, status) values (*, AT, 'queued')`,
    forget: (db, how) => deleteSettled(db, solanaOperations, how),
  },
  {
    table: 'solana_messages',
    what: 'messages that were signed on Solana',
    columns: 'digest, operation_id',
    values: `gen_random_uuid()::text::bytea, ${anId}`,
    over: 'created_at) values (*, AT)',
    forget: deleteOldMessages,
  },
])('$what are deleted once they are over for long, so many at a time', async (rows) => {
  const { table, columns, values, over, open, forget } = rows;
  const { store } = database;
  const insert = (end: string, days: number) =>
    store.query({
      text: `insert into ${table} (${columns}, ${end.replace('*', values).replace('AT', `now() - interval '${days} days'`)}`,
    });
  for (const days of [8, 9, 10, 6]) await insert(over, days);
  if (open !== undefined) await insert(open, 30);
  const left = async () => {
    const { rows: counted } = await store.query<{ count: string }>({
      text: `select count(*) from ${table}`,
    });
    return Number(counted[0]!.count) - (open === undefined ? 0 : 1);
  };
  const lefts = [];
  for (let times = 0; times < 3; times++) {
    await forget(store, { olderThanDays: 7, countMax: 2 });
    lefts.push(await left());
  }
  expect(lefts).toEqual([2, 1, 1]);
});
