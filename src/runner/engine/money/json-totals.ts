import type { Json } from '../../../lib/json/json.ts';
import type { ShopMoney } from '../../types.ts';
import { decimals, isCurrency } from './currencies.ts';
import { parseAmount } from './prices.ts';

/** An amount under a name that means the total. */
export interface NamedAmount {
  readonly key: string;
  readonly value: Json;
  readonly text: string;
}

const depthMax = 8;
const totalKey =
  /^(?:grand|order|cart|checkout|payment|invoice)?_?(?:grand_?)?total(?:_?(?:price|amount|cents|minor|due|gross|paid|inc(?:l)?_?(?:tax|vat)|to_?pay|payment_?due))?(?:_?(?:cents|minor))?$|^(?:amount|total|balance|payment)_?(?:due|to_?pay|payable)$|^gesamt(?:summe|betrag)?$|^to_?pay$|^montant_?total$|^importe_?total$/i;
const currencyKey = /^(?:price_?)?currency(?:_?(?:code|iso|iso_?code))?$/i;
const snake = (key: string) => key.replace(/([a-z])([A-Z])/g, '$1_$2');

/** Everything of a JSON value that is named like a total, in its order. */
export function collectTotals(json: Json | undefined, depth = 0): NamedAmount[] {
  if (json === null || typeof json !== 'object' || depth > depthMax) return [];
  if (Array.isArray(json))
    return json.slice(0, 50).flatMap((one) => collectTotals(one as Json, depth + 1));
  return Object.entries(json as Record<string, Json>).flatMap(([key, value]) => {
    if (!totalKey.test(snake(key)) || value === null) return collectTotals(value, depth + 1);
    const inner =
      typeof value === 'object' && !Array.isArray(value)
        ? Object.values(value as Record<string, Json>).filter(
            (one) => typeof one === 'number' || typeof one === 'string',
          )
        : [value];
    return inner.flatMap((one) =>
      typeof one === 'number' || (typeof one === 'string' && /\d/.test(one))
        ? [{ key, value: one, text: String(one) }]
        : [],
    );
  });
}

/** Currencies that a JSON value names as such. */
export function collectCurrencies(json: Json | undefined, depth = 0): string[] {
  if (json === null || typeof json !== 'object' || depth > depthMax) return [];
  if (Array.isArray(json))
    return json.slice(0, 50).flatMap((one) => collectCurrencies(one as Json, depth + 1));
  return Object.entries(json as Record<string, Json>).flatMap(([key, value]) =>
    currencyKey.test(snake(key)) &&
    typeof value === 'string' &&
    /^[A-Z]{3}$/i.test(value) &&
    isCurrency(value.toUpperCase())
      ? [value.toUpperCase()]
      : collectCurrencies(value, depth + 1),
  );
}

/**
 * What a number of JSON may mean in smallest units: whole units with decimals first, then smallest
 * units.
 */
export function readings(value: Json, currency: string): readonly bigint[] {
  const places = decimals(currency);
  const text = String(value);
  const whole = parseAmount(/^\d+$/.test(text) ? text : text.replace(/[^\d.,]/g, ''), places);
  const minor = /^\d+$/.test(text) ? BigInt(text) : undefined;
  return [...(whole === undefined ? [] : [whole]), ...(minor === undefined ? [] : [minor])];
}

/** The one that means the same amount, if there is one. */
export function agreeing(
  found: readonly NamedAmount[],
  { amountMinor, currency }: ShopMoney,
): NamedAmount | undefined {
  return found.find((one) => readings(one.value, currency).includes(amountMinor));
}
