import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { buyMug } from './testing/on-account.ts';
import { pageOf, plainCard, plainFields, plainShop, plainSummary } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

it('a page with the card and without any amount ends the run with its reason, also when the page before it had the total', async () => {
  const form = (to: string, fields: string, button: string) =>
    pageOf(
      'Checkout',
      `<h1>Checkout</h1><form method="post" action="${to}">${fields}<button>${button}</button></form>`,
    );
  const { end, orders, cards, asked } = await buyMug(browser, (request, all) => {
    if (request.path === '/checkout')
      return { html: form('/card', plainFields + plainSummary, 'Continue to payment') };
    if (request.path === '/card') return { html: form('/order', plainCard, 'Place order') };
    return plainShop()(request, all);
  });
  expect(end).toMatchObject({
    outcome: 'failed',
    placed: 'no',
    message: expect.stringContaining('shows no total'),
  });
  expect([orders, cards, asked]).toEqual([[], 0, []]);
});
