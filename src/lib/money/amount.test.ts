import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import {
  compareAmounts,
  compareDecimals,
  formatAmount,
  isDecimalPrice,
  multiplyPrice,
  parseDecimalAmount,
} from './amount.ts';

const decimals = fc.integer({ min: 0, max: 36 });
const amountMinor = fc.bigInt({ min: 0n, max: 10n ** 60n });
const priceText = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  .map(([value, scale]) => formatAmount(value, scale));

describe('parseDecimalAmount', () => {
  test.each([
    ['1', 6, 1_000_000n],
    ['1.', 6, 1_000_000n],
    ['1.5', 6, 1_500_000n],
    ['0.000001', 6, 1n],
    ['007', 0, 7n],
    ['0', 18, 0n],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      0,
      2n ** 256n - 1n,
    ],
  ])('reads %s with %i decimals', (text, places, expected) => {
    expect(parseDecimalAmount(text, places)).toBe(expected);
  });

  test.each([
    ['', 6, 'empty'],
    ['   ', 6, 'empty'],
    ['-1', 6, 'negative'],
    ['-0.5', 6, 'negative'],
    ['1e18', 6, 'exponent'],
    ['1.5E+3', 6, 'exponent'],
    ['1,5', 6, 'comma'],
    ['1,000.00', 6, 'comma'],
    ['+1', 6, 'not a decimal'],
    ['.5', 6, 'not a decimal'],
    ['0x10', 6, 'not a decimal'],
    ['1.2.3', 6, 'not a decimal'],
    [' 1', 6, 'not a decimal'],
    ['1\n', 6, 'not a decimal'],
    ['١', 6, 'not a decimal'],
    ['NaN', 6, 'not a decimal'],
    ['Infinity', 6, 'not a decimal'],
    ['0.0000001', 6, 'at most 6'],
    ['1.0000000', 6, 'at most 6'],
    ['1.5', 0, 'no decimals'],
    ['9'.repeat(79), 0, '78 digits'],
    ['1'.repeat(100_000), 0, '78 digits'],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639936',
      0,
      'larger than',
    ],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      1,
      'larger than',
    ],
  ])('refuses %s with %i decimals and says why', (text, places, reason) => {
    let error: unknown;
    try {
      parseDecimalAmount(text, places);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('validation-error');
    expect((error as ServiceError).message).toContain(reason);
  });

  test('reads back whatever formatAmount writes', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 70n }),
        fc.integer({ min: 0, max: 18 }),
        (amount, places) => {
          expect(parseDecimalAmount(formatAmount(amount, places), places)).toBe(amount);
        },
      ),
    );
  });

  test('either refuses a text with a sentence or reads it exactly', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[0-9.eE+,-]{0,90}$/),
      fc.stringMatching(/^\d{0,40}\.?\d{0,40}$/),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 18 }), (text, places) => {
        let amount: bigint;
        try {
          amount = parseDecimalAmount(text, places);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          return;
        }
        const canonical = text
          .replace(/\.$/, '')
          .replace(/^0+(?=\d)/, '')
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '');
        expect(formatAmount(amount, places)).toBe(canonical);
      }),
    );
  });
});

describe('formatAmount', () => {
  test.each([
    [0n, 6, '0'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [100n, 0, '100'],
    [100n, 2, '1'],
    [-1_500_000n, 6, '-1.5'],
  ])('writes %s with %i decimals as %s', (amount, places, expected) => {
    expect(formatAmount(amount, places)).toBe(expected);
  });
});

describe('multiplyPrice', () => {
  test.each([
    [1_500_000n, 6, '1', '1.5'],
    [1_000_000_000_000_000_000n, 18, '2500.12', '2500.12'],
    [1n, 18, '2500', '0'],
    [0n, 6, '1', '0'],
    [5n, 7, '1', '0.000001'],
    [4n, 7, '1', '0'],
    [333n, 2, '0.333333', '1.109999'],
    [3n, 0, '2', '6'],
    [-5n, 7, '1', '-0.000001'],
  ])('values %s minor units of %i decimals at %s as %s', (amount, places, price, expected) => {
    expect(multiplyPrice(amount, places, price)).toBe(expected);
  });

  test('is never off by more than half of the last digit', () => {
    fc.assert(
      fc.property(amountMinor, decimals, priceText, (amount, places, price) => {
        const [whole, fraction = ''] = price.split('.') as [string, string?];
        // Both sides as integers with places + fraction + 6 decimals.
        const exact = amount * BigInt(whole + fraction) * 10n ** 6n;
        const rounded =
          parseDecimalAmountUnlimited(multiplyPrice(amount, places, price)) *
          10n ** BigInt(places + fraction.length);
        const difference = exact > rounded ? exact - rounded : rounded - exact;
        expect(difference * 2n <= 10n ** BigInt(places + fraction.length)).toBe(true);
      }),
    );
  });

  test('refuses what is no plain decimal price', () => {
    for (const price of ['', '-1', '1e3', '1.', '.5', 'NaN', '1'.repeat(80)]) {
      expect(isDecimalPrice(price)).toBe(false);
      expect(() => multiplyPrice(1n, 0, price)).toThrow('Not a decimal price');
    }
  });
});

describe('comparisons', () => {
  test('order amounts', () => {
    expect([3n, 1n, 2n].sort(compareAmounts)).toEqual([1n, 2n, 3n]);
    expect(compareAmounts(2n, 2n)).toBe(0);
  });

  test('order decimals by value, not by text', () => {
    expect(compareDecimals('10', '9.99')).toBe(1);
    expect(compareDecimals('1.50', '1.5')).toBe(0);
    expect(compareDecimals('0.1', '0.11')).toBe(-1);
    expect(compareDecimals('9'.repeat(78), `0.${'1'.repeat(70)}`)).toBe(1);
    expect(() => compareDecimals('1e3', '1')).toThrow('Not a decimal');
  });
});

function parseDecimalAmountUnlimited(text: string): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(6, '0'));
}
