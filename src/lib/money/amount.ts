import { ServiceError } from '../errors.ts';

/**
 * Token amounts: `bigint` in the smallest unit inside, decimal strings of whole tokens on the wire.
 * Nothing here is a `number`, and parsing refuses what it would have to round.
 */

const amountPattern = /^\d+(?:\.\d*)?$/;
const pricePattern = /^\d+(?:\.\d+)?$/;
/** Digits of 2^256, the largest amount a chain can hold. */
const digitsMax = 78;
const amountLimit = 1n << 256n;
/**
 * Digits after the point of a US dollar value: enough for the smallest unit of any token that has a
 * price.
 */
const usdDecimals = 6;

/**
 * Reads an amount of whole tokens, e.g. `1.5` with 6 decimals → `1500000n`. Zero is read: whether
 * it is allowed is the caller's rule.
 * @throws validation-error for anything that is no plain decimal, has more decimals than the token,
 * or is 2^256 and above
 */
export function parseDecimalAmount(text: string, decimals: number): bigint {
  if (!amountPattern.test(text)) throw refuse(reasonOfBadForm(text));
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  if (whole.length + fraction.length > digitsMax)
    throw refuse(`has more than ${digitsMax} digits.`);
  if (fraction.length > decimals) {
    throw refuse(
      decimals === 0
        ? 'must be a whole number: the token has no decimals.'
        : `has ${fraction.length} decimals: send at most ${decimals}.`,
    );
  }
  const amountMinor = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amountMinor >= amountLimit) throw refuse('is larger than any token balance can be.');
  return amountMinor;
}

/**
 * An amount in whole tokens without needless zeros: `1500000n` with 6 decimals → `1.5`. Negative
 * amounts get a minus.
 */
export function formatAmount(amountMinor: bigint, decimals: number): string {
  if (amountMinor < 0n) return `-${formatAmount(-amountMinor, decimals)}`;
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The value of an amount at a price per whole token, in US dollars with up to 6 decimals, rounded
 * half up.
 * @param price decimal string, e.g. `2500.12`, as {@link isDecimalPrice} accepts
 * @example multiplyPrice(1_500_000n, 6, '1') // '1.5'
 */
export function multiplyPrice(amountMinor: bigint, decimals: number, price: string): string {
  if (!isDecimalPrice(price))
    throw new Error(`Not a decimal price: ${JSON.stringify(price.slice(0, 40))}`);
  const [whole, fraction = ''] = price.split('.') as [string, string?];
  // amount × price is an integer with `scale` decimals; bring it to usdDecimals.
  const product = amountMinor * BigInt(whole + fraction);
  const scale = decimals + fraction.length;
  if (scale <= usdDecimals)
    return formatAmount(product * 10n ** BigInt(usdDecimals - scale), usdDecimals);
  const divisor = 10n ** BigInt(scale - usdDecimals);
  return formatAmount(divideHalfUp(product, divisor), usdDecimals);
}

/**
 * The quotient of two decimals above zero with at most `scale` digits after the point, rounded
 * down.
 * @example divideDecimals('1', '3', 4) // '0.3333'
 */
export function divideDecimals(a: string, b: string, scale: number): string {
  const digits = Math.max(fractionLength(a), fractionLength(b));
  return formatAmount(
    (scaleDecimal(a, digits) * 10n ** BigInt(scale)) / scaleDecimal(b, digits),
    scale,
  );
}

/** True for a plain, non-negative decimal of at most 78 digits. */
export function isDecimalPrice(text: string): boolean {
  return text.length <= digitsMax + 1 && pricePattern.test(text);
}

/**
 * Compares two decimals as {@link isDecimalPrice} accepts them: negative, zero or positive as `a`
 * is below, equal to or above `b`.
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  for (const text of [a, b])
    if (!isDecimalPrice(text))
      throw new Error(`Not a decimal: ${JSON.stringify(text.slice(0, 40))}`);
  const decimals = Math.max(fractionLength(a), fractionLength(b));
  return compareAmounts(scaleDecimal(a, decimals), scaleDecimal(b, decimals));
}

/** For sorting: -1, 0 or 1 as `a` is below, equal to or above `b`. */
export function compareAmounts(a: bigint, b: bigint): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The decimal times 10^decimals; it has no more decimals than that. */
function scaleDecimal(text: string, decimals: number): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function fractionLength(text: string): number {
  const at = text.indexOf('.');
  return at === -1 ? 0 : text.length - at - 1;
}

/** Half goes away from zero, so that a value and its negative have the same digits. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return dividend < 0n ? -((-dividend + half) / divisor) : (dividend + half) / divisor;
}

function reasonOfBadForm(text: string): string {
  if (text.trim() === '') return 'is empty: send a decimal string such as "1.5".';
  if (/^-\d/.test(text)) return 'is negative: send a positive decimal string such as "1.5".';
  if (/^\+?\d*\.?\d*[eE][+-]?\d+$/.test(text))
    return 'uses an exponent: write all digits, e.g. "1000000".';
  if (/^\d[\d,_ ]*,[\d,_ ]*(?:\.\d*)?$/.test(text))
    return 'contains a comma: use a point before the decimals and no separators, e.g. "1.5".';
  return 'is not a decimal number: send digits with at most one point, e.g. "1.5".';
}

function refuse(reason: string): ServiceError {
  return new ServiceError('validation-error', { message: `The amount ${reason}` });
}
