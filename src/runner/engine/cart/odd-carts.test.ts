import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { type OddShop, oddShop, remove, toCheckout } from '../testing/odd-shop.ts';
import { buyMug } from '../testing/on-account.ts';
import { pageOf } from '../testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('lines that differ in a number alone', () => {
  const kinds = ['CR2032', 'CR2025', 'CR1616'] as const;
  const lineOf = (isStepped: boolean, kind: string) =>
    `<tr><td>Battery ${kind}</td><td><form method="post" action="/less"><input type="hidden" name="kind" value="${kind}">${isStepped ? '<button>−</button><span>1</span>' : '1 <button>Remove</button>'}</form></td><td>$20.00</td></tr>`;
  const batteries = (isStepped: boolean) =>
    oddShop({
      title: 'Battery CR2032',
      price: '$20.00',
      sum: '$20.00',
      cart: (_, session) =>
        `<table>${kinds
          .filter((kind) => session.get(kind) !== '0')
          .map((kind) => lineOf(isStepped, kind))
          .join('')}</table>${toCheckout}`,
      more: ({ path, form, session }) => {
        if (path !== '/less') return undefined;
        session.set(form.get('kind')!, '0');
        return { to: '/cart' };
      },
    });

  const title = 'are asked about one by one, and the one that was named goes (stepper: %s)';
  const areAskedAbout = async (isStepped: boolean) => {
    const { orders, asked } = await buyMug(
      browser,
      batteries(isStepped),
      { answer: ({ kind }) => (kind === 'option-choice' ? { choice: 'change' } : undefined) },
      { browserState: { cookies: [], origins: [] } },
    );
    const questions = asked.flatMap((one) => (one.kind === 'option-choice' ? [one.question] : []));
    expect(questions).toEqual([
      expect.stringContaining('CR2025'),
      expect.stringContaining('CR1616'),
    ]);
    expect(orders).toEqual([expect.objectContaining({ CR2025: '0', CR1616: '0' })]);
    expect(orders[0]).not.toHaveProperty('CR2032');
  };
  it.each([true])(title, areAskedAbout);
  it.each([false])(title, { tags: 'slow' }, areAskedAbout);
});

describe('what was asked for is bought, and nothing is asked', () => {
  const field = (count: number) => `<input name="q" aria-label="Quantity" value="${count}">`;
  type Row = [string, OddShop, request?: string];
  const isBought = async (...[, look, request = 'one of them']: Row) => {
    const { orders, asked } = await buyMug(
      browser,
      oddShop(look),
      {},
      {
        request,
        maxCost: { amountMinor: 100_000n, currency: 'EUR' },
      },
    );
    const quantity = request === 'three of them' ? '3' : '1';
    expect([orders, asked.map(({ kind }) => kind)]).toEqual([[{ quantity }], ['approve-purchase']]);
  };
  it.each<Row>([
    [
      'where a gift lies beside it that nobody can take out',
      {
        title: 'Blue Mug',
        price: '20,00 €',
        sum: '20,00 €',
        cart: (count) =>
          `<table><tr><td>Blue Mug</td><td>${field(count)}</td><td>20,00 €</td></tr><tr><td>Tote bag</td><td><input readonly aria-label="Quantity" value="1"></td><td>0,00 €</td></tr></table>${toCheckout}`,
      },
    ],
    [
      'where the shop writes it as two lines',
      {
        title: 'Blue Mug',
        price: '20,00 €',
        sum: '60,00 €',
        cart: (count) =>
          `<table><tr><td>Blue Mug</td><td>${field(2)}</td><td>40,00 €</td><td>${remove}</td></tr><tr><td>Blue Mug</td><td>${field(count - 2)}</td><td>20,00 €</td><td>${remove}</td></tr></table>${toCheckout}`,
      },
      'three of them',
    ],
  ])('%s', isBought);
  it.each<Row>([
    [
      'where its price stands with that of a litre in one element',
      {
        title: 'Olive Oil',
        price: '5,00 € (10,00 € / l)',
        sum: '15,00 €',
        cart: (count) =>
          `<table><tr><td>Olive Oil</td><td>${count}</td><td>${count * 5},00 € (10,00 € / l)</td><td>${remove}</td></tr></table>${toCheckout}`,
      },
      'three of them',
    ],
    [
      'where a number stands before a price as if it were its thousands',
      {
        title: 'Blue Mug',
        price: '200,00 €',
        sum: '200,00 €',
        cart: (count) =>
          `<table><tr><td>Blue Mug</td><td>${count}</td><td>200,00 €</td><td>${remove}</td></tr></table>${toCheckout}`,
      },
    ],
    [
      'where the cart says that it is empty until its script has shown it',
      {
        title: 'Blue Mug',
        price: '20,00 €',
        sum: '20,00 €',
        cart: () =>
          `<div id="lines"><p>Your cart is empty.</p></div><script>setTimeout(() => { lines.innerHTML = '<p>Blue Mug 20,00 €</p>${toCheckout}'; }, 900)</script>`,
      },
    ],
    [
      'where the page shows its cart a second time beside it',
      {
        title: 'Blue Mug',
        price: '20,00 €',
        sum: '20,00 €',
        cart: (count) =>
          `<aside><div>Blue Mug <span>20,00 €</span> ${remove}</div></aside><table><tr><td>Blue Mug</td><td>${field(count)}</td><td>20,00 €</td><td>${remove}</td></tr></table>${toCheckout}`,
      },
    ],
  ])('%s', { tags: 'slow' }, isBought);
});

