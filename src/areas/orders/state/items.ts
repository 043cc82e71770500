import { ServiceError } from '../../../lib/errors.ts';
import { parseTokenLocator } from '../../../lib/locator/locator.ts';
import type { PublicStatus } from './public-status.ts';
import type {
  ItemDelivery,
  OrderAmount,
  OrderFee,
  OrderLineItem,
  OrderRecord,
  OrderRequest,
  OrderTerms,
} from './types.ts';

/**
 * Orders of several line items: each has its own terms and its own delivery, and the order has
 * their sums.
 */

export const lineItemsMax = 10;

export function lineItemsOf({ lineItem, moreLineItems }: OrderRequest): readonly OrderLineItem[] {
  return [lineItem, ...(moreLineItems ?? [])];
}

/** True of an item of a collection: a new one, or a token with an id. */
export function isCollectible({
  collectionLocator,
  tokenLocator,
}: Pick<OrderLineItem, 'collectionLocator' | 'tokenLocator'>): boolean {
  return (
    collectionLocator !== undefined || (tokenLocator !== undefined && hasTokenId(tokenLocator))
  );
}

function hasTokenId(tokenLocator: string): boolean {
  try {
    const token = parseTokenLocator(tokenLocator);
    return token.by === 'address' && token.tokenId !== undefined;
  } catch (error) {
    // Said where the token is looked up.
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** True of an order that nobody has to pay. */
export function isFree({ value }: OrderTerms): boolean {
  return value.amountMinor === 0n;
}

/** True of an order of items of collections alone: goods, not money. */
export function isAllCollectible(order: { readonly terms?: OrderTerms }): boolean {
  const items = itemTermsOf(order);
  return items.length > 0 && items.every(({ collectible }) => collectible !== undefined);
}

export function itemCountOf({ request }: Pick<OrderRecord, 'request'>): number {
  return lineItemsOf(request).length;
}

/** The terms of each line item; of one they are the order's. */
export function itemTermsOf({ terms }: { readonly terms?: OrderTerms }): readonly OrderTerms[] {
  return terms ? (terms.items ?? [terms]) : [];
}

export function deliveriesOf({ facts }: Pick<OrderRecord, 'facts'>): readonly ItemDelivery[] {
  return facts.deliveries ?? [];
}

/** Ids of the transfers that deliver an order: of its one line item, or of each. */
export function deliveryIdsOf({ facts }: Pick<OrderRecord, 'facts'>): readonly string[] {
  const single = facts.deliveryTransferId === undefined ? [] : [facts.deliveryTransferId];
  return [...single, ...deliveriesOf({ facts }).map(({ transferId }) => transferId)];
}

/** True of a line item that has arrived. */
export function isItemDelivered(
  order: Pick<OrderRecord, 'publicStatus' | 'facts' | 'request'>,
  lineItem: number,
): boolean {
  if (itemCountOf(order) > 1) return deliveriesOf(order)[lineItem]?.status === 'delivered';
  return lineItem === 0 && order.publicStatus.delivery === 'completed';
}

/** The terms of an order of several line items. */
export function combineTerms(items: readonly [OrderTerms, ...OrderTerms[]]): OrderTerms {
  const [first] = items;
  const sum = (part: 'pay' | 'value' | 'unit'): OrderAmount => ({
    ...first[part],
    amountMinor: items.reduce((total, item) => total + item[part].amountMinor, 0n),
  });
  return {
    ...first,
    pay: sum('pay'),
    value: sum('value'),
    unit: sum('unit'),
    fees: sumFees(items.flatMap(({ fees }) => fees)),
    items,
  };
}

function sumFees(fees: readonly OrderFee[]): OrderFee[] {
  const sums = new Map<string, OrderFee>();
  for (const fee of fees) {
    const known = sums.get(fee.type);
    sums.set(
      fee.type,
      known ? { ...known, amountMinor: known.amountMinor + fee.amountMinor } : fee,
    );
  }
  return [...sums.values()];
}

/** One line item of an order, as if it were the whole: what it is shown, sent and booked from. */
export function itemOf<O extends Pick<OrderRecord, 'request' | 'terms' | 'facts' | 'publicStatus'>>(
  order: O,
  lineItem: number,
): O {
  if (itemCountOf(order) === 1) return order;
  const items = order.facts.items as readonly unknown[] | undefined;
  const { transferId, status, retried: _, ...delivered } = deliveriesOf(order)[lineItem] ?? {};
  const { moreLineItems: __, ...request } = order.request;
  return {
    ...order,
    request: { ...request, lineItem: lineItemsOf(order.request)[lineItem]! },
    ...(order.terms && { terms: itemTermsOf(order)[lineItem]! }),
    facts: {
      ...order.facts,
      ...(items && { item: items[lineItem] }),
      ...delivered,
      deliveryTransferId: transferId,
    },
    publicStatus: { ...order.publicStatus, delivery: statusOf(order.publicStatus, status) },
  };
}

function statusOf(
  { delivery }: PublicStatus,
  status: ItemDelivery['status'],
): PublicStatus['delivery'] {
  if (status === 'delivered') return 'completed';
  if (status === 'failed') return 'failed';
  return delivery;
}
