import { describe, expect, it } from 'vitest';
import { currencyDecimals, formatMoney } from './currency.ts';

describe('the smallest unit of a currency', () => {
  it('is that of ISO 4217, also where people use none of it: a Colombian peso has 100 centavos', () => {
    expect(currencyDecimals('COP')).toBe(2);
    expect(formatMoney(1_234_50n, 'cop')).toBe('COP 1234.50');
    expect(['usd', 'jpy', 'krw', 'vnd', 'kwd'].map(currencyDecimals)).toEqual([2, 0, 0, 0, 3]);
  });
});
