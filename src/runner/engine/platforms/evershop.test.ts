/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { drawnShop } from './drawn-shop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const request = 'Pay cash on delivery.';

describe('a shop like EverShop 2.2.1', () => {
  it('is bought in by its drawn controls: each is set once, and the total waits for the delivery', async () => {
    const { end, asked, orders, posts } = await buyMug(browser, drawnShop(), {}, { request });
    expect(asked).toMatchObject([
      {
        kind: 'approve-purchase',
        total: { amountMinor: 2_500n },
        paying: expect.stringContaining('Cash On Delivery'),
      },
    ]);
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 2_500n } });
    expect(orders).toMatchObject([
      { count: '1', country: 'US', state: 'CA', shipping: 'standard', payment: 'cod' },
    ]);
    expect(
      posts.filter(({ path }) => path === '/count').map(({ values }) => values['what']),
    ).toEqual(['country', 'state']);
  });

  it('shows what was left in its cart on the page of it, which a button of the layer opens, and it is not bought along', async () => {
    const { orders } = await buyMug(browser, drawnShop(2), {}, { request });
    expect(orders).toMatchObject([{ count: '1' }]);
  });
});
