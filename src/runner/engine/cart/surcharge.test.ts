import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { pageOf, plainShop } from '../testing/pages-kit.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const sizes =
  '<label>Size <select name="size" required><option value="">Choose…</option><option value="s">Small</option><option value="l">Large (+$5.00)</option></select></label>';
const summary =
  '<table><tr><td>Subtotal</td><td>$25.00</td></tr><tr><td>Shipping</td><td>$5.00</td></tr><tr><th>Total</th><td><b>$30.00</b></td></tr></table>';

/**
 * A shop whose cart lists the line as it is given, as OpenCart 4.1.0.3 lists a product with
 * options.
 */
const listing =
  (line: string): Handler =>
  (request, orders) =>
    request.method === 'GET' && request.path === '/cart'
      ? {
          html: pageOf(
            'Your cart',
            `<h1>Your cart</h1><table><tr>${line}<td><input type="number" name="quantity" value="1"></td></tr></table><a href="/checkout">Proceed to checkout</a>`,
          ),
        }
      : plainShop({ productForm: sizes, summary })(request, orders);

const buy = (line: string) => buyMug(browser, listing(line), {}, { request: 'Size: Large' });
const large = (price: string, to = '/mug') =>
  `<td><a href="${to}">Blue Mug</a><br><small>Size: Large</small></td><td>${price}</td>`;

describe('an option that costs more', { tags: 'slow' }, () => {
  it('counts in the price of the line that leads to the product and names it', async () => {
    const { end, asked, orders } = await buy(large('$25.00'));
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 3_000n } });
    expect(orders).toMatchObject([{ 'chosen-size': 'l' }]);
  });

  it.each([
    ['of more than it says', large('$27.00')],
    ['of a part of it', large('$23.00')],
    ['of a line that does not name it', '<td><a href="/mug">Blue Mug</a></td><td>$25.00</td>'],
    ['of a line that leads elsewhere', large('$25.00', '/cup')],
  ])('does not explain a price %s: that is asked, and nothing is bought', async (_what, line) => {
    const { end, asked, orders } = await buy(line);
    expect([
      end.outcome,
      orders,
      asked.map(({ kind }) => kind).includes('approve-purchase'),
    ]).toEqual(['failed', [], false]);
  });
});

it('what was not asked for and cannot be taken out of the cart is not bought along', {
  tags: 'slow',
}, async () => {
  const other =
    '</tr><tr><td>Red Cap</td><td>$9.00</td><td><input type="number" name="cap" value="2"></td></tr><tr>';
  const { end, asked, orders } = await buy(`${other}${large('$25.00')}`);
  expect([asked, orders]).toEqual([[], []]);
  expect(end).toMatchObject({
    outcome: 'failed',
    placed: 'no',
    message: expect.stringMatching(/“Red Cap.* cannot be taken out/),
  });
});

describe('the price of a product', { tags: 'slow' }, () => {
  it('is the one with a note of tax and shipping behind it, and not that of what else is sold below', async () => {
    const page = `<h1>Blue Mug</h1><p><del>$25.00</del> <b>$20.00</b> <small>incl. VAT, plus <a href="/shipping">shipping</a></small></p>
      <form method="post" action="/cart"><button>Add to cart</button></form><section><h2>You may also like</h2><form method="post" action="/cart">Milk jug $3.00 <button>Add to cart</button></form></section>`;
    const { end, asked } = await buyMug(browser, (request, orders) =>
      `${request.method} ${request.path}` === 'GET /mug'
        ? { html: pageOf('Blue Mug', page) }
        : plainShop()(request, orders),
    );
    expect([end.outcome, asked.map(({ kind }) => kind)]).toEqual([
      'succeeded',
      ['approve-purchase'],
    ]);
  });
});

describe('a variant that the cart writes behind the number of its product', () => {
  /** Products by number, as Zen Cart 2.2 and osCommerce have them. */
  const numbered =
    (to: string): Handler =>
    (request, orders) =>
      request.path === '/mug' &&
      request.form.get('products_id') === null &&
      request.method === 'GET'
        ? { to: '/mug?products_id=1' }
        : listing(large('$25.00', to))(request, orders);

  it.each([
    ['Zen Cart', '/mug?products_id=1:0123456789abcdef0123456789abcdef'],
    ['osCommerce', '/mug?products_id=1%7B4%7D12'],
  ])('leads to the product, as in %s', { tags: 'slow' }, async (_platform, to) => {
    const { end, asked } = await buyMug(browser, numbered(to), {}, { request: 'Size: Large' });
    expect([end.outcome, asked.map(({ kind }) => kind)]).toEqual([
      'succeeded',
      ['approve-purchase'],
    ]);
  });

  it.each(['/mug?products_id=12', '/mug?products_id=1:xl', '/mug?products_id=11%7B4%7D12'])(
    '%s is another product',
    async (to) => {
      const { asked, orders } = await buyMug(browser, numbered(to), {}, { request: 'Size: Large' });
      expect([orders, asked.map(({ kind }) => kind)]).toEqual([[], ['option-choice']]);
    },
  );
});
