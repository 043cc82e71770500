import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const query = async <Row>(text: string, ...values: readonly unknown[]) =>
  (await database.store.query<Row>({ text, values })).rows;

/** Of tables in which an amount stands for money only outside production. */
const withoutMoney = /^(sandbox_|test_mints$)/;

// One such row would stop every account, or every operation, of its chain, or cover any posting.
it('whoever writes a number writes none that is no number, nor one without end', async () => {
  const columns = await query<{ table: string; column: string; checks: string[]; row: string }>(
    `select c.relname as table, a.attname as column,
      array(select pg_get_expr(k.conbin, k.conrelid) from pg_constraint k
        where k.contype = 'c' and k.conrelid = c.oid and a.attnum = any(k.conkey)) as checks,
      -- All other columns are null, which no check refuses.
      (select string_agg('null::' || format_type(o.atttypid, o.atttypmod) || ' as ' || quote_ident(o.attname), ', ')
        from pg_attribute o where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped and o.attnum <> a.attnum) as row
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'numeric'::regtype
      and a.attnum > 0 and not a.attisdropped order by 1, 2`,
  );
  const deciding = columns.filter(({ table }) => !withoutMoney.test(table));
  expect(deciding.length).toBeGreaterThan(40);
  const taken: string[] = [];
  for (const { table, column, checks, row } of deciding) {
    const isBounded = await query(`update ${table} set ${column} = 'Infinity' where false`).then(
      () => false,
      () => true,
    );
    for (const value of isBounded ? ['NaN'] : ['NaN', 'Infinity', '-Infinity']) {
      const all = ['true', ...checks].join(') and (');
      const [passes] = await query<{ passes: boolean | null }>(
        `select (${all}) as passes from (select '${value}'::numeric as ${column}, ${row}) as t`,
      );
      if (passes!.passes !== false) taken.push(`${table}.${column} takes ${value}`);
    }
  }
  expect(taken).toEqual([]);
});
