import type { Ctx } from '../../../context.ts';
import type { Tx } from '../../../store/types.ts';
import { releaseLimits } from '../../order-limits/index.ts';
import { rulesOf } from '../legs/deposit/rules.ts';
import { expiredSql, isExpired } from '../state/states.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

/**
 * Until a late deposit would not be honoured any more, and this much longer, an expired order may
 * still be paid, and counts.
 */
const graceMs = 60 * 60_000;
const ordersPerTurn = 200;
const turnsMax = 50;

/**
 * What an order took of limits, given back when it ends unpaid; what a late deposit may still pay
 * is given back later.
 */
export async function releaseAtEnd(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  order: OrderRecord,
): Promise<void> {
  const { id, kind, state, publicStatus } = order;
  const isOver =
    state === 'kyc_failed' ||
    state === 'payment_failed' ||
    (state === 'refunded' && publicStatus.delivery !== 'partial-delivery') ||
    (state === 'closed' && !wasPaid(order));
  if (isOver || (kind === 'onramp' && isExpired(order))) await releaseLimits(ctx, tx, id);
}

/** True of an order for which money came, whatever became of it. */
function wasPaid({ facts }: OrderRecord): boolean {
  return facts.received !== undefined || facts.totalPaid !== undefined;
}

/** When what an expired order took is given back: no deposit is honoured any more. */
export function releaseTimeOf(order: OrderRecord): Date {
  return new Date(
    (order.quoteExpiresAt?.getTime() ?? 0) + rulesOf(order).lateToleranceMs + graceMs,
  );
}

/**
 * Gives back what orders took whose quote ended too long ago for any deposit. For the worker.
 * @returns how many orders
 */
export async function releaseExpiredLimits(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  let released = 0;
  for (let turn = 0; turn < turnsMax; turn++) {
    const count = await releaseNext(ctx);
    released += count;
    if (count < ordersPerTurn) break;
  }
  return released;
}

async function releaseNext(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const { rows } = await ctx.store.query<{ id: string }>({
    name: 'orders-expired-limits',
    text: `select distinct o.id from order_limit_uses u join orders o on o.id = u.order_id
           where o.${expiredSql}
             and o.quote_expires_at + coalesce((o.facts->'depositRules'->>'lateToleranceMs')::bigint, 0) * interval '1 millisecond' < $1
           limit $2`,
    values: [new Date(ctx.clock.now().getTime() - graceMs), ordersPerTurn],
  });
  for (const { id } of rows) await ctx.store.transaction((tx) => releaseExpired(ctx, tx, id));
  return rows.length;
}

/**
 * Looks again with the order held: whoever renewed it meanwhile has taken anew what is not to be
 * given back.
 */
async function releaseExpired(ctx: Pick<Ctx, 'clock'>, tx: Tx, id: string): Promise<void> {
  const order = await lockOrder(tx, { by: 'id', id });
  if (order && isExpired(order) && releaseTimeOf(order) < ctx.clock.now())
    await releaseLimits(ctx, tx, id);
}