describe('a foreign line without a way out of its own is not bought along', () => {
  type Said = readonly [price: string, other: string, currency: string, update: string];
  const isTakenOut = async (...[price, other, currency, update]: Said) => {
    const row = (name: string, count: string, amount: string) =>
      `<div class="line"><b>${name}</b> <input name="${name}" aria-label="Quantity" value="${count}"> <span>${amount}</span></div>`;
    const shop = oddShop({
      title: 'Blue Mug',
      price,
      sum: price,
      cart: (count, session) =>
        `<form method="post" action="/cart/update">${row('mug', `${count}`, price).replace('>mug<', '>Blue Mug<')}${session.get('cap') === '0' ? '' : row('cap', '1', other).replace('>cap<', '>Red Cap<')}<button>${update}</button></form>${toCheckout}`,
      more: ({ path, form, session }) => {
        if (path !== '/cart/update') return undefined;
        session.set('quantity', form.get('mug')!);
        session.set('cap', form.get('cap')!);
        return { to: '/cart' };
      },
    });
    const { end, orders } = await buyMug(
      browser,
      shop,
      // “kr” is a sign of several currencies.
      {
        answer: (one) =>
          one.kind === 'option-choice' && one.options.some(({ value }) => value === currency)
            ? { choice: currency }
            : undefined,
      },
      { maxCost: { amountMinor: 100_000n, currency } },
    );
    expect([end.outcome, orders]).toMatchObject(['succeeded', [{ quantity: '1', cap: '0' }]]);
  };
  const title = 'where prices are written like %s';
  it.each<Said>([['200 kr', '90 kr', 'SEK', 'Uppdatera varukorgen']])(title, isTakenOut);
  // page/snapshot.test.ts reads the prices of them all.
  it.each<Said>([
    ['200:-', '90:-', 'SEK', 'Uppdatera'],
    ['200kr.', '90kr.', 'DKK', 'Opdater kurv'],
    ['200 zł', '90 zł', 'PLN', 'Zaktualizuj koszyk'],
    ['200 Kč', '90 Kč', 'CZK', 'Přepočítat'],
  ])(title, { tags: 'slow' }, isTakenOut);
});

describe('a run that ends without an order leaves a piece', () => {
  const look: OddShop = {
    title: 'Blue Mug',
    price: '$20.00',
    sum: '$20.00',
    cart: (count) =>
      `<table><tr><td>Blue Mug</td><td><input name="q" aria-label="Quantity" value="${count}"></td><td>$20.00</td><td>${remove}</td></tr></table>${toCheckout}`,
  };
  const login =
    '<form method="post" action="/login"><label>E-mail <input name="user"></label><label>Password <input type="password" name="secret"></label><button>Login</button></form>';

  it('that the shop took no second one of', async () => {
    const own: OddShop = {
      ...look,
      cart: (count, session) =>
        `<p>You can only have one Blue Mug in your cart.</p>${look.cart(count, session)}`,
      more: ({ method, path, session }) => {
        session.set('quantity', '1');
        return `${method} ${path}` === 'POST /cart' ? { to: '/cart' } : undefined;
      },
    };
    const { end, posts } = await buyMug(
      browser,
      oddShop(own),
      { answer: ({ kind }) => (kind === 'approve-purchase' ? 'decline' : undefined) },
      { browserState: { cookies: [], origins: [] } },
    );
    expect([end.outcome, posts.map(({ path }) => path)]).toEqual(['failed', ['/cart']]);
  });

  it('that a late login may have brought', async () => {
    const replacing: OddShop = {
      ...look,
      more: ({ method, path, session }) => {
        if (`${method} ${path}` === 'POST /login') {
          session.set('account', 'ada');
          session.set('quantity', '1');
          return { to: '/checkout' };
        }
        if (path !== '/checkout' || session.has('account')) return undefined;
        return { html: pageOf('Checkout', `<h1>Checkout</h1>${login}`) };
      },
    };
    const { end, posts } = await buyMug(browser, oddShop(replacing), {
      answer: ({ kind }) =>
        kind === 'merchant-login'
          ? { username: 'ada@example.com', password: 'right' }
          : kind === 'approve-purchase'
            ? 'decline'
            : undefined,
    });
    expect([end.outcome, posts.map(({ path }) => path)]).toEqual(['failed', ['/cart', '/login']]);
  });
});
