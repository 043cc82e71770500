import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { type BasketLook, basketShop } from '../testing/basket-shop.ts';
import { countingShop } from '../testing/counting-shop.ts';
import { buyMug } from '../testing/on-account.ts';
import { pageOf, plainShop } from '../testing/pages-kit.ts';
import {
  aTask,
  type Handler,
  runInShop,
  startTestShop,
  type TestAnswers,
} from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const noState = { cookies: [], origins: [] };

/**
 * Buys the mug, with the profile of a user or without one; `choices` answers what is asked of the
 * cart.
 */
async function buy(
  look: BasketLook,
  { choice = 'decline', isUsersOwn = false }: { choice?: string; isUsersOwn?: boolean } = {},
) {
  const shop = await startTestShop(basketShop(look));
  const answer: TestAnswers['answer'] = ({ kind }) =>
    kind === 'option-choice' && choice !== 'decline' ? { choice } : undefined;
  try {
    const task = aTask(`${shop.origin}/p/mug`, isUsersOwn ? { browserState: noState } : {});
    const { end, asked, progress } = await runInShop(browser, task, { answer });
    const questions = asked.flatMap((one) => (one.kind === 'option-choice' ? [one.question] : []));
    return {
      end,
      questions,
      orders: shop.orders,
      posts: shop.posts.map(({ path }) => path),
      removed: shop.posts.flatMap(({ path, values }) =>
        path === '/cart/remove' ? [values['product']] : [],
      ),
      progress: progress.map(({ title }) => title),
    };
  } finally {
    await shop.close();
  }
}

describe('the button of the product', { tags: 'slow' }, () => {
  it('is none of a related product, though those have words and its own has others', async () => {
    for (const button of ['Add to cart', 'Grab it']) {
      const { orders, questions } = await buy({ hasRelated: true, button });
      expect([button, orders, questions]).toEqual([button, [{ mug: '1' }], []]);
    }
  });
});

/**
 * One page with a script that shows what stands behind the number sign; the product's own button is
 * a link to nowhere.
 */
const behindTheSign: Handler = (request, orders) => {
  if (request.path === '/wrong') request.session.set('product', 'mug-xl');
  if (request.path === '/wrong') return { to: '/cart' };
  if (request.path !== '/') return plainShop()(request, orders);
  const related =
    '<div class="card"><a href="#/p/mug-xl"><h4>Blue Mug XL</h4></a><p>$24.00</p><form method="post" action="/wrong"><button title="Add to cart" class="add-to-cart"><svg width="20" height="20"></svg></button></form></div>';
  const own =
    '<h1>Blue Mug</h1><p>$20.00</p><form id="own" method="post" action="/cart"></form><div>In tins too (+$2.50) <a href="#" role="button" onclick="own.submit(); return false">Add to cart</a></div>';
  return {
    html: pageOf(
      'Shop',
      `<div id="view"></div><script>view.innerHTML = location.hash === '#/p/mug' ? \`${related}${own}\` : ''</script>`,
    ),
  };
};

it('behind the number sign a related product has a page of its own too', {
  tags: 'slow',
}, async () => {
  const shop = await startTestShop(behindTheSign);
  try {
    const { end } = await runInShop(browser, aTask(`${shop.origin}/#/p/mug`));
    expect(end.outcome).toBe('succeeded');
    expect(shop.orders).toEqual([expect.not.objectContaining({ product: 'mug-xl' })]);
  } finally {
    await shop.close();
  }
});

