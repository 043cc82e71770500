/**
 * Exact arithmetic on decimals and smallest units. Each function says which way it rounds, and the
 * rules of `terms.ts` choose: nothing here rounds to the nearest.
 */

export type Rounding = 'down' | 'up';

interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/** Worth of an amount at a price per whole unit, in the smallest unit of a currency. */
export function worthOf(
  input: {
    readonly amountMinor: bigint;
    readonly decimals: number;
    readonly rate: string;
    readonly fiatDecimals: number;
  },
  rounding: Rounding,
): bigint {
  const rate = readDecimal(input.rate);
  const product = input.amountMinor * rate.digits * 10n ** BigInt(input.fiatDecimals);
  return divide(product, 10n ** BigInt(input.decimals + rate.scale), rounding);
}

/** The amount, in its smallest unit, that is worth so much at a price per whole unit. */
export function amountWorth(
  input: {
    readonly worthMinor: bigint;
    readonly decimals: number;
    readonly rate: string;
    readonly fiatDecimals: number;
  },
  rounding: Rounding,
): bigint {
  const rate = readDecimal(input.rate);
  const product = input.worthMinor * 10n ** BigInt(input.decimals + rate.scale);
  return divide(product, rate.digits * 10n ** BigInt(input.fiatDecimals), rounding);
}

/** A decimal times 10^decimals; digits beyond that are dropped. */
export function scaleDown(text: string, decimals: number): bigint {
  const { digits, scale } = readDecimal(text);
  return scale <= decimals
    ? digits * 10n ** BigInt(decimals - scale)
    : digits / 10n ** BigInt(scale - decimals);
}

export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  return rounding === 'up' && quotient * divisor < dividend ? quotient + 1n : quotient;
}

function readDecimal(text: string): Scaled {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}
