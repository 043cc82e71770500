import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDecimalPrice } from '../../lib/money/amount.ts';
import type { PricingProvider } from './pricing.ts';

/** What every price source owes. */
export function testPricing(
  name: string,
  start: () => Promise<{ pricing: PricingProvider; close?: () => Promise<void> }>,
): void {
  describe(`pricing: ${name}`, () => {
    let subject: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close?.());

    test('answers decimal strings above zero for the native tokens and the dollar stablecoins', async () => {
      const symbols = ['usdc', 'usdxm', 'eth', 'sol', 'xlm', 'sui', 'apt', 'pol', 'avax', 'bnb'];
      const prices = await subject.pricing.pricesUsd(symbols);
      expect([...prices.keys()]).toEqual(symbols);
      for (const price of prices.values()) {
        expect(isDecimalPrice(price)).toBe(true);
        expect(price).toMatch(/[1-9]/);
      }
    });

    test('answers what fiat currencies are worth in dollars', async () => {
      const prices = await subject.pricing.pricesUsd(['usd', 'eur', 'gbp', 'jpy']);
      expect([...prices.keys()]).toEqual(['usd', 'eur', 'gbp', 'jpy']);
      expect(prices.get('usd')).toBe('1');
      for (const price of prices.values())
        expect(isDecimalPrice(price) && /[1-9]/.test(price)).toBe(true);
    });

    test('leaves out what has no price, and everything that was not asked for', async () => {
      const strange = [
        '',
        'no-such-token',
        'ETH',
        '__proto__',
        'constructor',
        'toString',
        'a'.repeat(10_000),
        'eth,usd-coin',
        '\u0000',
      ];
      expect([...(await subject.pricing.pricesUsd([...strange, 'eth'])).keys()]).toEqual(['eth']);
      expect((await subject.pricing.pricesUsd([])).size).toBe(0);
      expect((await subject.pricing.pricesUsd(['usdc', 'usdc'])).size).toBe(1);
    });

    test('answers the same to many callers at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => subject.pricing.pricesUsd(['eth', 'usdc'])),
      );
      expect(answers).toEqual(Array(50).fill(answers[0]));
    });
  });
}
