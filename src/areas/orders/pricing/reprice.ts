import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { OrderRecord, OrderTerms } from '../state/types.ts';
import { priceOrder } from './price-order.ts';
import { quoteTimes } from './quote-life.ts';
import { readOrderSettings } from './settings-store.ts';

export interface Repriced {
  readonly terms: OrderTerms;
  readonly quotedAt: Date;
  readonly quoteExpiresAt: Date;
  /**
   * Worth in hundredths of a US dollar, and the symbols of the tokens that move: what limits count.
   */
  readonly amountUsdMinor: bigint;
  readonly symbols: readonly string[];
}

/**
 * The price of an order as of now, for the same request.
 * @throws provider-unavailable when nobody knows a price, token-not-supported when the item cannot
 * be had any more, amount-below-minimum
 */
export async function repriceOrder(
  ctx: Pick<Ctx, 'chains' | 'providers' | 'store' | 'clock'>,
  order: Pick<OrderRecord, 'id' | 'projectId' | 'kind' | 'request' | 'facts'>,
): Promise<Repriced> {
  const settings = await readOrderSettings(ctx, order.projectId);
  const { quotedRail } = order.facts;
  const priced = await priceOrder(ctx, {
    projectId: order.projectId,
    orderId: order.id,
    kind: order.kind,
    request: order.request,
    settings,
    ...(typeof quotedRail === 'string' && { rail: quotedRail }),
  });
  if ('unavailable' in priced)
    throw new ServiceError('token-not-supported', { message: priced.unavailable.message });
  const { terms, amountUsdMinor, symbols } = priced;
  return { terms, amountUsdMinor, symbols, ...quoteTimes(ctx, settings) };
}

/**
 * Whether a new price is within what the payer agreed to: no less is delivered, or no more is paid,
 * than the slippage allows.
 */
export function isWithinSlippage(agreed: OrderTerms, now: OrderTerms): boolean {
  if (agreed.items)
    return agreed.items.every((item, index) => isWithinSlippage(item, now.items![index]!));
  const bps = BigInt(agreed.maxSlippageBps);
  return agreed.mode === 'exact-in'
    ? now.receive.amountMinor * 10_000n >= agreed.receive.amountMinor * (10_000n - bps)
    : now.pay.amountMinor * 10_000n <= agreed.pay.amountMinor * (10_000n + bps);
}

/**
 * Whether a new price is at least as good for the payer: of nothing less is delivered, and no more
 * is paid.
 */
export function isNoWorse(agreed: OrderTerms, now: OrderTerms): boolean {
  if (agreed.items) return agreed.items.every((item, index) => isNoWorse(item, now.items![index]!));
  return (
    now.receive.amountMinor >= agreed.receive.amountMinor &&
    now.pay.amountMinor <= agreed.pay.amountMinor
  );
}

/**
 * How much more an order may give for what is paid than it would if it were made now: prices move
 * while people pay.
 */
const unfairBpsMax = 2_000n;

/**
 * Whether an order gives no more for what is paid than it would now, but for what prices move in
 * its time. Whoever could write and seal orders could name prices of his own, slippage included:
 * the worker asks for the price itself before money is taken or leaves. Items of collections are
 * left out: their price is the project's, and was agreed.
 */
export function isFairPrice(agreed: OrderTerms, now: OrderTerms): boolean {
  if (agreed.items || now.items)
    return (
      agreed.items?.length === now.items?.length &&
      agreed.items!.every((item, index) => isFairPrice(item, now.items![index]!))
    );
  if (agreed.collectible) return now.collectible?.offerId === agreed.collectible.offerId;
  if (
    agreed.pay.asset !== now.pay.asset ||
    agreed.receive.asset !== now.receive.asset ||
    now.collectible
  )
    return false;
  const given = agreed.receive.amountMinor * now.pay.amountMinor * 10_000n;
  return given <= now.receive.amountMinor * agreed.pay.amountMinor * (10_000n + unfairBpsMax);
}
