import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { bestPairs } from './fields/assign.ts';
import { readForm } from './fields/forms.ts';
import { takeSnapshot } from './page/snapshot.ts';
import { addressFields, type Layout } from './testing/layouts-kit.ts';
import { pageOf } from './testing/pages-kit.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

const looks: fc.Arbitrary<Layout> = fc.record({
  language: fc.constantFrom('en', 'de', 'fr', 'es'),
  tie: fc.constantFrom('wrap', 'for', 'aria-label', 'placeholder', 'text-before', 'labelledby'),
  names: fc.constantFrom('words', 'opaque', 'tokens'),
  wholeName: fc.boolean(),
  lists: fc.constantFrom('select', 'listbox'),
  codes: fc.boolean(),
  newsletterFirst: fc.boolean(),
});

async function formOf(html: string) {
  await page.setContent(html);
  return readForm(await takeSnapshot(page.mainFrame()));
}

describe('the form engine', () => {
  it('knows every field of an address however it is written, in four languages', {
    tags: 'slow',
  }, async () => {
    const wrong: string[] = [];
    for (const look of fc.sample(looks, { numRuns: 70, seed: 20261122 })) {
      const { html, nameOf } = addressFields(look);
      const newsletter =
        '<form class="newsletter"><input type="email" name="mail" placeholder="Email"><button>Subscribe</button></form>';
      const form = await formOf(
        pageOf(
          'Checkout',
          `${look.newsletterFirst ? newsletter : ''}<h1>Checkout</h1><form method="post">${html}<button>Continue</button></form>`,
        ),
      );
      const found = Object.fromEntries(
        form.fields.map((one) => [one.field.name || one.field.id, one.meaning]),
      );
      const names = look.wholeName
        ? { whole: 'fullName' }
        : { first: 'firstName', last: 'lastName' };
      const expected = {
        email: 'email',
        ...names,
        address: 'addressLine1',
        zip: 'postalCode',
        city: 'city',
        phone: 'phone',
      };
      for (const [key, meaning] of Object.entries(expected))
        if (found[nameOf(key)] !== meaning)
          wrong.push(`${JSON.stringify(look)}: ${key} is ${found[nameOf(key)]}`);
      if (!form.fields.some((one) => one.meaning === 'country'))
        wrong.push(`${JSON.stringify(look)}: no country`);
      if (form.fields.some((one) => one.field.name === 'mail' || one.field.name === 'q'))
        wrong.push(`${JSON.stringify(look)}: newsletter or search`);
    }
    expect(wrong).toEqual([]);
  });

  it('gives each meaning to one field, so that the sum is the best', () => {
    expect(
      bestPairs([
        [9, 8],
        [8, 1],
      ]),
    ).toEqual([1, 0]);
    expect(bestPairs([[5], [7]])).toEqual([undefined, 0]);
    expect(bestPairs([[0, 0]])).toEqual([undefined]);
  });

  it('reads no hidden field and no hidden text', async () => {
    await page.setContent(`<form><label>Email <input name="email"></label><label>Address <input name="address"></label>
      <input name="cardnumber" autocomplete="cc-number" style="position:absolute;left:-5000px"><input name="cvc" style="opacity:0"><div style="height:0;overflow:hidden"><input name="city" placeholder="City"></div>
      <p style="display:none">hidden-one</p><p style="font-size:0">hidden-two</p><p style="opacity:0">hidden-three</p><p style="color:transparent">hidden-four</p><p style="position:absolute;left:-9999px">hidden-five</p><button>Continue</button></form>`);
    const snapshot = await takeSnapshot(page.mainFrame());
    expect(snapshot.fields.map((field) => field.name)).toEqual(['email', 'address']);
    expect(snapshot.text).not.toContain('hidden');
  });

  it('keeps card fields, codes and coupons apart', async () => {
    const form = await formOf(
      `<form><label>Card number <input name="n"></label><label>Expiration <input name="e" placeholder="MM / YY"></label><label>Security code <input name="s" maxlength="4"></label><label>Name on card <input name="h"></label><label>Discount code <input name="d"></label><button>Pay now</button></form>`,
    );
    expect(Object.fromEntries(form.fields.map((one) => [one.field.name, one.meaning]))).toEqual({
      n: 'cardNumber',
      e: 'cardExpiry',
      s: 'cardCvc',
      h: 'cardHolder',
    });
  });

  it('reads no meaning out of a part of a word, nor out of a product’s name: there is a phone in an iPhone', async () => {
    const meaningsOf = async (html: string) =>
      (await formOf(html)).fields.map((one) => [one.field.name, one.meaning]);
    const cart = (input: string) =>
      `<h1>Shopping Cart</h1><form action="/cart/edit" method="post"><table><tr><td><a href="/iphone">iPhone</a></td><td>${input}</td><td>$123.20</td></tr></table><button>Update</button><a href="/checkout">Checkout</a></form>`;
    expect(
      await meaningsOf(cart('<input type="text" name="quantity[12]" value="1" size="1">')),
    ).toEqual([['quantity[12]', 'quantity']]);
    expect(
      await meaningsOf(cart('<label>iPhone <input type="text" name="line12" value="1"></label>')),
    ).toEqual([]);
    const checkout = (label: string) =>
      `<h1>Checkout</h1><form action="/checkout"><label>${label} <input name="f1"></label><button>Continue</button></form>`;
    expect(await meaningsOf(checkout('Phone').replace('name="f1"', 'name="qty"'))).toEqual([
      ['qty', 'quantity'],
    ]);
    expect(await meaningsOf(checkout('Headphones engraving'))).toEqual([]);
    expect(await meaningsOf(checkout('Capacity'))).toEqual([]);
    expect(await meaningsOf(checkout('Mobile phone'))).toEqual([['f1', 'phone']]);
  });
});
