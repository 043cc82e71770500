import type { Ctx } from '../../../../context.ts';
import type { Step } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { selectDepositsOfOrder } from '../../../deposits/index.ts';
import type { OrderFlowState } from '../../kinds/flow-registry.ts';
import { orderEffect, sleepByAge } from '../../kinds/steps.ts';
import { retakeReleased } from '../../limits/requote-limits.ts';
import { isNoWorse, isWithinSlippage, repriceOrder } from '../../pricing/index.ts';
import { changeOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import type { OrderRecord, OrderTerms } from '../../state/types.ts';
import { retakeStock } from '../delivery/stock.ts';
import { countDeposits, rulesOf } from './rules.ts';
import { readPaying, receivedOf, refundExcess } from './settle.ts';

/**
 * What becomes of a deposit that comes after the quote's end; how late one may be is agreed with the
 * order (`lateToleranceMs` in rules.ts).
 */

const lookMaxMs = 3_600_000;

/**
 * Of a deposit after the quote's end: it is honoured when it was made in time, or within the
 * tolerance while the price still covers what was agreed; at the new price where that is within the
 * agreed slippage. Else it goes back.
 */
export const lateStep: Step<OrderFlowState, Ctx> = orderEffect<OrderTerms | undefined>({
  turn: 'late',
  prepare: async (ctx, tx, order) => {
    const paying = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
    return paying.pending.length > 0 || paying.final.length === 0
      ? sleepByAge(ctx, order, { maxMs: lookMaxMs })
      : undefined;
  },
  perform: (ctx, order) => termsOfLate(ctx, order),
  record: async (ctx, tx, order, terms) => {
    const paying = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
    if (paying.pending.length > 0) return { goto: 'look' };
    const received = receivedOf(order, paying);
    const count = terms && countDeposits(terms, rulesOf(order), paying.sumMinor);
    if (!count || count.fit === 'short') {
      const failure: OrderFailure = {
        code: 'deposit-late',
        message: 'The deposit came after the quote had ended: it is sent back.',
        retryPolicy: 'new-order',
      };
      await changeOrder(ctx, tx, order, { event: 'refund', facts: { received, failure } });
      return { goto: 'look' };
    }
    const overLimit = (await retakeReleased(ctx, tx, order)) ?? (await retakeStock(ctx, tx, order));
    if (overLimit) {
      await changeOrder(ctx, tx, order, {
        event: 'refund',
        facts: { received, failure: overLimit },
        note: 'above a limit, or sold meanwhile',
      });
      return { goto: 'look' };
    }
    const kept = count.fit === 'exact' ? count : { terms, dustMinor: 0n };
    const honoured = await changeOrder(ctx, tx, order, {
      event: 'honoured',
      facts: { received, failure: undefined, dustMinor: kept.dustMinor.toString() },
      ...(kept.terms !== order.terms && { set: { terms: kept.terms }, priced: true }),
    });
    if (count.fit === 'over')
      await refundExcess(ctx, tx, honoured, { paying, excessMinor: count.excessMinor });
    return { goto: 'look' };
  },
});

/** The terms at which a late deposit is honoured; undefined: it is not. */
async function termsOfLate(ctx: Ctx, order: OrderRecord): Promise<OrderTerms | undefined> {
  const deposits = await ctx.store.transaction(async (tx) =>
    readPaying(tx, order, await selectDepositsOfOrder(tx, order.id)),
  );
  const lastMs = Math.max(...deposits.final.map(({ includedAt }) => includedAt.getTime()));
  const lateMs = lastMs - (order.quoteExpiresAt?.getTime() ?? 0);
  const agreed = order.terms!;
  if (lateMs <= 0) return agreed;
  if (lateMs > rulesOf(order).lateToleranceMs) return undefined;
  const now = await repriceOrder(ctx, order).catch((error: unknown) => {
    // The item cannot be had at any price any more.
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  });
  if (!now) return undefined;
  if (isNoWorse(agreed, now.terms)) return agreed;
  return isWithinSlippage(agreed, now.terms) ? now.terms : undefined;
}
