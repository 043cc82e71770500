import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount, parseDecimalAmount } from '../../../lib/money/amount.ts';
import { fiatDecimals } from '../../../lib/money/fiat.ts';
import {
  findCollection,
  findCollectionChain,
  findTokenOnSale,
  type Offer,
  selectReserved,
} from '../../collections/index.ts';
import type { OrderLineItem, OrderTerms } from '../state/types.ts';
import { worthOf } from './decimals.ts';
import type { PricedItem } from './price-order.ts';
import type { Unavailable } from './sides.ts';
import type { Side } from './terms.ts';

/** Items of collections: each has a price of its own in a fiat currency, or is free. */

/** How many of which offer a line item takes. */
export interface TakenItems {
  readonly offer: Offer;
  readonly quantity: bigint;
  /** How many there are for this order; absent: without end. */
  readonly left: bigint | undefined;
}

/** What a line item is about. */
export interface CollectibleSide extends TakenItems {
  readonly side: Side;
  readonly item: PricedItem;
}

/**
 * The registered collection or token of a line item, or why so many cannot be had now.
 * @param orderId what this order holds already is left for it
 * @throws validation-error, chain-not-supported, token-not-supported what this project does not
 * sell
 */
export async function readCollectible(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  input: {
    readonly projectId: string;
    readonly lineItem: OrderLineItem;
    readonly orderId?: string | undefined;
  },
): Promise<CollectibleSide | Unavailable> {
  const { projectId, lineItem, orderId } = input;
  const { collectionLocator, tokenLocator } = lineItem;
  const offer =
    collectionLocator === undefined
      ? await findTokenOnSale(ctx, { projectId, tokenLocator: tokenLocator! })
      : await findCollection(ctx, { projectId, collectionLocator });
  const quantity = BigInt(lineItem.quantity ?? 1);
  checkPerOrder(offer, quantity);
  checkArguments(ctx, { offer, quantity, lineItem });
  const item = itemOf(offer);
  const held = orderId === undefined ? [] : await selectReserved(ctx.store, orderId);
  const own = held
    .filter(({ offerId }) => offerId === offer.id)
    .reduce((sum, one) => sum + one.quantity, 0);
  const left =
    offer.supplyMax === undefined ? undefined : BigInt(offer.supplyMax - offer.taken + own);
  if (left !== undefined && left < quantity)
    return { code: 'sold-out', message: soldOut(offer, left), item };
  const side = {
    currency: (offer.symbol ?? 'item').toLowerCase(),
    asset: `${offer.chain}:${offer.tokenKey}`,
    decimals: 0,
  };
  return { offer, quantity, left, side, item };
}

/**
 * What the line items of an order take together of each offer is held to the same limits.
 * @returns the first line item for which nothing is left
 * @throws validation-error for more than one order may have
 */
export function checkTogether(
  taken: readonly (TakenItems | undefined)[],
): (Unavailable & { readonly index: number }) | undefined {
  const sums = new Map<string, bigint>();
  let short: (Unavailable & { readonly index: number }) | undefined;
  for (const [index, one] of taken.entries()) {
    if (!one) continue;
    const { offer, quantity, left } = one;
    const sum = (sums.get(offer.id) ?? 0n) + quantity;
    sums.set(offer.id, sum);
    checkPerOrder(offer, sum);
    if (left !== undefined && left < sum)
      short ??= { code: 'sold-out', message: soldOut(offer, left), index };
  }
  return short;
}

function checkPerOrder({ perOrderMax, name }: Offer, quantity: bigint): void {
  if (quantity > BigInt(perOrderMax))
    throw new ServiceError('validation-error', {
      message: `lineItems: one order may have ${perOrderMax} of "${name}", not ${quantity}.`,
    });
}

function soldOut({ name }: Offer, left: bigint): string {
  return left > 0n ? `Of "${name}" ${left} are left.` : `"${name}" is sold out.`;
}

/** What a collection's function cannot take is refused before anybody pays. */
function checkArguments(
  ctx: Pick<Ctx, 'chains'>,
  {
    offer,
    quantity,
    lineItem,
  }: { readonly offer: Offer; readonly quantity: bigint; readonly lineItem: OrderLineItem },
): void {
  if (offer.mintFunction === undefined) return;
  const { collections } = findCollectionChain(ctx, offer.chain);
  const { callData } = lineItem;
  collections.mintParams({
    ...offer,
    mintFunction: offer.mintFunction,
    quantity,
    recipientAddress: offer.address,
    ...(callData && { callData }),
  });
}

function itemOf({ chain, name, symbol, description, imageUrl }: Offer): PricedItem {
  return {
    chain,
    name,
    ...(symbol !== undefined && { symbol }),
    ...(description !== undefined && { description }),
    ...(imageUrl !== undefined && { imageUrl }),
  };
}

/** The price of one item in the order's currency, rounded up. */
export function unitPrice(
  { amount, currency }: NonNullable<Offer['price']>,
  {
    fiat,
    rate,
  }: {
    readonly fiat: Side /** The order's currency for one of the price's. */;
    readonly rate: string;
  },
): string {
  if (currency === fiat.currency) return amount;
  const decimals = fiatDecimals(currency);
  const amountMinor = parseDecimalAmount(amount, decimals);
  return formatAmount(
    worthOf({ amountMinor, decimals, rate, fiatDecimals: fiat.decimals }, 'up'),
    fiat.decimals,
  );
}

/** Nothing is paid, and nothing taken of it. */
export function freeTerms(input: {
  readonly pay: Side;
  readonly receive: Side;
  readonly fiat: Side;
  readonly quantity: bigint;
  readonly maxSlippageBps: number;
}): OrderTerms {
  const nothing = { ...input.fiat, amountMinor: 0n };
  return {
    mode: 'exact-out',
    pay: { ...input.pay, amountMinor: 0n },
    receive: { ...input.receive, amountMinor: input.quantity },
    fees: [],
    value: nothing,
    unit: nothing,
    rate: '0',
    maxSlippageBps: input.maxSlippageBps,
  };
}

/** What of an offer its terms remember, for the delivery. */
export function collectibleTerm({
  id,
  tokenId,
  kind,
}: Offer): NonNullable<OrderTerms['collectible']> {
  return { offerId: id, ...(kind === 'sale' && tokenId !== undefined && { tokenId }) };
}
