/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { installOrderGate, looksLikeOrder } from '../../gate/order-gate.ts';
import { pageOf, plainFields, plainShop, plainSummary } from '../testing/pages-kit.ts';
import { aTask, type Handler, runInShop, startTestShop } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const delivery =
  '<label><input type="radio" name="delivery_option" value="2" checked> My carrier $5.00</label>';
const payment =
  '<label><input type="radio" name="payment-option" value="wire"> Pay by bank wire</label><label><input type="radio" name="payment-option" value="cod"> Pay by Cash on Delivery</label>';

/**
 * One address for all parts of the checkout: each is sent there, the summary beside it, and those
 * to come are headings alone.
 */
const partsOfOrder =
  (headings: readonly string[]): Handler =>
  (request, orders) => {
    const { session } = request;
    const step = Number(session.get('step') ?? 0);
    const form = (fields: string) =>
      `<form method="post" action="/order"><div>${fields}</div><footer><button>Continue</button></footer></form>`;
    const last = `<form method="post" action="/validation">${payment}<button>Place order</button></form>`;
    const parts = headings.map(
      (heading, at) =>
        `<section><h1>${heading}</h1>${at === step ? [form(plainFields), form(delivery), last][at] : ''}</section>`,
    );
    switch (`${request.method} ${request.path}`) {
      case 'GET /checkout':
        return { to: '/order' };
      case 'GET /order':
        return { html: pageOf('Order', `${parts.join('')}<aside>${plainSummary}</aside>`) };
      case 'POST /order':
        session.set('step', String(step + 1));
        for (const [name, value] of request.form) session.set(name, value);
        return { to: '/order' };
      case 'POST /validation':
        orders.push({ ...Object.fromEntries(session), ...Object.fromEntries(request.form) });
        return { to: '/thanks' };
      default:
        return plainShop()(request, orders);
    }
  };

async function buyBehindGate(handler: Handler) {
  const shop = await startTestShop(handler);
  try {
    const { end } = await runInShop(
      browser,
      aTask(`${shop.origin}/mug`, { request: 'Pay by bank transfer.' }),
      {
        gate: async (context) => {
          const gate = await installOrderGate(context, { match: looksLikeOrder(shop.origin) });
          return {
            arm: () => void gate.armOnce(),
            placedRequests: () => gate.passedCount(),
            covers: (request) => gate.covers(request),
            allowStep: (url) => gate.allowStep(url),
          };
        },
      },
    );
    return {
      end,
      orders: shop.orders,
      sent: shop.posts.map(({ path }) => path).filter((path) => path !== '/cart'),
    };
  } finally {
    await shop.close();
  }
}

describe('a shop like PrestaShop 8.2.1', () => {
  it('has its parts sent to the address of an order while the one for paying is to come, and is paid by bank wire', async () => {
    const { end, orders, sent } = await buyBehindGate(
      partsOfOrder(['1 Addresses', '2 Shipping Method', '3 Payment']),
    );
    expect([end.outcome, sent]).toEqual(['succeeded', ['/order', '/order', '/validation']]);
    expect(orders).toEqual([
      expect.objectContaining({ 'payment-option': 'wire', address: '12 Main Street, Apt 4' }),
    ]);
  });

  it.each([
    [
      'stands above the button, which is a summary',
      (section: string) => `<section><h2>Payment</h2></section>${section}`,
    ],
    [
      'says what was chosen',
      (section: string) => `${section}<section><h2>Payment</h2><p>Visa •••• 4242</p></section>`,
    ],
  ])('has nothing sent there where the part for paying %s', async (_, around) => {
    const handler: Handler = (request, orders) => {
      if (`${request.method} ${request.path}` === 'GET /checkout') return { to: '/order' };
      if (`${request.method} ${request.path}` !== 'GET /order') return plainShop()(request, orders);
      const form = `<form method="post" action="/order">${plainFields}<button>Continue</button></form>`;
      return { html: pageOf('Order', `${around(form)}<aside>${plainSummary}</aside>`) };
    };
    const { sent } = await buyBehindGate(handler);
    expect(sent).toEqual([]);
  });

  it('has nothing sent there by a button that goes on where nothing says that paying is to come', async () => {
    const { end, sent } = await buyBehindGate(
      partsOfOrder(['Your order', 'Your order', 'Your order']),
    );
    expect([end.outcome, sent]).toEqual(['failed', []]);
  });
});
