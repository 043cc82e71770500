import { describe, expect, it } from 'vitest';
import { shareOf, shareOfNumbers } from './long-share.ts';

describe('the share of a long run', () => {
  it('is another fifth on each day, and the one that is asked for', () => {
    const day = (n: number) => Date.UTC(2026, 10, n, 12);
    const parts = [1, 2, 3, 4, 5].map((n) => shareOf({}, day(n)).part);
    expect(parts.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(shareOf({ TEST_SHARE: '3/7' })).toEqual({ part: 3, parts: 7 });
  });

  it('says how it is written', () => {
    for (const TEST_SHARE of ['', '6/5', '0/5', '1/0', 'whole', '1/5/2', '1/21'])
      expect(() => shareOf({ TEST_SHARE })).toThrow('TEST_SHARE: write part/parts, such as 1/5');
  });

  it.each([
    { first: 1, count: 20, parts: 5, multiple: 1 },
    { first: 1_001, count: 5_000, parts: 5, multiple: 500 },
    { first: 0, count: 273, parts: 5, multiple: 1 },
    { first: 1, count: 3, parts: 7, multiple: 1 },
  ])('has each of $count numbers in exactly one of $parts parts', ({ parts, ...numbers }) => {
    const shares = Array.from({ length: parts }, (_, index) =>
      shareOfNumbers(numbers, { part: index + 1, parts }),
    );
    expect(shares.flat()).toEqual(
      Array.from({ length: numbers.count }, (_, index) => numbers.first + index),
    );
    for (const share of shares) expect(share.length % numbers.multiple).toBe(0);
  });
});
