import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { type CountingLook, countingShop } from './testing/counting-shop.ts';
import { buyMug } from './testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('two of a product that a shop lets nobody count', () => {
  it.each(['lines', 'badge', 'sum'] as const)(
    'are bought where the cart shows them by its %s',
    async (shows) => {
      const { end, orders } = await buyMug(
        browser,
        countingShop({ shows }),
        {},
        { request: 'two of them' },
      );
      expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 4_500n } });
      expect(orders.map(({ quantity }) => quantity)).toEqual(['2']);
    },
  );

  it.each<[string, CountingLook, string, string]>([
    [
      'shows nowhere how many it has',
      { shows: 'nothing' },
      'two of them',
      'does not show how many',
    ],
    ['takes three at once', { shows: 'times', atOnce: 3 }, 'two of them', 'The cart holds 3 of it'],
    ['would have to be told twelve times', { shows: 'times' }, 'twelve of them', 'one by one'],
  ])('are not bought where the cart %s', async (_name, look, request, message) => {
    const { end, orders } = await buyMug(
      browser,
      countingShop(look),
      {},
      { request, maxCost: { amountMinor: 50_000n, currency: 'USD' } },
    );
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining(message),
    });
    expect(orders).toEqual([]);
  });
});
