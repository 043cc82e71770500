import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { pageOf, plainCard, plainFields, plainShop, plainSummary } from '../testing/pages-kit.ts';
import { partsShop } from '../testing/parts-shop.ts';
import type { Handler } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const sent = (posts: readonly { readonly path: string }[]) =>
  posts.map(({ path }) => path).filter((path) => path !== '/cart');

describe('a checkout whose parts have buttons of their own, as OpenCart 4.1 has it', () => {
  it('is sent part by part, each once, with the delivery that an empty box hides, and ordered behind them', async () => {
    const { end, orders, posts } = await buyMug(browser, partsShop());
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(sent(posts)).toEqual(['/save/contact', '/save/address', '/save/delivery', '/order']);
    expect(orders[0]).toMatchObject({
      address: expect.stringContaining('12 Main Street'),
      delivery: expect.stringContaining('flat'),
    });
  });

  it('has its card saved behind the approval, and the order below it pressed then', {
    tags: 'slow',
  }, async () => {
    const { end, orders, posts, armed } = await buyMug(browser, partsShop({ hasCard: true }));
    expect([end.outcome, orders.length, armed]).toEqual(['succeeded', 1, 1]);
    expect(sent(posts)).toEqual([
      '/save/contact',
      '/save/address',
      '/save/delivery',
      '/save/card',
      '/order',
    ]);
  });
});

/** The button beside the card says only that it goes on; `next` is the page behind it. */
const goesOn =
  (next: (orders: Record<string, string>[]) => string): Handler =>
  (request, orders) => {
    switch (`${request.method} ${request.path}`) {
      case 'GET /checkout':
        return {
          html: pageOf(
            'Checkout',
            `<h1>Checkout</h1><form method="post" action="/next">${plainFields}${plainCard}${plainSummary}<button>Next</button></form>`,
          ),
        };
      case 'POST /next':
        return { html: pageOf('Checkout', next(orders)) };
      default:
        return plainShop()(request, orders);
    }
  };

describe('behind a card and a button that only goes on', { tags: 'slow' }, () => {
  it('the page that shows the approved total with an order button is ordered on, behind the same permit', async () => {
    const last = `<h1>Checkout</h1><p>Ada Lovelace, 12 Main Street</p><form method="post" action="/order">${plainSummary}<button>Place order</button></form>`;
    const { end, orders, armed } = await buyMug(
      browser,
      goesOn(() => last),
    );
    expect([end.outcome, orders.length, armed]).toEqual(['succeeded', 1, 1]);
  });

  it.each([
    [
      'another total',
      '<h1>One more thing</h1><p>Tea <b>Total $9.00</b></p><form method="post" action="/order"><button>Pay now</button></form>',
    ],
    [
      'a way to decline it',
      `<h1>The same again?</h1><form method="post" action="/order">${plainSummary}<button>Buy now</button></form><a href="/thanks">No, thanks</a>`,
    ],
  ])('an offer with %s, of a shop that has ordered already, is not bought', async (_, offer) => {
    const shop = goesOn((orders) => {
      orders.push({ first: 'order' });
      return offer;
    });
    const { orders } = await buyMug(browser, shop, { patience: { outcomeMs: 4_000 } });
    expect(orders).toEqual([{ first: 'order' }]);
  });
});

/** Between product and cart: something else, with a way past it. */
const withOffer: Handler = (request, orders) => {
  if (request.method === 'POST' && request.path === '/cart') {
    request.session.set('quantity', '1');
    return { to: '/offer' };
  }
  if (request.path === '/offer' && request.method === 'POST') {
    request.session.set('tea', '1');
    return { to: '/cart' };
  }
  if (request.path === '/offer')
    return {
      html: pageOf(
        'Customers also bought',
        '<h1>Customers also bought</h1><p>Tea $9.00</p><form method="post"><button>Yes, add it</button></form><p><a href="/cart">No, thanks</a></p>',
      ).replace('<a href="/cart">Cart</a>', ''),
    };
  return plainShop()(request, orders);
};

