/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { oddShop, toCheckout } from '../testing/odd-shop.ts';
import { buyMug } from '../testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const window = (yes: string) =>
  `<dialog id="sure"><p>Remove it from the cart?</p><button type="button" onclick="sure.close()">Cancel</button> <button type="button" onclick="out.submit()">${yes}</button></dialog>`;

it.each([
  ['the browser, as in Zen Cart', "if (confirm('Are you sure?')) out.submit()", ''],
  ['the page, as in Cornerstone', 'sure.showModal()', window('OK')],
  ['the page, as in Magento’s small cart', 'sure.showModal()', window('Remove item')],
])('a line is taken out where it is asked by %s whether it shall', async (_, press, around) => {
  const shop = oddShop({
    title: 'Blue Mug',
    price: '$20.00',
    sum: '$20.00',
    cart: (count, session) =>
      `<table><tr><td>Blue Mug</td><td><input name="quantity" aria-label="Quantity" value="${count}"></td><td>$20.00</td></tr>${session.has('cap') ? '' : `<tr><td>Red Cap</td><td>1</td><td>$9.00</td><td><button type="button" onclick="${press}">Remove</button></td></tr>`}</table><form id="out" method="post" action="/cart/set"><input type="hidden" name="cap" value="0"></form>${around}${toCheckout}`,
  });
  const { orders, asked } = await buyMug(browser, shop);
  expect([orders, asked.map(({ kind }) => kind)]).toEqual([
    [{ quantity: '1', cap: '0' }],
    ['approve-purchase'],
  ]);
});
