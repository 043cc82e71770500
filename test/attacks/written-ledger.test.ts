import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderColumns } from '../../src/areas/orders/state/store.ts';
import { type OfframpWorld, startOfframpWorld } from '../../src/areas/orders/testing/offramp-kit.ts';
import { pokeWorkers } from '../../src/jobs/index.ts';

/**
 * Somebody owns the main database: switches the triggers of the ledger off, and writes the books so that an order which was paid out has its
 * money again. He has no key, so the order's row is one that it once had.
 */
let world: OfframpWorld;
beforeAll(async () => {
  world = await startOfframpWorld();
}, 180_000);
afterAll(() => world?.close());

const sql = (text: string, ...values: unknown[]) => world.stack.ctx.store.query<any>({ text, values });
const payoutsOf = async (orderId: string) => {
  const { ctx } = world.stack.vault!;
  const { rows } = await ctx.store.query<{ status: string; code: string | null }>({
    text: 'select status, code from payouts where object = $1',
    values: [`order:${orderId}`],
  });
  return rows;
};

describe('who owns the database and switches the triggers of the ledger off', () => {
  it('is not paid twice by an order that he puts back, with books in which it was never paid out', async () => {
    await sql('create table thief_orders (like orders)');
    await sql(
      `create function thief_notes() returns trigger language plpgsql security definer as $$ begin insert into thief_orders select new.*; return new; end $$`,
    );
    await sql('create trigger thief_notes after update on orders for each row execute function thief_notes()');
    const order = await world.order({ rail: 'rtp', amount: '40' });
    await (await world.deposit({ memo: order.memo, amountMinor: 40_000_000n })).finalize();
    await world.submitted(order.id);
    await sql('drop trigger thief_notes on orders');
    for (const table of ['ledger_entries', 'ledger_postings', 'ledger_checkpoints', 'ledger_order_balances', 'order_moves'])
      await sql(`alter table ${table} disable trigger all`);
    const { rows } = await sql(`select id, kind, reference, phase from ledger_entries where order_id = $1 order by written`, order.id);
    const first = rows[0].id;
    await sql(
      'delete from ledger_postings where entry_id in (select id from ledger_entries where order_id = $1 and id <> $2)',
      order.id,
      first,
    );
    await sql(
      'update ledger_tail set entry_ids = array(select e from unnest(entry_ids) e where e = $2 or not e in (select id from ledger_entries where order_id = $1))',
      order.id,
      first,
    );
    await sql('delete from ledger_entries where order_id = $1 and id <> $2', order.id, first);
    await sql(`delete from ledger_order_balances where account like 'order:' || $1 || ':%'`, order.id);
    await sql(
      `insert into ledger_order_balances select project_id, account, asset, sum(posted_minor), sum(pending_minor) from ledger_postings
       where account like 'order:' || $1 || ':%' group by 1, 2, 3`,
      order.id,
    );
    await sql(
      `update orders set (${orderColumns}) = (select ${orderColumns} from thief_orders where id = $1 and state = 'deposit_final' limit 1) where id = $1`,
      order.id,
    );
    await sql('delete from order_moves where order_id = $1 and nr > (select version from orders where id = $1)', order.id);
    await sql(`update flows set run_at = now() - interval '1 day' where key = $1`, order.id);
    pokeWorkers(world.stack.ctx);
    await world.until(order.id, 'needs_operator');
    const paid = await payoutsOf(order.id);
    expect(paid.filter(({ status }) => status !== 'rejected')).toHaveLength(1);
    // The vault was asked, and said no.
    expect(paid).toContainEqual({ status: 'rejected', code: 'limit-object' });
  });
});
