import type { Ctx } from '../../../context.ts';
import type { OrderChange } from '../state/change-order.ts';
import type { OrderRecord } from '../state/types.ts';

/**
 * What a move writes about the quote of an order whose identity check outlives it: the order goes
 * on, with a new price once the check has passed, and until then nobody takes the old price for one
 * that holds.
 */
export function quoteOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): Pick<OrderChange, 'quote'> {
  return isQuoteOver(ctx, order) ? { quote: 'expired' } : {};
}

/** True when the order still shows as valid what no longer is. */
export function showsEndedQuote(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): boolean {
  return isQuoteOver(ctx, order) && order.publicStatus.quote !== 'expired';
}

/**
 * When a flow that follows an identity check has to look again at the latest: at the end of the
 * quote, then at that of the order.
 */
export function nextEndOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): Date | undefined {
  return isQuoteOver(ctx, order) ? order.deadlineAt : order.quoteExpiresAt;
}

export function isQuoteOver(ctx: Pick<Ctx, 'clock'>, { quoteExpiresAt }: OrderRecord): boolean {
  return quoteExpiresAt !== undefined && quoteExpiresAt <= ctx.clock.now();
}
