import { factsOfChain } from '../../../chains/families.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { PricedItem } from '../pricing/index.ts';
import { shownFailure } from './failures.ts';
import { itemOf, lineItemsOf } from './items.ts';
import type {
  OrderAmount,
  OrderMoneyFact,
  OrderRecord,
  OrderRequest,
  OrderTerms,
} from './types.ts';

/** What an order is shown from; a draft has all of it but a row. */
export type ViewedOrder = Pick<
  OrderRecord,
  | 'id'
  | 'kind'
  | 'request'
  | 'terms'
  | 'facts'
  | 'quotedAt'
  | 'quoteExpiresAt'
  | 'userLocator'
  | 'publicStatus'
>;

/**
 * An order as callers see it (interface, "Order"; supplement, section 13); events carry the same.
 */
export function orderView(order: ViewedOrder): JsonObject {
  const { request, publicStatus, terms } = order;
  return {
    orderId: order.id,
    phase: publicStatus.phase,
    locale: request.locale,
    lineItems: lineItemsOf(request).map((_, index) => lineItemView(itemOf(order, index))),
    quote: {
      status: publicStatus.quote,
      ...(order.quotedAt && { quotedAt: order.quotedAt.toISOString() }),
      ...(order.quoteExpiresAt && { expiresAt: order.quoteExpiresAt.toISOString() }),
      ...(terms && {
        totalPrice: money(publicStatus.payment === 'draft' ? terms.value : terms.pay),
      }),
    },
    payment: paymentView(order),
    legal: { requirements: legalOf(order) },
    ...(request.metadata && { metadata: request.metadata }),
  };
}

/**
 * What the project asks everybody to accept, and what the payer has to accept before the identity
 * check goes on.
 */
function legalOf({ facts, publicStatus }: ViewedOrder): readonly JsonObject[] {
  const own = (facts.legal as readonly JsonObject[] | undefined) ?? [];
  const { legal = [] } =
    (facts.kyc as { readonly legal?: readonly JsonObject[] } | undefined) ?? {};
  if (publicStatus.payment !== 'requires-kyc') return own;
  return [...own, ...legal.filter(({ type }) => own.every((known) => known.type !== type))];
}

function lineItemView(order: ViewedOrder): JsonObject {
  const { request, terms, facts } = order;
  const { lineItem } = request;
  const item = facts.item as PricedItem | undefined;
  const chain = chainOf(order, item?.chain);
  const name = item?.name ?? nameOf(request);
  const slippageBps = terms?.maxSlippageBps ?? lineItem.maxSlippageBps;
  return {
    ...(chain !== undefined && { chain }),
    ...(lineItem.tokenLocator !== undefined && { tokenLocator: lineItem.tokenLocator }),
    ...(lineItem.collectionLocator !== undefined && {
      collectionLocator: lineItem.collectionLocator,
    }),
    ...(lineItem.fiatCurrency !== undefined && {
      currencyLocator: `fiat:${lineItem.fiatCurrency}`,
    }),
    executionMode: lineItem.mode,
    executionParams: {
      mode: lineItem.mode,
      amount: lineItem.amount,
      ...(lineItem.fiatCurrency !== undefined && { outFiatCurrency: lineItem.fiatCurrency }),
      ...(terms && {
        effectiveAmount: formatAmount(terms.receive.amountMinor, terms.receive.decimals),
      }),
    },
    ...(lineItem.callData && { callData: lineItem.callData }),
    ...(slippageBps !== undefined && { maxSlippageBps: String(slippageBps) }),
    quantity: lineItem.quantity ?? 1,
    metadata: {
      name,
      description: item?.description ?? descriptionOf(order, name),
      imageUrl: item?.imageUrl ?? pictureOf(item?.symbol ?? name),
    },
    quote: lineItemQuote(order),
    delivery: deliveryView(order),
  };
}

