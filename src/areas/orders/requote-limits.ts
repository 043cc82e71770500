import type { Ctx } from '../../context.ts';
import { formatAmount } from '../../lib/amount.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { hasUses, releaseLimits } from '../order-limits/index.ts';
import type { OrderChange } from './change-order.ts';
import type { OrderFailure } from './failures.ts';
import { itemTermsOf } from './items.ts';
import { limitsOf, takeOrderLimits } from './order-limits.ts';
import { scaleDown } from './pricing/decimals.ts';
import { type Repriced, readOrderSettings } from './pricing/index.ts';
import { releaseTimeOf } from './release-limits.ts';
import type { OrderRecord } from './types.ts';

/**
 * Counts an order that goes on long after its quote against the limits of today, where what it had taken was given back meanwhile.
 * @returns why it does not fit
 */
export async function retakeReleased(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderFailure | undefined> {
  const { facts } = order;
  if (ctx.clock.now() < releaseTimeOf(order) || (await hasUses(tx, order.id))) return undefined;
  const terms = order.terms!;
  const symbols = [...new Set(itemTermsOf({ terms }).flatMap(({ pay, receive }) => [pay.currency, receive.currency]))];
  return retakeLimits(ctx, tx, order, { amountUsdMinor: scaleDown(facts.amountUsd ?? '0', 2), symbols });
}

/** What an order writes when its price was made anew, long after it was created. */
export function requoteOf({ terms, quotedAt, quoteExpiresAt, amountUsdMinor }: Repriced) {
  return {
    set: { terms, quotedAt, quoteExpiresAt },
    facts: { amountUsd: formatAmount(amountUsdMinor, 2) },
    priced: true,
  } satisfies Partial<OrderChange>;
}

/**
 * Counts a new price against the limits of today instead of what the order took when it was created.
 * @returns why it does not fit; then the order keeps what it had taken
 */
export async function retakeLimits(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  repriced: Pick<Repriced, 'amountUsdMinor' | 'symbols'>,
): Promise<OrderFailure | undefined> {
  const { projectId, kind, request, userId, facts } = order;
  const settings = await readOrderSettings(ctx, projectId);
  const rail = typeof facts.quotedRail === 'string' ? facts.quotedRail : undefined;
  const { amountUsdMinor, symbols } = repriced;
  const limits = await limitsOf(ctx, { orderId: order.id, projectId, kind, request, settings, userId, rail, amountUsdMinor, symbols });
  await tx.query({ text: 'savepoint retake_limits' });
  try {
    await releaseLimits(tx, order.id);
    await takeOrderLimits(ctx, tx, limits);
    await tx.query({ text: 'release savepoint retake_limits' });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    await tx.query({ text: 'rollback to savepoint retake_limits' });
    return { code: 'unknown', message: `The price is above a limit: ${error.message}`, retryPolicy: 'new-order' };
  }
}
