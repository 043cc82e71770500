import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { divideDecimals, parseDecimalAmount } from '../../../lib/money/amount.ts';
import { combineTerms, isCollectible, lineItemsOf } from '../state/items.ts';
import type { OrderKind } from '../state/machine.ts';
import type { OrderRequest, OrderTerms } from '../state/types.ts';
import { worthOf } from './decimals.ts';
import { chooseFees } from './fees.ts';
import { fiatSide } from './fiat.ts';
import {
  checkTogether,
  collectibleTerm,
  freeTerms,
  readCollectible,
  type TakenItems,
  unitPrice,
} from './price-collectible.ts';
import type { OrderSettings } from './settings.ts';
import { readBoughtToken, readPaidToken, type TokenSide, type Unavailable } from './sides.ts';
import { makeTerms, type Side } from './terms.ts';

export type PricingCtx = Pick<Ctx, 'chains' | 'providers' | 'store'>;

export interface PriceInput {
  readonly projectId: string;
  /** Of an order that is priced anew: what it holds is there for it. */
  readonly orderId?: string | undefined;
  readonly kind: OrderKind;
  readonly request: OrderRequest;
  readonly settings: OrderSettings;
  /** On which the payout goes, where it is known. */
  readonly rail?: string;
}

/** What is delivered, as answers name it. */
export interface PricedItem {
  readonly chain?: string;
  readonly name: string;
  readonly symbol?: string;
  readonly description?: string;
  readonly imageUrl?: string;
}

export interface Priced {
  readonly terms: OrderTerms;
  /** Worth of the order in hundredths of a US dollar, rounded up. */
  readonly amountUsdMinor: bigint;
  readonly item: PricedItem;
  /** Of each line item, where there are several. */
  readonly items?: readonly PricedItem[];
  /** Symbols of the tokens that the order moves. */
  readonly symbols: readonly string[];
  /** Of an item of a collection: how many of which offer. */
  readonly taken?: TakenItems;
}

/** Digits of a rate. */
const rateScale = 18;
const cardMinimumCents = 50n;

/**
 * Prices an order at this instant; `unavailable` when the item cannot be had.
 * @throws validation-error, payment-method-not-supported, chain-not-supported, token-not-supported,
 *   amount-below-minimum, provider-unavailable when nobody knows a price
 */
export async function priceOrder(
  ctx: PricingCtx,
  input: PriceInput,
): Promise<Priced | { readonly unavailable: Unavailable }> {
  const lineItems = lineItemsOf(input.request);
  if (lineItems.length === 1) return priceItem(ctx, input);
  const found = await Promise.all(
    lineItems.map((lineItem) =>
      priceItem(ctx, { ...input, request: { ...input.request, lineItem } }),
    ),
  );
  const priced = found.flatMap((one) => ('unavailable' in one ? [] : [one]));
  const [first, ...more] = priced;
  if (!first) return found[0]!;
  const missing = found.findIndex((one) => 'unavailable' in one);
  if (missing >= 0)
    throw missingItem(found[missing] as { readonly unavailable: Unavailable }, missing);
  const short = checkTogether(priced.map(({ taken }) => taken));
  if (short) throw missingItem({ unavailable: short }, short.index);
  if (more.some(({ item }) => item.chain !== first.item.chain))
    throw new ServiceError('validation-error', {
      message: 'lineItems: all are of one network. Create an order for each network.',
    });
  return {
    terms: combineTerms([first.terms, ...more.map(({ terms }) => terms)]),
    amountUsdMinor: priced.reduce((sum, { amountUsdMinor }) => sum + amountUsdMinor, 0n),
    item: first.item,
    items: priced.map(({ item }) => item),
    symbols: [...new Set(priced.flatMap(({ symbols }) => symbols))],
  };
}

/** Nobody pays for a list of which a part cannot be had. */
function missingItem(
  { unavailable }: { readonly unavailable: Unavailable },
  index: number,
): ServiceError {
  return new ServiceError('token-not-supported', {
    message: `lineItems[${index}]: ${unavailable.message} Leave it out.`,
  });
}

async function priceItem(
  ctx: PricingCtx,
  input: PriceInput,
): Promise<Priced | { readonly unavailable: Unavailable }> {
  const { request, settings } = input;
  if (isCollectible(request.lineItem)) return priceCollectible(ctx, input);
  const isCard = request.payment.method === 'card';
  const paid = isCard ? undefined : await readPaidToken(ctx, request.payment, settings);
  const bought = await readItem(ctx, request, settings);
  if (bought && 'code' in bought) return { unavailable: bought };
  const fiat = fiatSide(
    isCard ? request.payment.currency : (request.lineItem.fiatCurrency ?? 'usd'),
  );
  const priceOf = await readPrices(ctx, [fiat, paid, bought]);
  const fiatPriceUsd = priceOf(fiat);
  const rateOf = (side: Side) => divideDecimals(priceOf(side), fiatPriceUsd, rateScale);
  const pay = paid ?? fiat;
  const receive = bought ?? fiat;
  const terms = makeTerms({
    mode: request.lineItem.mode,
    amountMinor: readAmount(request, request.lineItem.mode === 'exact-in' ? pay : receive),
    pay: sideOf(pay),
    receive: sideOf(receive),
    fiat,
    ...(paid && { payRate: rateOf(paid) }),
    ...(bought && { receiveRate: rateOf(bought) }),
    fees: feesOf(input, { fiat, fiatPriceUsd, network: bought?.chain }),
    maxSlippageBps: request.lineItem.maxSlippageBps ?? settings.maxSlippageBps,
  });
  if (!terms)
    throw new ServiceError('amount-below-minimum', {
      message: 'The amount is below the minimum: the fees leave nothing of it.',
    });
  const amountUsdMinor = worthInCents(input, terms, fiatPriceUsd);
  return {
    terms,
    amountUsdMinor,
    item: itemOf(bought, fiat),
    symbols: [paid, bought].flatMap((side) => (side ? [side.currency] : [])),
  };
}

