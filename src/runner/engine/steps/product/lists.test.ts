/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import { buyMug } from '../../testing/on-account.ts';
import { plainShop } from '../../testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/**
 * A list without a name of its own: what is chosen stands in its button, what it is for before it.
 */
const list = (name: string, values: readonly string[]) =>
  `<div>${name}</div><div><input type="hidden" name="${name}"><button type="button" aria-haspopup="listbox" onclick="this.nextElementSibling.hidden = !this.nextElementSibling.hidden">Please select</button><ul role="listbox" hidden>${values
    .map(
      (value) =>
        `<li role="option" onclick="const box = this.closest('div'); box.querySelector('input').value = '${value}'; box.querySelector('button').textContent = '${value}'; this.parentElement.hidden = true">${value}</li>`,
    )
    .join('')}</ul></div>`;

it('two lists that say nothing but “Please select” are two choices', async () => {
  const productForm = `${list('Color', ['Red', 'Green'])}${list('Size', ['Small', 'Large'])}`;
  const { orders } = await buyMug(
    browser,
    plainShop({ productForm }),
    {},
    { request: 'Green, Large' },
  );
  expect(orders).toMatchObject([{ 'chosen-Color': 'Green', 'chosen-Size': 'Large' }]);
});
