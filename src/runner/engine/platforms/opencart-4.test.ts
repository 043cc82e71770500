/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { aTask, runInShop, startTestShop } from '../testing/test-shop-kit.ts';
import { sectionsShop } from './sections-shop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop like OpenCart 4.1.0.3', () => {
  it('is bought in section by section: each is sent once, and an empty box is opened by “Choose” beside it', async () => {
    const shop = await startTestShop(sectionsShop);
    const url = `${shop.origin}/index.php?route=product/product&product_id=40`;
    const { end, asked } = await runInShop(
      browser,
      aTask(url, { request: 'Pay cash on delivery.' }),
    ).finally(() => shop.close());
    expect(asked).toMatchObject([
      { kind: 'approve-purchase', paying: expect.stringContaining('Cash On Delivery') },
    ]);
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 2_500n } });
    expect(shop.orders).toEqual([
      { address: '12 Main Street, Apt 4', shipping: 'flat.flat', payment: 'cod' },
    ]);
    expect(shop.posts.map(({ path }) => path)).toEqual([
      '/add',
      '/save/address',
      '/quote/shipping',
      '/save/shipping',
      '/quote/payment',
      '/save/payment',
      '/order',
    ]);
  });
});
