import type { ShopMoney } from '../../types.ts';
import { currenciesIn, decimals, isCurrency } from './currencies.ts';

/** What tells the currency when the amount itself does not. */
export interface CurrencyContext {
  /** A code that the page names (schema.org, meta, JSON). */
  readonly pageCurrency?: string;
  /**
   * The currency that the user expects: decides between those that one sign may mean, and nothing
   * else.
   */
  readonly expected?: string;
}

const mark = String.raw`(?:[A-Z]{0,3}\s?[€$£¥₹₩₽₺₪฿₫]|\b[A-Z]{3}\b|(?<![A-Za-z])(?:kr|Ft|lei|Fr)(?![a-z])\.?|zł|Kč)`;
/** A space groups thousands alone: “$75.00 3” is an amount and a number. */
const grouped = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*`;
const number = String.raw`(?:${grouped})(?:[.,:][-–—]+)?`;
/** With sign or code, on either side: in “Size 24 $12.49” the sign is of what it touches. */
const signedAmount = `${mark}\\s?${number}|${number}\\s?${mark}(?!\\d)|(?:${grouped}):[-–—]`;
const amountPattern = new RegExp(`[-−–]?\\s?(?:${grouped})`, 'g');

/**
 * Reads the first amount of a text in any common spelling: `1.234,56 €`, `$1,234.56`, `¥1,200`,
 * `EUR 12`, `1 234,50 kr`, `12,–`. Undefined when there is no amount, more than one, or no known
 * currency.
 */
export function parsePrice(given: string, context: CurrencyContext = {}): ShopMoney | undefined {
  const text = withoutMeasured(given);
  const amounts = [...text.matchAll(amountPattern)];
  const [only] = amounts;
  if (only === undefined || amounts.length > 1) return undefined;
  const currency = currencyOf(text, context);
  if (currency === undefined) return undefined;
  const amountMinor = parseAmount(only[0], decimals(currency));
  return amountMinor === undefined ? undefined : { amountMinor, currency };
}

/** Every amount of a text that carries a sign or code of a currency, in its order. */
export function pricesIn(text: string, context: CurrencyContext = {}): readonly ShopMoney[] {
  return [...withoutMeasured(text).matchAll(new RegExp(signedAmount, 'g'))].flatMap(
    ([found]) => parsePrice(found, context) ?? [],
  );
}

/** Whether a text has an amount: one with a sign or code, or one with cents. */
export const hasAmount = (text: string): boolean =>
  /\d[.,]\d\d/.test(text) ||
  [...text.matchAll(new RegExp(signedAmount, 'g'))].some(
    ([found]) => currenciesIn(found).length > 0,
  );

/**
 * Every amount of a row of the page: those of its elements, where there are some. In the words of
 * a whole row a number may stand before a price as if it were thousands of it: “1” “249,00 €”.
 */
export function pricesOfRow(
  prices: readonly { readonly text: string; readonly row: string }[],
  rowText: string,
  context: CurrencyContext = {},
): readonly ShopMoney[] {
  const row = rowText.slice(0, rowMax);
  const own = prices.filter((price) => price.row === row);
  const found = own.flatMap(({ text }) => pricesIn(text, context));
  return found.length > 0 ? found : pricesIn(rowText, context);
}
/** So much of its row an amount of a page knows. */
const rowMax = 200;

/** A text without its amounts: words, and numbers that are none. */
export const withoutAmounts = (text: string): string =>
  text
    .replaceAll(new RegExp(signedAmount, 'g'), (found) =>
      currenciesIn(found).length > 0 ? ' ' : found,
    )
    .replaceAll(/(?<![\p{L}\d.,])\d+(?:[.,]\d{3})*[.,]\d{2}(?![\p{L}\d.,])/gu, ' ');

/**
 * The amount of a text as it is written there, with its sign and without the words around it; the
 * whole text where that is not clear.
 */
export function amountText(text: string): string {
  const found = [...text.matchAll(new RegExp(`[-−–]?\\s?(?:${signedAmount})`, 'g'))];
  return found.length === 1 ? found[0]![0].trim() : text.trim();
}

/** The one currency that a text names, or that page and expectation make certain. */
export function currencyOf(
  text: string,
  { pageCurrency, expected }: CurrencyContext,
): string | undefined {
  const page = pageCurrency !== undefined && isCurrency(pageCurrency) ? pageCurrency : undefined;
  const named = currenciesIn(text);
  if (named.length === 0) return page;
  if (named.length === 1) return named[0];
  if (page !== undefined && named.includes(page)) return page;
  if (page !== undefined) return undefined;
  return expected !== undefined && named.includes(expected) ? expected : undefined;
}

/**
 * Smallest units of a written number. Undefined when it has more decimals than the currency, or
 * groups that do not add up.
 */
export function parseAmount(written: string, currencyDecimals: number): bigint | undefined {
  const isNegative = /^[-−–]/.test(written.trim());
  const digits = written.replace(/[^\d.,]/g, '').replace(/[.,]+$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const fraction = last < 0 ? '' : digits.slice(last + 1);
  const whole = last < 0 ? digits : digits.slice(0, last);
  const mark = digits[last];
  const isOnlyMark = last >= 0 && !/[.,]/.test(whole);
  const isGroup =
    last >= 0 &&
    fraction.length === 3 &&
    (currencyDecimals !== 3 || !isOnlyMark) &&
    (isOnlyMark || whole.includes(mark!));
  if (isGroup) {
    if (!/^\d{1,3}([.,]\d{3})*$/.test(digits) || whole.startsWith('0')) return undefined;
    return signed(digits.replace(/[.,]/g, ''), '', currencyDecimals, isNegative);
  }
  if (last >= 0 && whole.includes(mark!)) return undefined;
  if (
    /[.,]/.test(whole) &&
    !/^\d{1,3}([.,]\d{3})+$/.test(whole) &&
    !/^\d{1,2}([.,]\d{2})*[.,]\d{3}$/.test(whole)
  )
    return undefined;
  return signed(whole.replace(/[.,]/g, ''), fraction, currencyDecimals, isNegative);
}

function signed(
  whole: string,
  fraction: string,
  currencyDecimals: number,
  isNegative: boolean,
): bigint | undefined {
  const kept = fraction.slice(0, currencyDecimals);
  if (/[1-9]/.test(fraction.slice(currencyDecimals))) return undefined;
  const amount = BigInt(`${whole === '' ? '0' : whole}${kept.padEnd(currencyDecimals, '0')}`);
  return isNegative ? -amount : amount;
}

const measure = String.raw`(?:1|10|100|1000)?\s?(?:[mcd]?l|lit[er]{2}s?|litros?|kg|g|gr|gramm?s?|kilos?|m[²2]?|qm|oz|lb|st[uü]ck|stk|pcs?|piece|unit)(?!\p{L})`;
const afterMeasured = String.raw`\*?\s?(?:\/|\b(?:pro|per|je|par|por|al)\b)\s?${measure}`;
const measured = new RegExp(
  `(?:${signedAmount})${afterMeasured}|(?<![\\p{L}\\d.,])${measure}\\s?=\\s?(?:${signedAmount})`,
  'giu',
);

/** Without what so much of it costs, where another amount is left: “5,00 € (10,00 € / l)”. */
function withoutMeasured(text: string): string {
  const rest = text.replaceAll(measured, ' ');
  return rest !== text && hasAmount(rest) ? rest : text;
}

/**
 * What so much of it costs, and not what it costs itself: “10,00 € / l”, “1 kg = 8.40 €” beside
 * another amount.
 */
export function isByMeasure({ text, row }: { readonly text: string; readonly row: string }) {
  if (withoutMeasured(text) !== text) return false;
  const written = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    new RegExp(`${afterMeasured}|${measure}\\s?=`, 'iu').test(text) ||
    new RegExp(`${written}${afterMeasured}|${measure}\\s?=\\s?${written}`, 'iu').test(row)
  );
}

export function sameMoney(a: ShopMoney, b: ShopMoney): boolean {
  return a.currency === b.currency && a.amountMinor === b.amountMinor;
}

/** As people write it, e.g. `12.34 EUR`. */
export function formatMoney({ amountMinor, currency }: ShopMoney): string {
  const places = decimals(currency);
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor)
    .toString()
    .padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return `${amountMinor < 0n ? '-' : ''}${text} ${currency}`;
}