it('an offer between product and cart is declined', { tags: 'slow' }, async () => {
  const { end, orders } = await buyMug(browser, withOffer);
  expect(end).toMatchObject({ outcome: 'succeeded' });
  expect(orders[0]).not.toHaveProperty('tea');
});

it('two ways of paying that a page shows as chosen at once are not ordered with', {
  tags: 'slow',
}, async () => {
  const radios = ['Bank transfer', 'Cash on delivery']
    .map(
      (way) =>
        `<label><input type="radio" data-k="way" value="${way}" ${way === 'Bank transfer' ? 'checked' : ''}> ${way}</label>`,
    )
    .join('');
  const checkoutFields = `${plainFields}<fieldset><legend>Payment method</legend>${radios}</fieldset>`;
  const { end, orders } = await buyMug(
    browser,
    plainShop({ checkoutFields }),
    {},
    { request: 'pay cash on delivery' },
  );
  expect(end).toMatchObject({
    outcome: 'failed',
    placed: 'no',
    message: expect.stringContaining('chosen at once'),
  });
  expect(orders).toEqual([]);
});

/** A cart that slid in, with an offer of news over it. */
const withLayers: Handler = (request, orders) => {
  if (request.method === 'POST' && request.path === '/cart') {
    request.session.set('quantity', '1');
    return { to: '/added' };
  }
  if (request.path !== '/added') return plainShop()(request, orders);
  const drawer =
    '<div role="dialog" aria-label="Cart" style="position:fixed;top:0;right:0;bottom:0;width:300px;background:#fff"><button title="Close">×</button><a href="/cart">View cart</a> <a href="/checkout">Checkout</a></div>';
  const news =
    '<div id="news" style="position:fixed;inset:0;background:#fff;z-index:9"><button onclick="news.remove()" aria-label="Close">×</button><h3>Newsletter: 10 % off</h3><form><input type="email" placeholder="Email"><button>Subscribe</button></form></div>';
  return { html: pageOf('Added', `<h1>Blue Mug</h1>${drawer}${news}`) };
};

it('an offer over a cart that slid in is closed, and the cart is opened before the checkout', {
  tags: 'slow',
}, async () => {
  const { end, orders, logs } = await buyMug(browser, withLayers);
  expect([end.outcome, orders.length]).toEqual(['succeeded', 1]);
  expect(logs.filter((line) => line.includes('A button is pressed')).join()).toMatch(
    /View cart.*Proceed to checkout/,
  );
});

const offerOfNews =
  '<div id="news" style="position:fixed;inset:0;background:#fff;z-index:9"><button onclick="news.remove()" aria-label="Close">×</button><h3>Newsletter: 10 % off</h3><form><input type="email" placeholder="Email"><button>Subscribe</button></form></div>';

it('an option under an offer of news that came after the page was read is chosen once that is closed', {
  tags: 'slow',
}, async () => {
  const size = (name: string) =>
    `<label><input type="radio" name="size" value="${name}"> ${name}</label>`;
  const script = `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(offerOfNews)})`;
  const { end, orders } = await buyMug(
    browser,
    plainShop({ productForm: size('S') + size('M') }),
    { onStep: async (step, { page }) => void (step === 'open' && (await page.evaluate(script))) },
    { request: 'size M' },
  );
  expect(end).toMatchObject({ outcome: 'succeeded' });
  expect(orders[0]).toMatchObject({ 'chosen-size': 'M' });
});

it('a press that an offer of news has caught has put nothing into the cart: the button is pressed again', {
  tags: 'slow',
}, async () => {
  // It comes between the button going down and up, so that the page sees no click.
  const head = `<script>addEventListener('mousedown', (event) => { if (location.pathname === '/mug') document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(offerOfNews)}); }, { once: true })</script>`;
  const { end, orders, posts } = await buyMug(browser, plainShop({ head }));
  expect(end).toMatchObject({ outcome: 'succeeded' });
  expect([orders.length, posts.filter(({ path }) => path === '/cart').length]).toEqual([1, 1]);
});
