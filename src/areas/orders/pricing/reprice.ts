import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { OrderRecord, OrderTerms } from '../types.ts';
import { priceOrder } from './price-order.ts';
import type { OrderSettings } from './settings.ts';
import { readOrderSettings } from './settings-store.ts';

export interface Repriced {
  readonly terms: OrderTerms;
  readonly quotedAt: Date;
  readonly quoteExpiresAt: Date;
  /** Worth in hundredths of a US dollar, and the symbols of the tokens that move: what limits count. */
  readonly amountUsdMinor: bigint;
  readonly symbols: readonly string[];
}

/**
 * The price of an order as of now, for the same request.
 * @throws provider-unavailable when nobody knows a price, token-not-supported when the item cannot be had any more, amount-below-minimum
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
  if ('unavailable' in priced) throw new ServiceError('token-not-supported', { message: priced.unavailable.message });
  const { terms, amountUsdMinor, symbols } = priced;
  return { terms, amountUsdMinor, symbols, ...quoteTimes(ctx, settings) };
}

export function quoteTimes(ctx: Pick<Ctx, 'clock'>, settings: OrderSettings): { readonly quotedAt: Date; readonly quoteExpiresAt: Date } {
  const quotedAt = ctx.clock.now();
  return { quotedAt, quoteExpiresAt: new Date(quotedAt.getTime() + settings.quoteMinutes * 60_000) };
}

/** Whether a new price is within what the payer agreed to: no less is delivered, or no more is paid, than the slippage allows. */
export function isWithinSlippage(agreed: OrderTerms, now: OrderTerms): boolean {
  if (agreed.items) return agreed.items.every((item, index) => isWithinSlippage(item, now.items![index]!));
  const bps = BigInt(agreed.maxSlippageBps);
  return agreed.mode === 'exact-in'
    ? now.receive.amountMinor * 10_000n >= agreed.receive.amountMinor * (10_000n - bps)
    : now.pay.amountMinor * 10_000n <= agreed.pay.amountMinor * (10_000n + bps);
}

/** Whether a new price is at least as good for the payer: of nothing less is delivered, and no more is paid. */
export function isNoWorse(agreed: OrderTerms, now: OrderTerms): boolean {
  if (agreed.items) return agreed.items.every((item, index) => isNoWorse(item, now.items![index]!));
  return now.receive.amountMinor >= agreed.receive.amountMinor && now.pay.amountMinor <= agreed.pay.amountMinor;
}
