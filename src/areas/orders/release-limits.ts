import type { Ctx } from '../../context.ts';
import type { Tx } from '../../store/types.ts';
import { releaseLimits } from '../order-limits/index.ts';
import type { OrderRecord } from './types.ts';

/** Until a late deposit would not be honoured any more, and this much longer, an expired order may still be paid, and counts. */
export const graceMs = 60 * 60_000;
const ordersPerTurnMax = 200;

/** What an order took of limits, given back when it ends unpaid; what a late deposit may still pay is given back later. */
export async function releaseAtEnd(tx: Tx, { id, kind, state, outer }: OrderRecord): Promise<void> {
  const isOver = state === 'kyc_failed' || state === 'payment_failed' || (state === 'refunded' && outer.delivery !== 'partial-delivery');
  if (isOver || (kind === 'onramp' && state === 'quote_expired')) await releaseLimits(tx, id);
}

/** Gives back what orders took whose quote ended too long ago for any deposit. For the worker. @returns how many orders */
export async function releaseExpiredLimits(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const { rows } = await ctx.store.query<{ id: string }>({
    name: 'orders-expired-limits',
    text: `select distinct o.id from order_limit_uses u join orders o on o.id = u.order_id
           where o.state = 'quote_expired'
             and o.quote_expires_at + coalesce((o.facts->'depositRules'->>'lateToleranceMs')::bigint, 0) * interval '1 millisecond' < $1
           limit $2`,
    values: [new Date(ctx.clock.now().getTime() - graceMs), ordersPerTurnMax],
  });
  for (const { id } of rows) await ctx.store.transaction((tx) => releaseLimits(tx, id));
  return rows.length;
}