describe('the cart before the checkout', () => {
  it('is bought when it lists what was asked for, and nothing is asked', async () => {
    const { end, orders, questions } = await buy({});
    expect([end.outcome, orders, questions]).toEqual(['succeeded', [{ mug: '1' }], []]);
  });

  it('is not bought when it lists a product with a similar title: that is asked', {
    tags: 'slow',
  }, async () => {
    const declined = await buy({ adds: 'mug-xl' }, { choice: 'other' });
    expect(declined.questions).toEqual([
      expect.stringMatching(/lists “Blue Mug XL.*you asked for “Blue Mug” at 20\.00 USD/),
    ]);
    expect([declined.end, declined.orders]).toMatchObject([
      { outcome: 'failed', placed: 'no' },
      [],
    ]);
    const accepted = await buy({ adds: 'mug-xl' }, { choice: 'same' });
    expect([accepted.end.outcome, accepted.orders]).toEqual(['succeeded', [{ 'mug-xl': '1' }]]);
  });

  it('a longer title with a page of its own is another product, though it costs the same', async () => {
    const { end, questions, orders } = await buy(
      { adds: 'mug-xl', xlPrice: 20 },
      { choice: 'other' },
    );
    expect(questions).toEqual([
      expect.stringMatching(/lists “Blue Mug XL.*you asked for “Blue Mug”/),
    ]);
    expect([end.outcome, orders]).toEqual(['failed', []]);
  });

  it('is not bought when it lists something else', async () => {
    const { end, orders } = await buy({ adds: 'cap' });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringMatching(/lists “Red Cap.*not “Blue Mug”/),
    });
    expect(orders).toEqual([]);
  });

  it('is asked about when its line costs another price than the product’s page said', {
    tags: 'slow',
  }, async () => {
    const { questions, orders } = await buy({ mugInCart: 23 }, { choice: 'other' });
    expect([questions.length, orders]).toEqual([1, []]);
  });

  it('of a session that nobody owns loses what was left in it', async () => {
    const { orders, questions } = await buy({ left: { cap: 1, mug: 1 } });
    expect([orders, questions]).toEqual([[{ mug: '1' }], []]);
  });

  it('whose lines leave by the number zero alone loses them so, and the user’s own when the user says so', {
    tags: 'slow',
  }, async () => {
    for (const takesOut of ['zero', 'minus'] as const) {
      const { orders, questions } = await buy({ left: { cap: 2, 'mug-xl': 1 }, takesOut });
      expect([takesOut, orders, questions]).toEqual([takesOut, [{ mug: '1' }], []]);
    }
    const look = { left: { cap: 2 }, takesOut: 'zero' } as const;
    const stopped = await buy(look, { isUsersOwn: true, choice: 'stop' });
    expect(stopped.questions).toEqual([
      expect.stringContaining('Your cart at the shop holds “Red Cap'),
    ]);
    // What this run has put in leaves so too, and nothing else.
    expect([stopped.orders, stopped.progress.at(-1)]).toEqual([
      [],
      'Took the product out of the cart again',
    ]);
    const allowed = await buy(look, { isUsersOwn: true, choice: 'change' });
    expect(allowed.orders).toEqual([{ mug: '1' }]);
  });

  it('is not bought when a line stays though its number was set to zero', {
    tags: 'slow',
  }, async () => {
    const { end, orders } = await buy({ left: { cap: 2 }, takesOut: 'nothing' });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringMatching(/lists “Red Cap.*too, which was not asked for and cannot be/),
    });
    expect(orders).toEqual([]);
  });

  it('is no form of the buyer where it works out the delivery: what was left in it is taken out all the same', {
    tags: 'slow',
  }, async () => {
    const { orders } = await buy({ left: { cap: 1 }, estimates: true });
    expect(orders).toEqual([{ mug: '1' }]);
  });

  it('of a user keeps what was in it until the user says so', { tags: 'slow' }, async () => {
    const stopped = await buy({ left: { cap: 2 } }, { isUsersOwn: true, choice: 'stop' });
    expect(stopped.questions).toEqual([
      expect.stringContaining('Your cart at the shop holds “Red Cap'),
    ]);
    expect([stopped.end, stopped.orders]).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('Red Cap') },
      [],
    ]);
    // What this run has put in is taken out again, and nothing else.
    expect([stopped.posts.filter((path) => path !== '/cart'), stopped.removed]).toEqual([
      ['/cart/remove'],
      ['mug'],
    ]);
    const allowed = await buy({ left: { cap: 2 } }, { isUsersOwn: true, choice: 'change' });
    expect(allowed.orders).toEqual([{ mug: '1' }]);
    const more = await buy({ left: { mug: 2 } }, { isUsersOwn: true, choice: 'change' });
    expect(more.questions).toEqual([
      'Your cart at the shop holds 3 of “Blue Mug”; 1 is to be bought. Change it to 1?',
    ]);
    expect(more.orders).toEqual([{ mug: '1' }]);
  });

  it('is not bought when it says in words that it holds more than were asked for, and lets nobody change that', {
    tags: 'slow',
  }, async () => {
    const { end, orders } = await buyMug(browser, countingShop({ shows: 'times', atOnce: 2 }));
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: 'The cart holds 2 of it and lets nobody change that: 1 was asked for.',
    });
    expect(orders).toEqual([]);
  });
});

