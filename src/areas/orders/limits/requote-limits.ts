import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { withSavepoint } from '../../../store/tx.ts';
import type { Tx } from '../../../store/types.ts';
import { countLimits, hasUses, releaseLimits } from '../../order-limits/index.ts';
import { scaleDown } from '../pricing/decimals.ts';
import { type Repriced, readOrderSettings } from '../pricing/index.ts';
import type { OrderChange } from '../state/change-order.ts';
import type { OrderFailure } from '../state/failures.ts';
import { itemTermsOf } from '../state/items.ts';
import type { OrderRecord } from '../state/types.ts';
import { claimOrderLimits, limitsOf } from './order-limits.ts';
import { releaseTimeOf } from './release-limits.ts';

/**
 * Counts an order that goes on long after its quote against the limits of today, where what it had
 * taken was given back meanwhile.
 * @returns why it does not fit
 */
export async function retakeReleased(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
): Promise<OrderFailure | undefined> {
  if (ctx.clock.now() < releaseTimeOf(order) || (await hasUses(tx, order.id))) return undefined;
  return retakeLimits(ctx, tx, order, pricedOf(order));
}

/**
 * Counts an order that goes on by an operator's word, where what it had taken was given back. That
 * it fits is not asked.
 */
export async function countContinued(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<void> {
  if (!(await hasUses(tx, order.id)))
    await countLimits(ctx, tx, await limitsAnew(ctx, order, pricedOf(order)));
}

type PricedForLimits = Pick<Repriced, 'amountUsdMinor' | 'symbols'>;

/** As it was priced last. */
function pricedOf({ terms, facts }: OrderRecord): PricedForLimits {
  const moved = itemTermsOf({ ...(terms && { terms }) }).flatMap(({ pay, receive, collectible }) =>
    collectible ? [pay.currency] : [pay.currency, receive.currency],
  );
  return { amountUsdMinor: scaleDown(facts.amountUsd ?? '0', 2), symbols: [...new Set(moved)] };
}

async function limitsAnew(ctx: Ctx, order: OrderRecord, priced: PricedForLimits) {
  const { projectId, kind, request, userId, facts } = order;
  const settings = await readOrderSettings(ctx, projectId);
  const rail = typeof facts.quotedRail === 'string' ? facts.quotedRail : undefined;
  return limitsOf(ctx, {
    orderId: order.id,
    projectId,
    kind,
    request,
    settings,
    userId,
    rail,
    ...priced,
  });
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
 * Counts a new price against the limits of today instead of what the order took when it was
 * created.
 * @returns why it does not fit; then the order keeps what it had taken
 */
export async function retakeLimits(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { amountUsdMinor, symbols }: PricedForLimits,
): Promise<OrderFailure | undefined> {
  const limits = await limitsAnew(ctx, order, { amountUsdMinor, symbols });
  try {
    await withSavepoint(tx, 'retake_limits', async (inner) => {
      await releaseLimits(ctx, inner, order.id);
      await claimOrderLimits(ctx, inner, limits);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return {
      code: 'unknown',
      message: `The price is above a limit: ${error.message}`,
      retryPolicy: 'new-order',
    };
  }
}
