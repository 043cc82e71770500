/** Fiat currencies that prices are in, in lower case. */
export const fiatCurrencies = [
  'usd',
  'eur',
  'gbp',
  'aud',
  'cop',
  'mxn',
  'jpy',
  'sgd',
  'hkd',
  'krw',
  'inr',
  'vnd',
] as const;
export type FiatCurrency = (typeof fiatCurrencies)[number];

export function isFiat(currency: string): currency is FiatCurrency {
  return (fiatCurrencies as readonly string[]).includes(currency);
}

/** By ISO 4217, like the ledger; every other one has two digits. */
const wholeCurrencies: ReadonlySet<string> = new Set(['jpy', 'krw', 'vnd']);

export function fiatDecimals(currency: string): number {
  return wholeCurrencies.has(currency) ? 0 : 2;
}