describe('a run that ends without an order', () => {
  const takenOut = 'Took the product out of the cart again';

  it('takes its own line out of a cart of the user, and nothing else', async () => {
    const { end, removed, progress } = await buy(
      { refuses: true, left: { cap: 1 } },
      { isUsersOwn: true, choice: 'stop' },
    );
    expect(end).toMatchObject({ outcome: 'failed', placed: 'no' });
    expect([removed, progress.at(-1)]).toEqual([['mug'], takenOut]);
  });

  it('leaves the user’s own piece, to which the shop has added none without a word', {
    tags: 'slow',
  }, async () => {
    const look = { refuses: true, most: 1, showsCount: true };
    const own = await buy({ ...look, left: { mug: 1 } }, { isUsersOwn: true });
    const ours = await buy({ ...look, left: { cap: 1 } }, { isUsersOwn: true, choice: 'stop' });
    expect([own, ours].map(({ end, removed }) => [end.outcome, removed])).toEqual([
      ['failed', []],
      ['failed', ['mug']],
    ]);
  });

  it('leaves what was the user’s before, and the cart of a session that nobody owns', {
    tags: 'slow',
  }, async () => {
    const own = await buy(
      { refuses: true, left: { mug: 1 } },
      { isUsersOwn: true, choice: 'change' },
    );
    const nobodys = await buy({ refuses: true });
    expect([own, nobodys].flatMap(({ removed }) => removed)).toEqual([]);
    expect([own.end.outcome, nobodys.end.outcome]).toEqual(['failed', 'failed']);
  });
});

it('a run that ends without an order leaves a line of which the cart does not say how many are the user’s', {
  tags: 'slow',
}, async () => {
  const line =
    '<tr><td>2 × <a href="/mug">Blue Mug</a></td><td>$20.00</td><td><form method="post" action="/cart/remove"><button>Remove</button></form></td></tr>';
  const cart = `<h1>Your cart</h1><table>${line}</table><p>Sum: $40.00</p><a href="/checkout">Proceed to checkout</a>`;
  const shop = await startTestShop((request, all) => {
    if (request.path === '/cart/remove') return { to: '/cart' };
    return `${request.method} ${request.path}` === 'GET /cart'
      ? { html: pageOf('Your cart', cart) }
      : plainShop()(request, all);
  });
  try {
    const { end } = await runInShop(
      browser,
      aTask(`${shop.origin}/mug`, { browserState: noState }),
      {},
    );
    expect(end).toMatchObject({ outcome: 'failed', message: expect.stringContaining('2 of it') });
    expect(shop.posts.map(({ path }) => path)).not.toContain('/cart/remove');
  } finally {
    await shop.close();
  }
});

