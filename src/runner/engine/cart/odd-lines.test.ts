import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { type OddShop, oddShop, toCheckout } from '../testing/odd-shop.ts';
import { buyMug } from '../testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** How many of a line lie in the cart: one of what the shop has put there by itself. */
const countOf = (session: Map<string, string>, name: string) =>
  Number(session.get(name) ?? (name === 'quantity' ? 0 : 1));

const dear = (...others: readonly (readonly [name: string, price: number])[]) => ({
  title: 'Blue Mug',
  price: '$20.00',
  sum: (session: Map<string, string>) =>
    `$${[['quantity', 20] as const, ...others].reduce((sum, [name, price]) => sum + price * countOf(session, name), 0)}.00`,
});

/** A line with its own control for the number; nothing where the cart has none of it. */
const lineOf = (
  session: Map<string, string>,
  [name, title, price]: readonly [string, string, number],
  control: (name: string, count: number) => string,
) => {
  const count = countOf(session, name);
  return count === 0
    ? ''
    : `<tr><td>${title}</td><td>${control(name, count)}</td><td>$${price}.00</td></tr>`;
};
const formOf = (lines: string) =>
  `<form method="post" action="/cart/set"><table>${lines}</table><button>Update cart</button></form>`;

const mug = ['quantity', 'Blue Mug', 20] as const;
const cap = ['cap', 'Red Cap', 9] as const;
const lid = ['lid', 'Blue Mug Lid', 20] as const;
const plan = ['plan', 'Protection plan for Blue Mug', 20] as const;

