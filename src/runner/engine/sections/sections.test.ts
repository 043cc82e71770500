import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { findButtons } from '../buttons.ts';
import { type Snapshot, takeSnapshot } from '../page/snapshot.ts';
import { pageOf } from '../testing/pages-kit.ts';
import { startTestShop } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** What is read of a page with this address. */
async function read(address: string, body: string): Promise<Snapshot> {
  const shop = await startTestShop(() => ({ html: pageOf('A page', body) }));
  const page = await browser.newPage();
  try {
    await page.goto(`${shop.origin}${address}`);
    return await takeSnapshot(page.mainFrame());
  } finally {
    await page.close();
    await shop.close();
  }
}

describe('the sections of a page', () => {
  it('are the way of paying where a Dutch shop heads it Betaalmethode, which has the word for a language in it', async () => {
    const { sections } = await read(
      '/checkout',
      '<h2>Betaalmethode</h2><form method="post"><label><input type="radio" name="payment_method" checked> Betalen bij aflevering</label><button>Bestelling afronden</button></form>',
    );
    expect(sections.map(({ kind }) => kind)).toContain('step');
  });

  it('are a newsletter on the page of the checkout too, whose address a form has that a script sends', async () => {
    const { sections, fields } = await read(
      '/checkout',
      '<form method="post" action="#" class="news"><h4>Newsletter</h4><input type="email" name="mail" placeholder="Email"><button>Subscribe</button></form>',
    );
    expect(sections.map(({ kind }) => kind)).toContain('newsletter');
    expect(fields.filter(({ name }) => name === 'mail')).toEqual([]);
  });

  it('are none of currencies where the button to the checkout stands beside the list', async () => {
    const { buttons } = await read(
      '/basket',
      '<div><select aria-label="Currency"><option>GBP</option><option>EUR</option></select></div><h1>Basket</h1><button>Checkout</button>',
    );
    expect(buttons.map(({ text }) => text)).toContain('Checkout');
  });

  it('are no search for an order where a guest pursues one, though the French words hold the others', async () => {
    const { fields } = await read(
      '/commande',
      '<form action="/invite"><label>Votre e-mail <input name="invite" type="email"></label><button>Poursuivre ma commande</button></form>',
    );
    expect(fields.map(({ name }) => name)).toContain('invite');
  });

  it('hold one choice each where radios have no name and each is the only one of its part', async () => {
    const { fields } = await read(
      '/checkout',
      '<form><fieldset><legend>Shipping method</legend><input type="radio" id="a"><label for="a">Flat rate</label></fieldset><fieldset><legend>Payment method</legend><input type="radio" id="b"><label for="b">Card</label></fieldset></form>',
    );
    const groups = fields.filter(({ type }) => type === 'radio').map(({ group }) => group);
    expect(new Set(groups).size).toBe(2);
  });
});

describe('a button', () => {
  const isAllowed = () => true;

  it('that is a link to nowhere on a page behind the number sign orders', async () => {
    const snapshot = await read(
      '/#/checkout',
      '<h1>Checkout</h1><a href="#" role="button">Confirm order</a><a href="#/orders/status">Order status</a>',
    );
    expect(findButtons(snapshot, 'place', { isAllowed }).map(({ button }) => button.text)).toEqual([
      'Confirm order',
    ]);
  });

  it('with a drawing and a number is read by its title', async () => {
    const snapshot = await read(
      '/p/mug',
      '<h1>Mug</h1><a href="#" title="Shopping Cart"><svg width="20" height="20"></svg><span>2</span></a>',
    );
    expect(
      findButtons(snapshot, 'cart', { isAllowed }).map(({ button }) => button.label),
    ).toContain('Shopping Cart');
  });
});

it('a list box with a hidden field beside it is named by what stands before both', async () => {
  const box = (name: string) =>
    `<div class="lbl">${name}</div><div><input type="hidden" name="${name}"><button type="button" aria-haspopup="listbox">Please choose</button></div>`;
  const { fields } = await read(
    '/p/mug',
    `<h1>Mug</h1><form>${box('Colour')}${box('Size')}<button>Add to cart</button></form>`,
  );
  expect(fields.filter(({ hasPopup }) => hasPopup === 'listbox').map(({ near }) => near)).toEqual([
    'Colour',
    'Size',
  ]);
});

it('an amount with its currency before the sign is named by its row', async () => {
  const { prices } = await read(
    '/checkout',
    '<table><tr><th>Amount due</th><td>USD $151.14</td></tr></table>',
  );
  expect(prices.map(({ label }) => label)).toEqual(['Amount due']);
});
