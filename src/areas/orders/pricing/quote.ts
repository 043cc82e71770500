import type { RequestCtx } from '../../../context.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { isShipped } from '../api/shipping.ts';
import { choosePayoutRail, readPayoutMethod } from '../legs/payout/method.ts';
import { checkLimits } from '../limits/order-limits.ts';
import { isFree } from '../state/items.ts';
import type { OrderFacts, OrderRecord, OrderRequest } from '../state/types.ts';
import {
  type OrderSettings,
  type Priced,
  priceOrder,
  readOrderSettings,
  type Unavailable,
} from './index.ts';

/** What is known of an order before it is stored. */
export interface Quoted {
  readonly kind: OrderRecord['kind'];
  readonly request: OrderRequest;
  readonly settings: OrderSettings;
  /** Of the payout, as it was priced. */
  readonly rail?: string;
  readonly priced?: Priced;
  readonly unavailable?: Unavailable;
}

/**
 * Prices a request and refuses what is too large for anybody.
 * @throws the codes of pricing, payment methods and rails, single_purchase_exceeded
 */
export async function quoteRequest(
  ctx: RequestCtx,
  input: Pick<Quoted, 'kind' | 'request'> & { readonly orderId?: string },
): Promise<Quoted> {
  const settings = await readOrderSettings(ctx, ctx.caller.projectId);
  const rail = await readRail(ctx, input.request);
  const quoted = { ...input, settings, ...(rail !== undefined && { rail }) };
  const found = await priceOrder(ctx, { ...quoted, projectId: ctx.caller.projectId });
  if ('unavailable' in found) return { ...quoted, unavailable: found.unavailable };
  // What is free has no payment to wait for, whatever it was to be paid with.
  const priced = {
    ...quoted,
    priced: found,
    ...(isFree(found.terms) && { kind: 'checkout' as const }),
  };
  checkLimits(ctx, limitedOrder({ id: '', projectId: ctx.caller.projectId }, priced));
  return priced;
}

/** What is kept of a quote beside its terms. */
export function quoteFacts({ priced, unavailable, rail, settings }: Quoted): Partial<OrderFacts> {
  return {
    legal: settings.legal.length > 0 ? settings.legal : undefined,
    quotedRail: rail,
    unavailable: unavailable && { code: unavailable.code, message: unavailable.message },
    item: priced?.item ?? unavailable?.item,
    items: priced?.items,
    isShipped: priced && isShipped(settings, priced.terms) ? true : undefined,
    ...(priced && { amountUsd: formatAmount(priced.amountUsdMinor, 2) }),
  };
}

/** The order as limits see it. */
export function limitedOrder(
  order: { readonly id: string; readonly projectId: string; readonly userId?: string },
  quoted: Quoted,
) {
  return {
    orderId: order.id,
    projectId: order.projectId,
    userId: order.userId,
    kind: quoted.kind,
    request: quoted.request,
    settings: quoted.settings,
    rail: quoted.rail,
    amountUsdMinor: quoted.priced?.amountUsdMinor ?? 0n,
    symbols: quoted.priced?.symbols ?? [],
  };
}

async function readRail(
  ctx: RequestCtx,
  { recipient, lineItem }: OrderRequest,
): Promise<string | undefined> {
  if (recipient.paymentMethodId === undefined || lineItem.fiatCurrency === undefined)
    return undefined;
  const method = await readPayoutMethod(ctx, recipient.paymentMethodId);
  return choosePayoutRail(method, { rail: recipient.rail, fiatCurrency: lineItem.fiatCurrency });
}