function lineItemQuote({ publicStatus, terms, facts }: ViewedOrder): JsonObject {
  const reason = facts.unavailable as
    | { readonly code: string; readonly message: string }
    | undefined;
  const status =
    publicStatus.quote === 'all-line-items-unavailable'
      ? 'item-unavailable'
      : publicStatus.quote === 'requires-physical-address'
        ? 'requires-recipient'
        : publicStatus.quote;
  if (!terms)
    return {
      status,
      ...(reason && { unavailabilityReason: { code: reason.code, message: reason.message } }),
    };
  const nothing = { amount: '0', currency: terms.value.currency };
  return {
    status,
    charges: {
      unit: money(terms.unit),
      fees: terms.fees.map((fee) => ({ type: fee.type, ...money(fee) })),
      salesTax: nothing,
      shipping: nothing,
    },
    totalPrice: money(terms.value),
    quantityRange: quantityRange(terms),
  };
}

/**
 * Between what the slippage may leave and what was quoted; exactly what was asked for when that was
 * named.
 */
function quantityRange({ mode, receive, maxSlippageBps }: OrderTerms): JsonObject {
  const least =
    mode === 'exact-in'
      ? (receive.amountMinor * BigInt(10_000 - maxSlippageBps)) / 10_000n
      : receive.amountMinor;
  return {
    lowerBound: formatAmount(least, receive.decimals),
    upperBound: formatAmount(receive.amountMinor, receive.decimals),
  };
}

function paymentView({ request, publicStatus, facts }: ViewedOrder): JsonObject {
  const { method, currency, receiptEmail } = request.payment;
  const { failure } = facts;
  return {
    status: publicStatus.payment,
    method,
    currency,
    // What an expired quote or a paid order says about paying must not be followed any more.
    ...(facts.preparation &&
      publicStatus.phase === 'payment' && { preparation: facts.preparation }),
    ...(receiptEmail !== undefined && { receiptEmail }),
    ...(facts.received && { received: movedMoney(facts.received) }),
    ...(facts.refunded && { refunded: movedMoney(facts.refunded) }),
    ...(facts.totalPaid && { totalPaid: movedMoney(facts.totalPaid) }),
    ...(failure && { failureReason: { ...shownFailure(failure, publicStatus.phase) } }),
  };
}

function deliveryView(order: ViewedOrder): JsonObject {
  const { publicStatus, facts } = order;
  const isDelivered = publicStatus.delivery === 'completed';
  const tokens = isDelivered ? deliveredTokens(order) : undefined;
  const recipient = recipientView(order);
  return {
    status: publicStatus.delivery,
    ...(facts.rail !== undefined && { rail: facts.rail }),
    ...(isDelivered && facts.deliveredAt !== undefined && { completedAt: facts.deliveredAt }),
    ...(recipient && { recipient }),
    ...(facts.txId !== undefined && { txId: facts.txId }),
    ...(tokens && { tokens }),
  };
}

function recipientView({ request, userLocator, kind, facts }: ViewedOrder): JsonObject | undefined {
  const { walletAddress, email, paymentMethodId, physicalAddress } = request.recipient;
  const address = walletAddress ?? (facts.recipientAddress as string | undefined);
  const chain = (facts.item as { readonly chain?: string } | undefined)?.chain;
  const locator =
    kind === 'offramp'
      ? userLocator
      : address !== undefined && chain !== undefined
        ? `${chain}:${address}`
        : undefined;
  const recipient: JsonObject = {
    ...(locator !== undefined && { locator }),
    ...(email !== undefined && { email }),
    ...(address !== undefined && { walletAddress: address }),
    ...(paymentMethodId !== undefined && { paymentMethodId }),
    ...(physicalAddress && { physicalAddress }),
  };
  return Object.keys(recipient).length === 0 ? undefined : recipient;
}

