import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { countingShop } from './testing/counting-shop.ts';
import { buyMug } from './testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('several of a product that a shop lets nobody count', () => {
  it('are put into the cart one by one, as many as were asked for', { tags: 'slow' }, async () => {
    const { end, orders, posts } = await buyMug(
      browser,
      countingShop({ shows: 'times' }),
      {},
      { request: 'three of them' },
    );
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 6_500n } });
    expect([
      orders.map(({ quantity }) => quantity),
      posts.filter(({ path }) => path === '/cart').length,
    ]).toEqual([['3'], 3]);
  });

  it('are not bought where the cart keeps one of them', async () => {
    const { end, orders } = await buyMug(
      browser,
      countingShop({ shows: 'times', keeps: 1 }),
      {},
      { request: 'two of them' },
    );
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: 'The shop keeps 1 of it in the cart: 2 were asked for.',
    });
    expect(orders).toEqual([]);
  });

  it('are not bought where nothing in the shop shows how many', { tags: 'slow' }, async () => {
    const { end, orders, asked } = await buyMug(
      browser,
      countingShop({ shows: 'nothing', keeps: 1 }),
      {},
      { request: 'two of them' },
    );
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('does not show how many it would send'),
    });
    expect([orders, asked]).toEqual([[], []]);
  });
});
