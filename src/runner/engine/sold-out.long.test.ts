import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { buyMug } from './testing/on-account.ts';
import { plainShop } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const swatches = (
  says: string,
) => `<fieldset><legend>Colour</legend><div><button type="button">Red</button><button type="button">Blue</button></div></fieldset>
<input type="hidden" name="colour"><p id="stock"></p><script>addEventListener('DOMContentLoaded', () => { const f = document.querySelector('main form');
  for (const one of f.querySelectorAll('fieldset button')) one.onclick = () => { for (const other of f.querySelectorAll('fieldset button')) other.setAttribute('aria-pressed', String(other === one));
    f.colour.value = one.textContent; const gone = one.textContent === 'Blue'; f.lastElementChild.disabled = gone; f.lastElementChild.textContent = gone ? '${says}' : 'Add to cart'; }; });</script>`;

describe('an option that is sold out', () => {
  it.each(['Sold out', 'Ausverkauft', 'Épuisé', 'Agotado', 'Esaurito', 'Uitverkocht', '売り切れ'])(
    'is asked about where only the button says so: %s',
    async (says) => {
      const shop = plainShop({ productForm: swatches(says) });
      const answer = {
        answer: ({ kind }: { kind: string }) =>
          kind === 'option-choice' ? { choice: '0' } : undefined,
      };
      const { orders, asked } = await buyMug(browser, shop, answer, { request: 'the blue one' });
      expect(asked[0]).toMatchObject({ kind: 'option-choice', options: [{ title: 'Red' }] });
      expect(orders).toMatchObject([{ 'chosen-colour': 'Red' }]);
    },
  );

  it('is asked about where each one is a page of its own', async () => {
    const links =
      '<p><a href="/mug">Red</a> <a href="/mug-blue">Blue (sold out)</a> <a href="/mug-green">Green</a></p>';
    const [red, green] = ['Red Mug', 'Green Mug'].map((product) =>
      plainShop({
        product,
        productForm: `${links}<input type="hidden" name="item" value="${product}">`,
      }),
    );
    const answer = {
      answer: ({ kind }: { kind: string }) =>
        kind === 'option-choice' ? { choice: '2' } : undefined,
    };
    const { orders, asked } = await buyMug(
      browser,
      (request, all) =>
        request.path === '/mug'
          ? red!(request, all)
          : green!({ ...request, path: request.path.replace('-green', '') }, all),
      answer,
      { request: 'the blue one' },
    );
    expect(asked[0]).toMatchObject({
      kind: 'option-choice',
      options: [{ title: 'Red' }, { title: 'Green' }],
    });
    expect(orders).toMatchObject([{ 'chosen-item': 'Green Mug' }]);
  });

  it('ends the run when the user wants nothing else, or nothing else is there', async () => {
    const declined = await buyMug(
      browser,
      plainShop({ productForm: swatches('Sold out') }),
      {},
      { request: 'the blue one' },
    );
    expect([declined.end, declined.orders]).toMatchObject([
      { outcome: 'failed', reason: 'user_cancelled', placed: 'no' },
      [],
    ]);
    const form = swatches('Sold out').replaceAll("=== 'Blue'", "!== ''");
    const none = await buyMug(
      browser,
      plainShop({ productForm: form }),
      {},
      { request: 'the blue one' },
    );
    expect([none.end, none.asked, none.orders]).toMatchObject([
      {
        outcome: 'failed',
        message: '“Blue” is sold out, and the shop offers nothing in its place.',
      },
      [],
      [],
    ]);
  });
});