describe('more than were asked for, where nothing says how many', { tags: 'slow' }, () => {
  const refused = { outcome: 'failed', placed: 'no', message: expect.stringContaining('2 of it') };

  it('are not bought when only the words of the line say so, beside a sum of so many', async () => {
    const line =
      '<table><tr><td>2 × <a href="/mug">Blue Mug</a></td><td>$20.00</td><td><button>Remove</button></td></tr></table><p>Sum: $40.00</p>';
    const { end, orders } = await buyMug(browser, (request, all) =>
      `${request.method} ${request.path}` === 'GET /cart'
        ? {
            html: pageOf(
              'Your cart',
              `<h1>Your cart</h1>${line}<a href="/checkout">Proceed to checkout</a>`,
            ),
          }
        : plainShop()(request, all),
    );
    expect([end, orders]).toMatchObject([
      { ...refused, message: expect.stringMatching(/^The cart holds 2 of it/) },
      [],
    ]);
  });

  it('are not bought when the line of the cart costs so many times as much', async () => {
    const line =
      '<table><tr><td><a href="/mug">Blue Mug</a></td><td>$40.00</td><td><button>Remove</button></td></tr></table>';
    const silent: Handler = (request, orders) =>
      `${request.method} ${request.path}` === 'GET /cart'
        ? {
            html: pageOf(
              'Your cart',
              `<h1>Your cart</h1>${line}<a href="/checkout">Proceed to checkout</a>`,
            ),
          }
        : plainShop()(request, orders);
    const { end, orders } = await buyMug(browser, silent);
    expect([end, orders]).toMatchObject([refused, []]);
  });

  it('are not bought when the summary bills so many times as much', async () => {
    const summary =
      '<table><tr><td>Subtotal</td><td>$40.00</td></tr><tr><td>Shipping</td><td>$5.00</td></tr><tr><th>Total</th><td><b>$45.00</b></td></tr></table>';
    const { end, orders, asked } = await buyMug(browser, plainShop({ summary }));
    expect([end, orders, asked]).toMatchObject([refused, [], []]);
  });
});

/**
 * A cart whose lines are boxes in boxes, with a link that a font draws a picture for; `count` is
 * its field of the quantity.
 */
const boxed = (count: string) =>
  `<div class="grid"><div><a href="/mug">Blue Mug</a> <b>$20.00</b></div><div><div class="numbers"><div>${count}</div><div><b>$20.00</b></div></div><a class="out" href="/cart/clear"><i style="font-family: 'Material Icons'">delete</i></a></div></div>`;

describe('another variant in the cart', { tags: 'slow' }, () => {
  const line = (colour: string) =>
    `<tr><td>Blue Mug - ${colour}</td><td>$20.00</td><td><input type="number" aria-label="Quantity" value="1"></td><td><form method="post" action="/out/${colour}"><button>Remove</button></form></td></tr>`;
  /**
   * Its cart has lines without a link, of one title but for the colour. `left`: of these colours,
   * before anybody has added one.
   */
  const colourShop =
    (left: readonly string[], adds = 'Black'): Handler =>
    ({ path, method, ...rest }, orders) => {
      const { session } = rest;
      const held = () =>
        (session.get('held') ?? left.join()).split(',').filter((one) => one !== '');
      if (path.startsWith('/out/'))
        session.set(
          'held',
          held()
            .filter((one) => one !== path.slice(5))
            .join(),
        );
      if (path.startsWith('/out/')) return { to: '/cart' };
      if (path === '/add') session.set('held', [...held(), adds].join());
      if (path === '/add') return { to: '/cart' };
      if (path === '/mug')
        return {
          html: pageOf(
            'Blue Mug',
            '<h1>Blue Mug</h1><p>$20.00</p><form method="post" action="/add"><label>Rim <select name="rim"><option value="">Choose</option><option>White</option><option>Black</option></select></label><button>Add to cart</button></form>',
          ),
        };
      if (method === 'GET' && path === '/cart')
        return {
          html: pageOf(
            'Your cart',
            `<h1>Your cart</h1><table>${held().map(line).join('')}</table><a href="/checkout">Proceed to checkout</a>`,
          ),
        };
      return plainShop()({ path, method, ...rest }, orders);
    };

  it('is taken out though it costs the same, and never taken for the chosen one', async () => {
    const { end, orders } = await buyMug(
      browser,
      colourShop(['White']),
      {},
      { request: 'Rim: Black' },
    );
    expect([end.outcome, orders]).toMatchObject(['succeeded', [{ held: 'Black' }]]);
  });

  it('is asked about where it is all that the cart has', async () => {
    const { end, asked, orders } = await buyMug(
      browser,
      colourShop([], 'White'),
      {},
      { request: 'Rim: Black' },
    );
    expect(asked.map((one) => (one.kind === 'option-choice' ? one.question : one.kind))).toEqual([
      expect.stringMatching(
        /^The cart of the shop lists “Blue Mug - White.*you asked for “Blue Mug”/,
      ),
    ]);
    expect([end.outcome, orders]).toEqual(['failed', []]);
  });
});

