import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import { type CountingLook, countingShop } from '../../testing/counting-shop.ts';
import { buyMug } from '../../testing/on-account.ts';
import { pageOf } from '../../testing/pages-kit.ts';
import type { Handler } from '../../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface LyingCart {
  readonly request: string;
  /** Its table, and what stands around it. */
  readonly cart: (count: number) => string;
  readonly shop?: Partial<CountingLook>;
  /** What its delivery costs. */
  readonly delivery?: string;
}

/** A shop that keeps one mug, and whose cart has something that reads like more. */
const lying =
  ({ cart, shop, delivery = '5.00' }: LyingCart): Handler =>
  (request, orders) => {
    if (request.path === '/collect') return { json: {} };
    if (`${request.method} ${request.path}` === 'GET /cart')
      return {
        html: pageOf(
          'Your cart',
          `<h1>Your cart</h1>${cart(Number(request.session.get('quantity') ?? 0))}<a href="/checkout">Proceed to checkout</a>`,
        ),
      };
    const reply = countingShop({ shows: 'unit', keeps: 1, ...shop })(request, orders);
    return reply !== undefined && 'html' in reply && request.path === '/checkout'
      ? {
          html: reply.html
            .replace('$5.00', `$${delivery}`)
            .replace('$25.00', `$${(20 + Number(delivery)).toFixed(2)}`),
        }
      : reply;
  };

const line =
  '<table><tr><td>Blue Mug</td><td>$20.00</td><td><form method="post" action="/cart/remove"><button>Remove</button></form></td></tr></table>';
const field = (count: number, attributes = '') =>
  `<table><tr><td>Blue Mug</td><td><input name="quantity" aria-label="Quantity" value="${count}" ${attributes}></td><td id="sum">$20.00</td></tr></table>`;
const hasField = { hasField: true } as const;

describe('one piece in the cart is not bought for several', () => {
  const isNotBought = async (_: string, { request, ...look }: LyingCart) => {
    const { end, orders } = await buyMug(browser, lying({ request, ...look }), {}, { request });
    expect([end, orders]).toMatchObject([{ outcome: 'failed', placed: 'no' }, []]);
  };
  it.each<[string, LyingCart]>([
    [
      'where something else costs as much',
      {
        request: 'two of them',
        shop: { ...hasField, bills: 'delivery' },
        cart: () =>
          `${line}<h2>You may also like</h2><div><a href="/p/pot">Tea pot</a><p>$40.00</p></div>`,
      },
    ],
    [
      'behind a button that updates something else',
      {
        request: 'three of them',
        shop: { bills: 'delivery' },
        cart: (count) => `${field(count)}<button type="button">Get updates</button>`,
      },
    ],
  ])('%s', isNotBought);
  it.each<[string, LyingCart]>([
    [
      'where delivery is free from as much as they cost',
      {
        request: 'two of them',
        shop: hasField,
        cart: () => `${line}<p>Free shipping on orders over $40.00</p>`,
      },
    ],
    [
      'where delivery costs as much as another one',
      { request: 'two of them', shop: hasField, delivery: '20.00', cart: () => line },
    ],
    [
      'where the page alone works out their sum',
      {
        request: 'three of them',
        cart: (count) => field(count, `oninput="sum.textContent = '$' + 20 * this.value + '.00'"`),
      },
    ],
    [
      'where a form with a coupon is not sent on the way to the checkout',
      {
        request: 'three of them',
        cart: (count) =>
          `<form method="post" action="/cart/update">${field(count)}<label>Coupon <input name="coupon"></label><button>Apply coupon</button></form>`,
      },
    ],
    [
      'where what is sent is a beacon',
      {
        request: 'three of them',
        shop: { bills: 'delivery' },
        cart: (count) => field(count, `onchange="navigator.sendBeacon('/collect', 'x')"`),
      },
    ],
  ])('%s', { tags: 'slow' }, isNotBought);
});
