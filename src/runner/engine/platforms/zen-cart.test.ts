/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { plainShop } from '../testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const sideBox = `</form><div class="sideBoxContent"><form class="sidebox-select-form" action="/companies"><select name="company" required>
<option value="1">First Records</option><option value="2">Second Records</option></select></form></div><form method="post" action="/cart">`;

describe('a shop like Zen Cart 2.2.2', () => {
  it('has lists in boxes at its side, which are no options of the product', async () => {
    const { end, asked, orders } = await buyMug(browser, plainShop({ productForm: sideBox }));
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(end.outcome).toBe('succeeded');
    expect(orders).toHaveLength(1);
  });
});
