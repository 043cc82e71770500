import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderColumns } from '../../src/areas/orders/state/store.ts';
import {
  depositChain,
  type OfframpWorld,
  startOfframpWorld,
} from '../../src/areas/orders/testing/offramp-kit.ts';
import {
  aBuyer,
  createOnramp,
  payByCard,
  untilState,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { fundTreasury } from '../../src/areas/treasury/index.ts';
import { pokeWorkers } from '../../src/jobs/index.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';

/**
 * Somebody owns the main database: switches the triggers of the ledger off, and writes the books so
 * that an order which was paid out has its money again. He has no key, so the order's row is one
 * that it once had.
 */
let world: OfframpWorld;
beforeAll(async () => {
  world = await startOfframpWorld();
}, 180_000);
afterAll(() => world?.close());

const sql = (text: string, ...values: unknown[]) =>
  world.stack.ctx.store.query<any>({ text, values });
const payoutsOf = async (orderId: string) => {
  const { ctx } = world.stack.vault!;
  const { rows } = await ctx.store.query<{ status: string; code: string | null }>({
    text: 'select status, code from payouts where object = $1',
    values: [`order:${orderId}`],
  });
  return rows;
};

/**
 * Has each state that orders go through from here on written down, seal and all.
 * @returns ends it
 */
async function noteOrders() {
  await sql('create table if not exists thief_orders (like orders)');
  await sql(
    `create or replace function thief_notes() returns trigger language plpgsql security definer as $$ begin insert into thief_orders select new.*; return new; end $$`,
  );
  await sql(
    'create trigger thief_notes after update on orders for each row execute function thief_notes()',
  );
  return () => sql('drop trigger thief_notes on orders');
}

/**
 * Puts an order back into a state that it had, with books and a history in which nothing happened
 * since its first entry.
 */
async function putBack(orderId: string, state: string) {
  for (const table of [
    'ledger_entries',
    'ledger_postings',
    'ledger_checkpoints',
    'ledger_order_balances',
    'order_moves',
  ])
    await sql(`alter table ${table} disable trigger all`);
  const { rows } = await sql(
    `select id from ledger_entries where order_id = $1 order by written`,
    orderId,
  );
  const later = rows.slice(1).map(({ id }: { id: string }) => id);
  await sql('delete from ledger_postings where entry_id = any($1)', later);
  await sql(
    'update ledger_tail set entry_ids = array(select e from unnest(entry_ids) e where not e = any($1))',
    later,
  );
  await sql('delete from ledger_entries where id = any($1)', later);
  await sql(`delete from ledger_order_balances where account like 'order:' || $1 || ':%'`, orderId);
  await sql(
    `insert into ledger_order_balances select project_id, account, asset, sum(posted_minor), sum(pending_minor) from ledger_postings
     where account like 'order:' || $1 || ':%' group by 1, 2, 3`,
    orderId,
  );
  await sql(
    `update orders set (${orderColumns}) = (select ${orderColumns} from thief_orders where id = $1 and state = $2 order by version limit 1) where id = $1`,
    orderId,
    state,
  );
  await sql(
    'delete from order_moves where order_id = $1 and nr > (select version from orders where id = $1)',
    orderId,
  );
  await sql(`update flows set run_at = now() - interval '1 day' where key = $1`, orderId);
  pokeWorkers(world.stack.ctx);
}

describe('who owns the database and switches the triggers of the ledger off', () => {
  it('is not paid twice by an order that he puts back, with books in which it was never paid out', async () => {
    const end = await noteOrders();
    const order = await world.order({ rail: 'rtp', amount: '40' });
    await (await world.deposit({ memo: order.memo, amountMinor: 40_000_000n })).finalize();
    await world.submitted(order.id);
    await end();
    await putBack(order.id, 'deposit_final');
    await world.until(order.id, 'needs_operator');
    const paid = await payoutsOf(order.id);
    expect(paid.filter(({ status }) => status !== 'rejected')).toHaveLength(1);
    // The vault was asked, and said no.
    expect(paid).toContainEqual({ status: 'rejected', code: 'limit-object' });
  });

  it('is sent no tokens twice by an order that he puts back as it was being delivered: its transfer has its id', async () => {
    await fundTreasury(world.stack.ctx, {
      projectId: world.projectId,
      chain: depositChain,
      token: 'usdc',
      amount: '100',
    });
    const end = await noteOrders();
    const { address } = await aBuyer(world.stack);
    const { id } = await createOnramp(world.stack, { address });
    await payByCard(world.stack, id, sandboxCards.approved.number);
    await untilState(world.stack, id, 'delivered');
    await end();
    await putBack(id, 'delivering');
    await untilState(world.stack, id, 'delivered');
    expect(
      (await sql('select id from treasury_transfers where lower(recipient) = lower($1)', address))
        .rowCount,
    ).toBe(1);
  });
});
