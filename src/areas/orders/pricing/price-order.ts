import type { Ctx } from '../../../context.ts';
import { divideDecimals, parseDecimalAmount } from '../../../lib/amount.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { combineTerms, lineItemsOf } from '../items.ts';
import type { OrderKind } from '../machine.ts';
import type { OrderRequest, OrderTerms } from '../types.ts';
import { worthOf } from './decimals.ts';
import { chooseFees } from './fees.ts';
import { fiatSide } from './fiat.ts';
import type { OrderSettings } from './settings.ts';
import { readBoughtToken, readPaidToken, type TokenSide, type Unavailable } from './sides.ts';
import { makeTerms, type Side } from './terms.ts';

export type PricingCtx = Pick<Ctx, 'chains' | 'providers'>;

export interface PriceInput {
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
}

/** Digits of a rate. */
const rateScale = 18;
const cardMinimumCents = 50n;

/**
 * Prices an order at this instant; `unavailable` when the item cannot be had.
 * @throws validation-error, payment-method-not-supported, chain-not-supported, token-not-supported, amount-below-minimum,
 *   provider-unavailable when nobody knows a price
 */
export async function priceOrder(ctx: PricingCtx, input: PriceInput): Promise<Priced | { readonly unavailable: Unavailable }> {
  const lineItems = lineItemsOf(input.request);
  if (lineItems.length === 1) return priceItem(ctx, input);
  const found = await Promise.all(lineItems.map((lineItem) => priceItem(ctx, { ...input, request: { ...input.request, lineItem } })));
  const priced = found.flatMap((one) => ('unavailable' in one ? [] : [one]));
  const [first, ...more] = priced;
  if (!first) return found[0]!;
  const missing = found.findIndex((one) => 'unavailable' in one);
  if (missing >= 0) throw missingItem(found[missing] as { readonly unavailable: Unavailable }, missing);
  if (more.some(({ item }) => item.chain !== first.item.chain))
    throw new ServiceError('validation-error', { message: 'lineItems: all are of one network. Create an order for each network.' });
  return {
    terms: combineTerms([first.terms, ...more.map(({ terms }) => terms)]),
    amountUsdMinor: priced.reduce((sum, { amountUsdMinor }) => sum + amountUsdMinor, 0n),
    item: first.item,
    items: priced.map(({ item }) => item),
    symbols: [...new Set(priced.flatMap(({ symbols }) => symbols))],
  };
}

/** Nobody pays for a list of which a part cannot be had. */
function missingItem({ unavailable }: { readonly unavailable: Unavailable }, index: number): ServiceError {
  return new ServiceError('token-not-supported', { message: `lineItems[${index}]: ${unavailable.message} Leave it out.` });
}

async function priceItem(ctx: PricingCtx, input: PriceInput): Promise<Priced | { readonly unavailable: Unavailable }> {
  const { request, settings, kind } = input;
  const isCard = request.payment.method === 'card';
  const paid = isCard ? undefined : await readPaidToken(ctx, request.payment, settings);
  const bought = await readItem(ctx, request, settings);
  if (bought && 'code' in bought) return { unavailable: bought };
  const fiat = fiatSide(isCard ? request.payment.currency : (request.lineItem.fiatCurrency ?? 'usd'));
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
    fees: chooseFees(
      settings.fees,
      { kind, method: request.payment.method, rail: input.rail ?? request.recipient.rail, network: bought?.chain },
      { decimals: fiat.decimals, priceUsd: fiatPriceUsd },
    ),
    maxSlippageBps: request.lineItem.maxSlippageBps ?? settings.maxSlippageBps,
  });
  if (!terms) throw new ServiceError('amount-below-minimum', { message: 'The amount is below the minimum: the fees leave nothing of it.' });
  const amountUsdMinor = worthOf(
    { amountMinor: terms.value.amountMinor, decimals: fiat.decimals, rate: fiatPriceUsd, fiatDecimals: 2 },
    'up',
  );
  if (isCard && amountUsdMinor < cardMinimumCents)
    throw new ServiceError('amount-below-minimum', { message: 'The amount is below the minimum of card payments, US$0.50.' });
  return { terms, amountUsdMinor, item: itemOf(bought, fiat), symbols: [paid, bought].flatMap((side) => (side ? [side.currency] : [])) };
}

async function readItem(ctx: PricingCtx, request: OrderRequest, settings: OrderSettings): Promise<TokenSide | Unavailable | undefined> {
  const { lineItem } = request;
  if (lineItem.tokenLocator !== undefined) return readBoughtToken(ctx, lineItem.tokenLocator, settings);
  if (lineItem.collectionLocator !== undefined)
    return { code: 'collection-not-supported', message: 'New items of collections are not sold here: name a token.' };
  if (lineItem.external)
    return { code: 'external-order-not-supported', message: 'Orders of other shops are not sold here: send lineItems.' };
  return undefined;
}

/** @throws provider-unavailable when a price is missing: the source is out, or never had it */
async function readPrices(ctx: PricingCtx, sides: readonly (Side | undefined)[]): Promise<(side: Side) => string> {
  const symbols = [...new Set(sides.flatMap((side) => (side ? [side.currency] : [])))];
  const prices = await ctx.providers.pricing.pricesUsd(symbols);
  for (const symbol of symbols)
    if (!/[1-9]/.test(prices.get(symbol) ?? ''))
      throw new ServiceError('provider-unavailable', { message: `There is no price of ${symbol} at the moment: retry in a few minutes.` });
  return ({ currency }) => prices.get(currency)!;
}

function readAmount(request: OrderRequest, side: Side): bigint {
  try {
    const amountMinor = parseDecimalAmount(request.lineItem.amount, side.decimals);
    if (amountMinor > 0n) return amountMinor;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('validation-error', { message: `lineItems.executionParameters.amount: ${error.message}` });
  }
  throw new ServiceError('validation-error', { message: 'lineItems.executionParameters.amount: must be more than 0.' });
}

function sideOf({ currency, asset, decimals }: Side): Side {
  return { currency, asset, decimals };
}

function itemOf(bought: TokenSide | undefined, fiat: Side): PricedItem {
  if (bought) return { chain: bought.chain, name: bought.name, symbol: bought.currency };
  return { name: fiat.currency.toUpperCase() };
}
