import { formatAmount } from './amount.ts';

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

/**
 * Money as people read it: of fiat all digits, of tokens those that are needed.
 * @example formatMoney({ amountMinor: 90n, decimals: 2, currency: 'usd' }) // '0.90 USD'
 */
export function formatMoney(money: {
  readonly amountMinor: bigint;
  readonly decimals: number;
  /** A fiat code or the symbol of a token, in any case. */
  readonly currency: string;
}): string {
  const amount = formatAmount(money.amountMinor, money.decimals);
  const [whole, fraction = ''] = amount.split('.') as [string, string?];
  const lower = money.currency.toLowerCase();
  const digits = fraction.padEnd(isFiat(lower) ? fiatDecimals(lower) : 0, '0');
  return `${digits === '' ? whole : `${whole}.${digits}`} ${money.currency.toUpperCase()}`;
}
