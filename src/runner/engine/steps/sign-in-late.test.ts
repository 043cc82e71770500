/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { type BasketLook, basketShop } from '../testing/basket-shop.ts';
import { aTask, type Handler, runInShop, startTestShop } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const login =
  '<form method="post" action="/login"><h2>Returning customer</h2><label>E-mail <input name="user"></label><label>Password <input type="password" name="secret"></label><button>Login</button></form>';

/** Beside the guest’s form, behind a link there, or in place of it, where nobody has to wish for it. */
type Way = 'form' | 'link' | 'wall';

/**
 * Only the checkout offers the login; the account's own basket holds what
 * it says.
 */
function lateShop(basket: BasketLook['left'], way: Way): Handler {
  const shop = basketShop();
  return (request, orders) => {
    const { method, path, session } = request;
    if (`${method} ${path}` === 'POST /login') {
      session.set('account', request.form.get('user')!);
      for (const [name, count] of Object.entries(basket ?? {})) session.set(name, String(count));
      return { to: '/checkout' };
    }
    if (path === '/login') return { html: `<!doctype html><h1>Login</h1>${login}` };
    const reply = shop(request, orders);
    if (path === '/order') orders.at(-1)!['account'] = session.get('account') ?? 'guest';
    if (path !== '/checkout' || reply === undefined || !('html' in reply) || session.has('account'))
      return reply;
    if (way === 'wall') return { to: '/login' };
    return {
      html: reply.html.replace(
        '</h1>',
        `</h1>${way === 'form' ? login : '<p>Have an account? <a href="/login">Log in</a></p>'}`,
      ),
    };
  };
}

async function buy(basket: BasketLook['left'], way: Way, takeOut: boolean) {
  const shop = await startTestShop(lateShop(basket, way));
  const task = aTask(`${shop.origin}/p/mug`, way === 'wall' ? {} : { request: 'Use my account.' });
  const run = await runInShop(browser, task, {
    answer: ({ kind }) =>
      kind === 'merchant-login'
        ? { username: 'ada@example.com', password: 'right' }
        : kind === 'option-choice'
          ? { choice: takeOut ? 'change' : 'stop' }
          : undefined,
  }).finally(() => shop.close());
  return { ...run, orders: shop.orders, kinds: run.asked.map(({ kind }) => kind) };
}

describe('a login that only the checkout has, beside the guest’s way', () => {
  it.each(['form', 'link'] as const)(
    'is used where the request wants the account: a %s',
    async (way) => {
      const { kinds, orders } = await buy({}, way, false);
      expect(kinds).toEqual(['merchant-login', 'approve-purchase']);
      expect(orders).toEqual([{ mug: '1', account: 'ada@example.com' }]);
    },
  );

  it.each(['link', 'wall'] as const)(
    'brings the account’s basket along: what lies in it is asked about, and is not bought (%s)',
    async (way) => {
      const { kinds, orders, asked } = await buy({ cap: 1 }, way, true);
      expect(kinds).toEqual(['merchant-login', 'option-choice', 'approve-purchase']);
      expect(asked[1]).toMatchObject({ question: expect.stringContaining('holds “Red Cap') });
      expect(orders).toEqual([{ mug: '1', account: 'ada@example.com' }]);
    },
  );

  it('leaves a basket that is to stay as it is, and buys nothing', async () => {
    const { end, orders } = await buy({ cap: 1, mug: 3 }, 'form', false);
    expect([end.outcome, orders]).toEqual(['failed', []]);
  });
});