describe('what the page of the product leaves open is asked', () => {
  const part = (name: string, value: number) =>
    `<tr><td>${name}</td><td><input type="number" name="quantity[${name}]" value="${value}"></td><td>$20.00</td></tr>`;
  it('where it is a set, each part of which has a number of its own', async () => {
    const shop = oddShop({
      ...dear(),
      field: `<table>${part('Blue Mug small', 0)}${part('Blue Mug tall', 0)}</table>`,
      cart: (count, session) =>
        `<table><tr><td>Blue Mug ${session.get('part')}</td><td><input name="quantity" aria-label="Quantity" value="${count}"></td><td>$${count * 20}.00</td></tr></table>${toCheckout}`,
      more: ({ path, method, form, session }) => {
        if (`${method} ${path}` !== 'POST /cart') return undefined;
        const taken = ['small', 'tall'].filter(
          (one) => form.get(`quantity[Blue Mug ${one}]`) !== '0',
        );
        session.set('part', taken.join());
        session.set('quantity', form.get(`quantity[Blue Mug ${taken[0]}]`) ?? '0');
        return { to: '/cart' };
      },
    });
    const { orders, asked } = await buyMug(
      browser,
      shop,
      { answer: ({ kind }) => (kind === 'option-choice' ? { choice: '1' } : undefined) },
      { request: 'two of them' },
    );
    expect([orders, asked.map(({ kind }) => kind)]).toEqual([
      [{ part: 'tall', quantity: '2' }],
      ['option-choice', 'approve-purchase'],
    ]);
  });

  it('but what is sold only again and again is not bought', async () => {
    const { end, orders, posts } = await buyMug(
      browser,
      oddShop({
        ...dear(),
        field:
          '<label>Delivery <select name="plan"><option>Every 4 weeks</option></select></label>',
        cart: () => `<p>Blue Mug</p>${toCheckout}`,
      }),
    );
    expect([orders, posts]).toEqual([[], []]);
    expect(end).toMatchObject({
      message: expect.stringMatching(/again and again \(“Every 4 weeks”/),
    });
  });
});

describe('what was asked for is bought alone, and nothing is asked', () => {
  const written = (name: string, count: number) =>
    `<input name="${name}" aria-label="Quantity" value="${count}.00"> <button type="button">Zur Wunschliste hinzufügen</button>`;
  const often = (session: Map<string, string>) =>
    `<tr><td colspan="3"><label>Delivery <select name="often"><option value="weeks">Every 4 weeks</option><option value="once" ${session.get('often') === 'once' ? 'selected' : ''}>One-time</option></select></label></td></tr>`;
  const stepper = (name: string, count: number) =>
    `<form method="post" action="/cart/set"><button name="${name}" value="${count - 1}">−</button> <span>${count}</span> <button name="${name}" value="${count + 1}">+</button></form>`;
  const radiosOf = (session: Map<string, string>) =>
    [
      ['month', 'Subscribe, every month'],
      ['once', 'One-time purchase'],
    ]
      .map(
        ([value, label], index) =>
          `<label><input type="radio" name="often" value="${value}" ${(session.get('often') === 'once') === (index === 1) ? 'checked' : ''}> ${label}</label>`,
      )
      .join('');
  const listed = (name: string, count: number) =>
    `<select name="${name}">${[0, 1, 2, 3].map((one) => `<option value="${one}" ${one === count ? 'selected' : ''}>Qty: ${one}</option>`).join('')}</select>`;
  const twice = (session: Map<string, string>) =>
    formOf([plan, lid, mug].map((line) => lineOf(session, line, listed)).join(''));
  type Row = [string, OddShop, request: string, order: Record<string, string>];
  const isBoughtAlone = async (...[, look, request, order]: Row) => {
    const { orders, asked } = await buyMug(browser, oddShop(look), {}, { request });
    expect([orders, asked.map(({ kind }) => kind)]).toEqual([[order], ['approve-purchase']]);
  };
  it.each<Row>([
    [
      'where each line can be wished for, others are saved for later, and it would come every month',
      {
        ...dear(['cap', 9]),
        cart: (_, session) =>
          `${formOf(lineOf(session, mug, written) + lineOf(session, cap, written) + often(session))}${toCheckout}<section><h2>Saved for later (2)</h2><ul><li>Tea Pot $40.00 <form method="post" action="/cart/set"><button name="pot" value="0">Delete</button></form> <button type="button">Share</button></li><li>Green Pan $19.00 <input aria-label="Quantity" value="1"> <button type="button">Move to cart</button></li></ul></section>`,
      },
      'one of them',
      { quantity: '1.00', cap: '0', often: 'once' },
    ],
  ])('%s', isBoughtAlone);
  it.each<Row>([
    [
      'where a plan and a lid for it at its price lie before it, and an aside shows all again',
      {
        ...dear(['plan', 20], ['lid', 20]),
        field: '',
        cart: (_, session) => `<aside>${twice(session)}</aside>${twice(session)}${toCheckout}`,
      },
      'two of them',
      { quantity: '2', plan: '0', lid: '0' },
    ],
    [
      'where its line has a stepper, and another product has one above it',
      {
        ...dear(['pan', 0]),
        title: '3M Tape',
        field: '',
        cart: (count, session) =>
          `<div>Green Pan $9.00 ${stepper('pan', Number(session.get('pan') ?? 0))}</div><ul><li>3M Tape $20.00 ${stepper('quantity', count)}</li></ul>${toCheckout}`,
      },
      'two of them',
      { quantity: '2' },
    ],
    [
      'where a radio button of the cart would have it come every month',
      {
        ...dear(),
        cart: (_, session) =>
          `${formOf(`${lineOf(session, mug, listed)}<tr><td colspan="3">${radiosOf(session)}</td></tr>`)}${toCheckout}`,
      },
      'two of them, no subscription',
      { quantity: '2', often: 'once' },
    ],
    [
      'where it is a pack, whose pieces the cart alone names',
      {
        ...dear(),
        field: '',
        cart: (count) =>
          `<table><tr><td>Blue Mug<br>2 Stück</td><td>$${count * 20}.00</td></tr></table>${toCheckout}`,
      },
      'two of them',
      { quantity: '2' },
    ],
    [
      'where it is a pack, whose pieces page and cart name',
      {
        ...dear(),
        field: '<p>2 Stück</p>',
        cart: (count) =>
          `<table><tr><td>Blue Mug<br>2 Stück</td><td>$${count * 20}.00</td></tr></table>${toCheckout}`,
      },
      'two of them',
      { quantity: '2' },
    ],
  ])('%s', { tags: 'slow' }, isBoughtAlone);
});
