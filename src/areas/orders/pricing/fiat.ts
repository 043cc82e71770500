import { fiatDecimals } from '../../../lib/money/fiat.ts';
import type { Side } from './terms.ts';

export { fiatCurrencies, isFiat } from '../../../lib/money/fiat.ts';

/**
 * Currencies of card payments for tokens; those after the second on request (supplement, section
 * 13).
 */
export const onrampCurrencies = ['usd', 'eur', 'gbp', 'aud', 'cop'] as const;
/** Currencies of card payments in a checkout. */
export const checkoutCurrencies = [
  'usd',
  'eur',
  'aud',
  'gbp',
  'jpy',
  'sgd',
  'hkd',
  'krw',
  'inr',
  'vnd',
] as const;
/** Currencies in which bank accounts of this service are paid. */
export const offrampCurrencies = ['usd', 'eur', 'mxn', 'cop'] as const;

export function fiatSide(currency: string): Side {
  return { currency, asset: currency, decimals: fiatDecimals(currency) };
}