function chainOf(
  { kind, request }: ViewedOrder,
  itemChain: string | undefined,
): string | undefined {
  if (itemChain !== undefined) return itemChain;
  return kind === 'offramp'
    ? request.payment.method
    : (request.lineItem.tokenLocator ?? request.lineItem.collectionLocator)?.split(':')[0];
}

function nameOf({ lineItem }: OrderRequest): string {
  return (
    lineItem.fiatCurrency?.toUpperCase() ??
    (lineItem.tokenLocator ?? lineItem.collectionLocator ?? '').split(':')[1] ??
    ''
  );
}

function descriptionOf({ kind, request }: ViewedOrder, name: string): string {
  return kind === 'offramp'
    ? `Payout of ${request.payment.currency.toUpperCase()} in ${name}`
    : `Purchase of ${name}`;
}

function money({ amountMinor, decimals, currency }: OrderAmount): {
  amount: string;
  currency: string;
} {
  return { amount: formatAmount(amountMinor, decimals), currency };
}

function movedMoney({ currency, decimals, amountMinor, chain, txId }: OrderMoneyFact): JsonObject {
  return {
    amount: formatAmount(BigInt(amountMinor), decimals),
    currency,
    ...(chain !== undefined && { chain }),
    ...(txId !== undefined && { txId }),
  };
}

/**
 * Items of a collection, each with its id. Those of an order that an operator has closed may be
 * known by their number alone.
 */
function deliveredItems({
  terms,
  facts,
}: Pick<OrderRecord, 'facts'> & { readonly terms: OrderTerms }): JsonObject[] {
  const { asset } = terms.receive;
  const symbol = (facts.item as PricedItem | undefined)?.symbol?.toLowerCase();
  const chain = asset.slice(0, asset.indexOf(':'));
  const contractAddress = facts.deliveredAddress ?? asset.slice(chain.length + 1);
  const common = { contractAddress, ...(symbol !== undefined && { symbol }), decimals: 0 };
  const tokens = facts.deliveredTokens ?? [];
  if (tokens.length === 0)
    return [
      { locator: `${chain}:${contractAddress}`, quantity: facts.deliveredMinor ?? '0', ...common },
    ];
  return tokens.map(({ tokenId, quantity }) => ({
    locator: `${chain}:${contractAddress}:${tokenId}`,
    tokenId,
    quantity,
    ...common,
  }));
}

/** `delivery.tokens` of an order that was delivered in tokens; undefined for fiat. */
function deliveredTokens({
  terms,
  facts,
}: Pick<OrderRecord, 'terms' | 'facts'>): JsonObject[] | undefined {
  if (!terms || facts.deliveredMinor === undefined) return undefined;
  const { asset, currency, decimals } = terms.receive;
  const [chain, canonical] = asset.split(/:(.*)/s) as [string, string | undefined];
  if (canonical === undefined) return undefined;
  if (terms.collectible) return deliveredItems({ terms, facts });
  const isNative = canonical === 'native';
  const address = facts.deliveredAddress ?? canonical;
  return [
    {
      locator: `${chain}:${isNative ? currency : address}`,
      ...(!isNative && { [factsOfChain(chain).tokenAddressField]: address }),
      quantity: formatAmount(BigInt(facts.deliveredMinor), decimals),
      symbol: currency,
      decimals,
    },
  ];
}

const letterCountMax = 5;

/**
 * A picture of a line item that has none of its own: its symbol on a disc of a colour that follows
 * from it, as an address that carries the picture itself, so that no reader of an order has to ask
 * anybody for it.
 */
export function pictureOf(name: string): string {
  const letters = (name.toUpperCase().match(/[A-Z0-9]/g) ?? []).slice(0, letterCountMax);
  const hue = letters.reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 0);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue},55%,38%)"/>`,
    '<text x="32" y="38" font-family="sans-serif" font-size="16" text-anchor="middle" fill="#fff">',
    `${letters.join('')}</text></svg>`,
  ].join('');
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
