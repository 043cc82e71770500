import type { Ctx } from '../../../context.ts';
import type { OrderChange } from '../state/change-order.ts';
import type { OrderRecord } from '../state/types.ts';
import type { OrderSettings } from './settings.ts';

/** From when and until when a price holds that is made now. */
export function quoteTimes(
  ctx: Pick<Ctx, 'clock'>,
  settings: OrderSettings,
): { readonly quotedAt: Date; readonly quoteExpiresAt: Date } {
  const quotedAt = ctx.clock.now();
  return {
    quotedAt,
    quoteExpiresAt: new Date(quotedAt.getTime() + settings.quoteMinutes * 60_000),
  };
}

/**
 * What a move writes about the quote of an order whose identity check outlives it: the order goes
 * on, with a new price once the check has passed, and until then nobody takes the old price for one
 * that holds.
 */
export function quoteOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): Pick<OrderChange, 'quote'> {
  return isQuoteOver(order, ctx.clock.now()) ? { quote: 'expired' } : {};
}

/** True when the order still shows as valid what no longer is. */
export function showsEndedQuote(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): boolean {
  return isQuoteOver(order, ctx.clock.now()) && order.publicStatus.quote !== 'expired';
}

/**
 * When a flow that follows an identity check has to look again at the latest: at the end of the
 * quote, then at that of the order.
 */
export function nextEndOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): Date | undefined {
  return isQuoteOver(order, ctx.clock.now()) ? order.deadlineAt : order.quoteExpiresAt;
}

/** At its last instant a quote no longer holds. One that never began does not end. */
export function isQuoteOver(
  { quoteExpiresAt }: Pick<OrderRecord, 'quoteExpiresAt'>,
  now: Date,
): boolean {
  return quoteExpiresAt !== undefined && quoteExpiresAt <= now;
}
