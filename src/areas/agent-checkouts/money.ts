import type { JsonObject } from '../../lib/json/json.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import type { ShopMoney } from '../../runner/types.ts';

// A formatter costs a tenth of a millisecond, and every answer has amounts.
const knownDecimals = new Map<string, number>();

/** Digits behind the point of an ISO 4217 currency: JPY 0, USD 2, KWD 3. */
export function decimalsOf(currency: string): number {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  const decimals =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
}

/** As answers have it: all digits of the currency, e.g. `49.90`. */
export function moneyView({ amountMinor, currency }: ShopMoney): JsonObject {
  const amount = formatAmount(amountMinor, decimalsOf(currency));
  return { amount: withAllDigits(amount, currency), currency };
}

/** All digits of the currency: `0.9` and USD → `0.90`. */
export function withAllDigits(amount: string, currency: string): string {
  const [whole, fraction = ''] = amount.split('.') as [string, string?];
  const digits = fraction.padEnd(decimalsOf(currency), '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}