/**
 * An item of a collection: its price is the project's, and what is paid for it has a price of the
 * day.
 */
async function priceCollectible(
  ctx: PricingCtx,
  input: PriceInput,
): Promise<Priced | { readonly unavailable: Unavailable }> {
  const { request, settings } = input;
  const isCard = request.payment.method === 'card';
  const paid = isCard ? undefined : await readPaidToken(ctx, request.payment, settings);
  const found = await readCollectible(ctx, { ...input, lineItem: request.lineItem });
  if ('code' in found) return { unavailable: found };
  const { offer, quantity, left, side, item } = found;
  const taken = { offer, quantity, left };
  const fiat = fiatSide(isCard ? request.payment.currency : 'usd');
  const common = {
    pay: sideOf(paid ?? fiat),
    receive: side,
    fiat,
    maxSlippageBps: settings.maxSlippageBps,
  };
  const collectible = collectibleTerm(offer);
  const symbols = paid ? [paid.currency] : [];
  const { price } = offer;
  if (!price)
    return {
      terms: { ...freeTerms({ ...common, quantity }), collectible },
      amountUsdMinor: 0n,
      item,
      symbols,
      taken,
    };
  const priced = fiatSide(price.currency);
  const priceOf = await readPrices(ctx, [fiat, priced, paid]);
  const fiatPriceUsd = priceOf(fiat);
  const rateOf = (one: Side) => divideDecimals(priceOf(one), fiatPriceUsd, rateScale);
  const terms = makeTerms({
    ...common,
    mode: 'exact-out',
    amountMinor: quantity,
    ...(paid && { payRate: rateOf(paid) }),
    receiveRate: unitPrice(price, { fiat, rate: rateOf(priced) }),
    fees: feesOf(input, { fiat, fiatPriceUsd, network: offer.chain }),
  });
  if (!terms) throw new Error(`offer ${offer.id} has no price`);
  return {
    terms: { ...terms, collectible },
    amountUsdMinor: worthInCents(input, terms, fiatPriceUsd),
    item,
    symbols,
    taken,
  };
}

function feesOf(
  { settings, request, kind, rail }: PriceInput,
  {
    fiat,
    fiatPriceUsd,
    network,
  }: { readonly fiat: Side; readonly fiatPriceUsd: string; readonly network: string | undefined },
) {
  return chooseFees(
    settings.fees,
    { kind, method: request.payment.method, rail: rail ?? request.recipient.rail, network },
    { decimals: fiat.decimals, priceUsd: fiatPriceUsd },
  );
}

/** Hundredths of a US dollar, rounded up. @throws amount-below-minimum */
function worthInCents(
  { request }: PriceInput,
  { value }: OrderTerms,
  fiatPriceUsd: string,
): bigint {
  const amountUsdMinor = worthOf(
    {
      amountMinor: value.amountMinor,
      decimals: value.decimals,
      rate: fiatPriceUsd,
      fiatDecimals: 2,
    },
    'up',
  );
  if (request.payment.method === 'card' && amountUsdMinor < cardMinimumCents)
    throw new ServiceError('amount-below-minimum', {
      message: 'The amount is below the minimum of card payments, US$0.50.',
    });
  return amountUsdMinor;
}

async function readItem(
  ctx: PricingCtx,
  request: OrderRequest,
  settings: OrderSettings,
): Promise<TokenSide | Unavailable | undefined> {
  const { lineItem } = request;
  return lineItem.tokenLocator === undefined
    ? undefined
    : readBoughtToken(ctx, lineItem.tokenLocator, settings);
}

/** @throws provider-unavailable when a price is missing: the source is out, or never had it */
async function readPrices(
  ctx: PricingCtx,
  sides: readonly (Side | undefined)[],
): Promise<(side: Side) => string> {
  const symbols = [...new Set(sides.flatMap((side) => (side ? [side.currency] : [])))];
  const prices = await ctx.providers.pricing.pricesUsd(symbols);
  for (const symbol of symbols)
    if (!/[1-9]/.test(prices.get(symbol) ?? ''))
      throw new ServiceError('provider-unavailable', {
        message: `There is no price of ${symbol} at the moment: retry in a few minutes.`,
      });
  return ({ currency }) => prices.get(currency)!;
}

function readAmount(request: OrderRequest, side: Side): bigint {
  try {
    const amountMinor = parseDecimalAmount(request.lineItem.amount, side.decimals);
    if (amountMinor > 0n) return amountMinor;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('validation-error', {
      message: `lineItems.executionParameters.amount: ${error.message}`,
    });
  }
  throw new ServiceError('validation-error', {
    message: 'lineItems.executionParameters.amount: must be more than 0.',
  });
}

function sideOf({ currency, asset, decimals }: Side): Side {
  return { currency, asset, decimals };
}

function itemOf(bought: TokenSide | undefined, fiat: Side): PricedItem {
  if (bought) return { chain: bought.chain, name: bought.name, symbol: bought.currency };
  return { name: fiat.currency.toUpperCase() };
}
