import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const query = async <Row>(text: string, ...values: readonly unknown[]) =>
  (await database.store.query<Row>({ text, values })).rows;

// One such row would stop every account, or every operation, of its chain.
it.each([
  ['evm_account_top_ups', ['value_wei']],
  ['evm_gas_budgets', ['project_day_wei', 'owner_day_wei']],
  ['evm_gas_spent', ['spent_wei']],
  ['evm_paying_accounts', ['fund_wei']],
  ['evm_spending', ['spent_wei']],
  ['fee_budgets', ['project_day_minor', 'owner_day_minor']],
  ['fee_spending', ['minor']],
  ['fee_spent', ['minor']],
  ['operation_intents', ['cost_max']],
  ['solana_operations', ['cost_max']],
])(
  'whoever writes %s writes no amount that is no number, nor one without end',
  async (table, columns) => {
    for (const column of columns) {
      const checks = await query<{ text: string }>(
        `select pg_get_expr(c.conbin, c.conrelid) as text from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.contype = 'c' and c.conrelid = $1::regclass and a.attname = $2`,
        table,
        column,
      );
      // All other columns are null, which no check refuses.
      const others = await query<{ text: string }>(
        `select 'null::' || format_type(atttypid, atttypmod) || ' as ' || quote_ident(attname) as text from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> $2`,
        table,
        column,
      );
      const row = [`'NaN'::numeric as ${column}`, ...others.map(({ text }) => text)].join(', ');
      const passes = await query<{ passes: boolean | null }>(
        `select bool_and((${checks.map(({ text }) => text).join(') and (')})) as passes from (select ${row}) as t`,
      );
      expect({ column, ...passes[0] }).toEqual({ column, passes: false });
      await expect(query(`update ${table} set ${column} = 'Infinity'`)).rejects.toThrow('overflow');
    }
  },
);
