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

interface RefusingLook {
  /** How the shop writes why, as HTML. */
  readonly says: string;
  /** The page that says it; the cart is empty in any case. */
  readonly on: 'product' | 'cart';
  /** What lay in the cart before. */
  readonly left?: string;
}

/** A shop that puts nothing into the cart, and says why. */
const refusingShop =
  ({ says, on, left = '' }: RefusingLook): Handler =>
  (request, orders) => {
    const { session } = request;
    const takeSaid = () => {
      const said = session.get('said') ?? '';
      session.delete('said');
      return said;
    };
    switch (`${request.method} ${request.path}`) {
      case 'POST /cart':
        session.set('said', says);
        return { to: on === 'cart' ? '/cart' : '/mug' };
      case 'GET /cart':
        return {
          html: pageOf(
            'Your cart',
            `<h1>Your cart</h1>${on === 'cart' ? takeSaid() : ''}${left || '<p>Your cart is empty.</p>'}<a href="/">Continue shopping</a>${left && '<a href="/checkout">Proceed to checkout</a>'}`,
          ),
        };
      case 'GET /mug':
        return {
          html: pageOf(
            'Blue Mug',
            `${takeSaid()}<h1>Blue Mug</h1><p>$20.00</p><form method="post" action="/cart"><button>Add to cart</button></form>`,
          ),
        };
      default:
        return plainShop()(request, orders);
    }
  };

const stock = 'We do not have enough of “Blue Mug” in stock.';
const choose = 'You need to choose options for your item.';

describe('a product that the shop does not take into the cart ends the run in the shop’s words', () => {
  const endsWith = async (look: RefusingLook, says: string) => {
    const { end, asked, orders } = await buyMug(browser, refusingShop(look));
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining(`: the shop says “${says.slice(0, -1)}”.`),
    });
    expect([asked, orders]).toEqual([[], []]);
  };

  it('a choice that is not there', () =>
    endsWith({ says: `<p role="alert">${choose}</p>`, on: 'product' }, choose));

  it('a sentence of the cart', () =>
    endsWith({ says: `<div class="message">${stock}</div>`, on: 'cart' }, stock));

  it.each<[string, RefusingLook, string]>([
    [
      'an alert of the product’s page',
      { says: `<p role="alert">${stock}</p>`, on: 'product' },
      stock,
    ],
    ['a sentence of the product’s page', { says: `<p>${stock}</p>`, on: 'product' }, stock],
    ['a choice, said by the cart', { says: `<p>${choose}</p>`, on: 'cart' }, choose],
  ])('%s', { tags: 'slow' }, (_name, look, says) => endsWith(look, says));

  it('also where the cart lists something else', { tags: 'slow' }, async () => {
    const left =
      '<table><tr><td>Red Cap</td><td>$9.00</td><td><button>Remove</button></td></tr></table>';
    const look: RefusingLook = { says: `<p>${stock}</p>`, on: 'product', left };
    const { end } = await buyMug(browser, refusingShop(look));
    expect(end).toMatchObject({
      message: expect.stringMatching(
        /lists “Red Cap.*not “Blue Mug”.*enough of “Blue Mug” in stock”\.$/,
      ),
    });
  });

  it('and says that the cart is empty where the shop says nothing else', {
    tags: 'slow',
  }, async () => {
    const { end } = await buyMug(browser, refusingShop({ says: '', on: 'cart' }));
    expect(end).toMatchObject({
      message: 'The cart of the shop is empty, though “Blue Mug” was put into it.',
    });
  });
});
