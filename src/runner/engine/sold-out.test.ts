/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import type { UserActionRequest } from '../types.ts';
import { buyMug } from './testing/on-account.ts';
import { plainShop } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Takes the option with this title. */
const takes = (title: string) => ({
  answer: (request: UserActionRequest) => {
    const found =
      request.kind === 'option-choice'
        ? request.options.find((one) => one.title === title)
        : undefined;
    return found && { choice: found.value };
  },
});
const list = (label: string, options: readonly string[]) =>
  `<label>${label} <select name="${label.toLowerCase()}">${options.map((one) => `<option ${/sold/.test(one) ? 'disabled' : ''}>${one}</option>`).join('')}</select></label>`;
/** Says so, and takes the button away, once both are chosen. */
const together = (
  soldOut: string,
  says: string,
) => `${list('Size', ['S', 'M', 'L'])}${list('Colour', ['Red', 'Blue'])}<p id="stock"></p>
<script>addEventListener('DOMContentLoaded', () => { const f = document.querySelector('main form'), b = f.querySelector('button'); f.onchange = () => {
  const gone = ${soldOut}.includes(f.size.value + f.colour.value); b.disabled = gone; document.getElementById('stock').textContent = gone ? '${says}' : ''; }; });</script>`;

describe('an option that is sold out', () => {
  it('is asked about, with those that are left', async () => {
    const shop = plainShop({
      productForm: list('Size', ['S', 'M – sold out', 'L', 'XL (sold out)']),
    });
    const { orders, asked } = await buyMug(browser, shop, takes('L'), { request: 'size M' });
    expect(asked[0]).toMatchObject({
      question: '“M” is sold out. Which Size should it be instead?',
      options: [{ title: 'S' }, { title: 'L' }],
    });
    expect(orders).toMatchObject([{ 'chosen-size': 'L' }]);
  });

  it('together with another one is asked about, with what goes with the rest', async () => {
    const shop = plainShop({ productForm: together(`['MBlue', 'SBlue']`, 'Leider ausverkauft') });
    const { orders, asked } = await buyMug(browser, shop, takes('Size: L'), {
      request: 'size M, blue',
    });
    expect(asked[0]).toMatchObject({
      question: '“M, Blue” is sold out. What should be bought instead?',
      options: [{ title: 'Size: L' }, { title: 'Colour: Red' }],
    });
    expect(orders).toMatchObject([{ 'chosen-size': 'L', 'chosen-colour': 'Blue' }]);
  });
});

it('a product without options whose button is off is told with what the page says', async () => {
  const handler = plainShop({
    productForm: '<p>Uitverkocht</p>',
    head: '<script>addEventListener("DOMContentLoaded", () => { document.querySelector("main button").disabled = true; });</script>',
  });
  const { end, orders } = await buyMug(browser, handler);
  expect(end).toMatchObject({
    outcome: 'failed',
    placed: 'no',
    message: expect.stringContaining('its page says “Uitverkocht”'),
  });
  expect(orders).toEqual([]);
});