describe('a line of the cart', { tags: 'slow' }, () => {
  const cartWith =
    (line: string): Handler =>
    (request, orders) => {
      if (request.path === '/cart/clear') request.session.set('quantity', '0');
      if (request.path === '/cart/clear') return { to: '/cart' };
      return `${request.method} ${request.path}` === 'GET /cart'
        ? {
            html: pageOf(
              'Your cart',
              `<h1>Your cart</h1>${line}<a href="/checkout">Proceed to checkout</a>`,
            ),
          }
        : plainShop()(request, orders);
    };

  it('is what its product is called, though the word behind a picture and an amount stand in a box of their own', async () => {
    for (const count of ['', '<input name="quantity" value="1">']) {
      const { end, orders } = await buyMug(browser, cartWith(boxed(count)));
      expect([count, end.outcome, orders.map(({ quantity }) => quantity)]).toEqual([
        count,
        'succeeded',
        ['1'],
      ]);
    }
  });

  it('is what its product is called, beside a link in words that takes it out', async () => {
    const { end } = await buyMug(
      browser,
      cartWith(boxed('<input name="quantity" value="1">').replace(/<i style.*<\/i>/, 'Remove')),
    );
    expect(end.outcome).toBe('succeeded');
  });

  it('is none on the page of the product, whose field says 1 again behind the notice that three were added', async () => {
    const notice =
      '<div role="dialog" style="position:fixed;inset:10%;background:#fff"><p>Added to your cart</p><a href="/checkout">Proceed to checkout</a></div>';
    const shop: Handler = (request, orders) => {
      if (request.path === '/add') request.session.set('quantity', request.form.get('quantity')!);
      if (request.path === '/add') return { json: {} };
      if (request.path !== '/mug') return plainShop({ summary: threeSummary })(request, orders);
      return {
        html: pageOf(
          'Blue Mug',
          `<div><h1>Blue Mug</h1><p>$20.00</p><form id="add"><label>Quantity <input name="quantity" value="1"></label><button>Add to cart</button></form></div><script>
          add.onsubmit = (event) => { event.preventDefault(); fetch('/add', { method: 'POST', body: new URLSearchParams(new FormData(add)) }).then(() => { add.reset(); add.quantity.readOnly = true; document.body.insertAdjacentHTML('beforeend', \`${notice}\`); }); };</script>`,
        ),
      };
    };
    const { end, orders } = await buyMug(browser, shop, {}, { request: 'three of them' });
    expect([end.outcome, orders.map(({ quantity }) => quantity)]).toEqual(['succeeded', ['3']]);
  });
});

const threeSummary =
  '<table><tr><td>Blue Mug</td><td>3 × $20.00</td></tr><tr><td>Subtotal</td><td>$60.00</td></tr><tr><td>Shipping</td><td>$5.00</td></tr><tr><th>Total</th><td><b>$65.00</b></td></tr></table>';
