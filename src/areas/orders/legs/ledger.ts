import type { NewEntry, Posting } from '../../../ledger/index.ts';
import type { OrderAmount, OrderRecord, OrderTerms } from '../state/types.ts';

/**
 * Entries of orders: positive amounts are debits. Whatever an order's clearing account holds is
 * still owed to somebody.
 */

type Of = Pick<OrderRecord, 'id' | 'projectId'>;
type Money = Pick<OrderAmount, 'asset' | 'amountMinor'>;

export const clearingOf = (order: Pick<OrderRecord, 'id'>) => `order:${order.id}:clearing`;
const receivableOf = (provider: string) => `card:${provider}:receivable`;
const disputesOf = (provider: string) => `card:${provider}:disputes`;
const treasuryOf = (chain: string) => `chain:${chain}:treasury`;
/** The relay's executors pay the fees of transactions, not the treasury. */
const hotOf = (chain: string) => `chain:${chain}:hot`;
/** Where tokens become fiat, and fiat tokens. */
export const conversionAccount = 'fx:orders';
/** What items of collections were sold for. */
const itemSales = 'sales:collections';
/** What was paid back of deliveries by agreement. */
const grantedRefunds = 'equity:granted-refunds';
/** What disputes took for good. */
const disputeLosses = 'equity:dispute-losses';

/** From one account to another, both in the same asset. */
export function leg(from: string, to: string, { asset, amountMinor }: Money): Posting[] {
  return [
    { account: to, asset, amountMinor },
    { account: from, asset, amountMinor: -amountMinor },
  ];
}

function entry(order: Of, input: Omit<NewEntry, 'projectId' | 'orderId'>): NewEntry {
  const postings = input.postings.filter(({ amountMinor }) => amountMinor !== 0n);
  return { ...input, postings, projectId: order.projectId, orderId: order.id };
}

/** The acquirer took the money of the payer and owes it to us, and we owe it to the order. */
export function captureEntry(
  order: Of,
  input: { readonly provider: string; readonly paid: Money; readonly at: Date },
): NewEntry {
  return entry(order, {
    reference: `card-capture:${order.id}`,
    kind: 'card-captured',
    effectiveAt: input.at,
    postings: leg(clearingOf(order), receivableOf(input.provider), input.paid),
  });
}

export function cardRefundEntry(
  order: Of,
  input: {
    readonly provider: string;
    readonly refundId: string;
    readonly money: Money;
    readonly at: Date;
  },
): NewEntry {
  return entry(order, {
    reference: `card-refund:${input.refundId}`,
    kind: 'card-refunded',
    effectiveAt: input.at,
    postings: leg(receivableOf(input.provider), clearingOf(order), input.money),
  });
}

/** A delivered line item is to be paid back: we owe the order its price again. */
export function refundGrantEntry(
  order: Of,
  input: { readonly requestId: string; readonly money: Money; readonly at: Date },
): NewEntry {
  return entry(order, {
    reference: `refund-grant:${input.requestId}`,
    kind: 'refund-granted',
    effectiveAt: input.at,
    postings: leg(clearingOf(order), grantedRefunds, input.money),
  });
}

/**
 * Tokens that left the treasury for an order: its fees, the conversion of what was paid into what
 * was delivered, and the delivery. Posted together, since until then all that was paid may go back.
 */
export function deliveryEntries(
  order: Of & { readonly terms: OrderTerms },
  input: {
    readonly chain: string;
    readonly transferId: string;
    /** Of what was paid: over the price by so little that it is kept. */
    readonly dustMinor: bigint;
    readonly at: Date;
    /** Index of the line item, of an order of several. */
    readonly lineItem?: number | undefined;
  },
): NewEntry[] {
  const key = input.lineItem === undefined ? order.id : `${order.id}/${input.lineItem}`;
  const { pay, receive, fees, value, unit, collectible } = order.terms;
  const clearing = clearingOf(order);
  const { at: effectiveAt } = input;
  // What was paid in fiat needs no conversion into it.
  const intoFiat =
    pay.asset === value.asset
      ? []
      : [...leg(conversionAccount, clearing, pay), ...leg(clearing, conversionAccount, value)];
  const intoTokens = [
    ...leg(conversionAccount, clearing, unit),
    ...leg(clearing, conversionAccount, receive),
  ];
  // An item of a collection is no money: its price is what the project has earned.
  const delivered = collectible
    ? leg(itemSales, clearing, unit)
    : leg(treasuryOf(input.chain), clearing, receive);
  return [
    entry(order, {
      reference: `order-conversion:${key}`,
      kind: 'conversion',
      effectiveAt,
      postings: [...intoFiat, ...(collectible ? [] : intoTokens)],
      data: { rate: order.terms.rate },
    }),
    ...[...fees, { ...pay, type: 'dust', amountMinor: input.dustMinor }]
      .filter((fee) => fee.amountMinor > 0n)
      .map((fee) =>
        entry(order, {
          reference: `order-fee:${key}:${fee.type}`,
          kind: 'fee',
          effectiveAt,
          postings: leg(`fees:${fee.type}`, clearing, fee),
        }),
      ),
    entry(order, {
      reference: `order-delivery:${key}`,
      kind: 'delivered',
      effectiveAt,
      postings: delivered,
      data: { transferId: input.transferId },
    }),
  ].filter(({ postings }) => postings.length > 0);
}

/** What a transfer of the treasury cost on its chain, also one that failed. */
export function gasEntry(
  order: Of,
  input: {
    readonly transferId: string;
    readonly chain: string;
    readonly costMinor: bigint;
    readonly at: Date;
  },
): NewEntry[] {
  if (input.costMinor === 0n) return [];
  return [
    entry(order, {
      reference: `gas:${input.transferId}`,
      kind: 'gas',
      effectiveAt: input.at,
      postings: leg(hotOf(input.chain), 'gas:spent', {
        asset: `${input.chain}:native`,
        amountMinor: input.costMinor,
      }),
    }),
  ];
}

type DisputeStep = 'opened' | 'won' | 'lost';

/** A dispute takes captured money back until it is decided. */
export function disputeEntry(
  order: Of,
  input: {
    readonly provider: string;
    readonly reference: string;
    readonly step: DisputeStep;
    readonly money: Money;
    readonly at: Date;
  },
): NewEntry {
  const { provider, reference, step, money } = input;
  const [receivable, disputes] = [receivableOf(provider), disputesOf(provider)];
  const legs: Readonly<Record<DisputeStep, Posting[]>> = {
    opened: leg(receivable, disputes, money),
    won: leg(disputes, receivable, money),
    lost: leg(disputes, disputeLosses, money),
  };
  return entry(order, {
    reference: `card-dispute:${provider}/${reference}:${step}`,
    kind: `dispute-${step}`,
    effectiveAt: input.at,
    postings: legs[step],
  });
}
