import type { Side } from './terms.ts';

/** Fiat currencies that orders are priced in, in lower case. */
export const fiatCurrencies = ['usd', 'eur', 'gbp', 'aud', 'cop', 'mxn', 'jpy', 'sgd', 'hkd', 'krw', 'inr', 'vnd'] as const;
export type FiatCurrency = (typeof fiatCurrencies)[number];

/** Currencies of card payments for tokens; those after the second on request (supplement, section 13). */
export const onrampCurrencies = ['usd', 'eur', 'gbp', 'aud', 'cop'] as const;
/** Currencies of card payments in a checkout. */
export const checkoutCurrencies = ['usd', 'eur', 'aud', 'gbp', 'jpy', 'sgd', 'hkd', 'krw', 'inr', 'vnd'] as const;
/** Currencies in which bank accounts of this service are paid. */
export const offrampCurrencies = ['usd', 'eur', 'mxn', 'cop'] as const;

export function isFiat(currency: string): currency is FiatCurrency {
  return (fiatCurrencies as readonly string[]).includes(currency);
}

/** By ISO 4217, like the ledger; every other one has two digits. */
const wholeCurrencies: ReadonlySet<string> = new Set(['jpy', 'krw', 'vnd']);

export function fiatSide(currency: string): Side {
  return { currency, asset: currency, decimals: wholeCurrencies.has(currency) ? 0 : 2 };
}
