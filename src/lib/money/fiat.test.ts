import { expect, test } from 'vitest';
import { formatMoney } from './fiat.ts';

test.each([
  [{ amountMinor: 90n, decimals: 2, currency: 'usd' }, '0.90 USD'],
  [{ amountMinor: 1_000n, decimals: 2, currency: 'EUR' }, '10.00 EUR'],
  [{ amountMinor: 900_000n, decimals: 6, currency: 'usd' }, '0.90 USD'],
  [{ amountMinor: 123_456n, decimals: 6, currency: 'usd' }, '0.123456 USD'],
  [{ amountMinor: -5n, decimals: 2, currency: 'usd' }, '-0.05 USD'],
  [{ amountMinor: 1_200n, decimals: 0, currency: 'jpy' }, '1200 JPY'],
  [{ amountMinor: 900_000n, decimals: 6, currency: 'usdc' }, '0.9 USDC'],
  [{ amountMinor: 2_000_000n, decimals: 6, currency: 'usdxm' }, '2 USDXM'],
])('money is read with all digits of its currency: %o', (money, text) => {
  expect(formatMoney(money)).toBe(text);
});
