import { formatAmount } from '../../lib/amount.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ShopMoney } from '../../runner/types.ts';

/** Digits behind the point of an ISO 4217 currency: JPY 0, USD 2, KWD 3. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** As answers have it: all digits of the currency, e.g. `49.90`. */
export function moneyView({ amountMinor, currency }: ShopMoney): JsonObject {
  const decimals = decimalsOf(currency);
  const text = formatAmount(amountMinor, decimals);
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return { amount: decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`, currency };
}
