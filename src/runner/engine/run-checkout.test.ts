import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import { RunLostError, type RunStep, type RunTask } from '../types.ts';
import { plainShop, type ShopLook } from './testing/pages-kit.ts';
import { aTask, runInShop, startTestShop, type TestAnswers } from './testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

async function buyIn(look: ShopLook, task: Partial<RunTask> = {}, answers: TestAnswers = {}) {
  const shop = await startTestShop(plainShop(look));
  try {
    const run = await runInShop(browser, aTask(`${shop.origin}/mug`, task), answers);
    return { ...run, orders: shop.orders, posts: shop.posts };
  } finally {
    await shop.close();
  }
}

describe('a checkout in a plain shop', () => {
  it('waits for an order button that the shop keeps back while it works the cart out again', {
    tags: 'slow',
  }, async () => {
    const heldBack = `(() => {
      const order = document.querySelector('#checkout button:not([type])');
      order.disabled = true;
      setTimeout(() => { order.disabled = false; }, 2_500);
    })()`;
    const onStep: TestAnswers['onStep'] = async (step, { page }) => {
      if (step === 'fill-card') await page.evaluate(heldBack);
    };
    const { end, orders } = await buyIn({}, {}, { onStep });
    expect([end.outcome, orders.length]).toEqual(['succeeded', 1]);
  });

  it('buys as a guest, once, with every step recorded in its order', async () => {
    const { end, orders, steps, armed, asked, logs } = await buyIn({});
    expect({ end, logs: end.outcome === 'succeeded' ? [] : logs }).toMatchObject({
      end: {
        outcome: 'succeeded',
        total: { amountMinor: 2500n, currency: 'USD' },
        merchantOrderId: 'ORD-1001',
      },
    });
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      email: 'ada@example.com',
      country: 'US',
      first: 'Ada',
      last: 'Lovelace',
      address: '12 Main Street, Apt 4',
      city: 'San Francisco',
      state: 'CA',
      zip: '94105',
      cardnumber: '4242424242424242',
      cvc: '123',
      ccname: 'Ada Lovelace',
      quantity: '1',
    });
    expect(armed).toBe(1);
    expect(steps).toEqual([
      'open',
      'select',
      'add-to-cart',
      'contact',
      'shipping',
      'payment',
      'quote',
      'approve',
      'authorise',
      'fill-card',
      'armed',
      'placed',
      'confirm',
      'settled',
    ]);
    expect(asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    expect(withoutIds(logs.join('\n'))).not.toContain('4242');
  });

  it('that is taken away while a picture is on its way says so to whoever drives it, and the process goes on', {
    tags: 'slow',
  }, async () => {
    const unheard: unknown[] = [];
    const note = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', note);
    const onStep = (step: RunStep) => {
      if (step === 'select') throw new RunLostError('The lease is over.');
    };
    await expect(buyIn({}, {}, { onStep, onPicture: () => delay(500) })).rejects.toThrow(
      RunLostError,
    );
    process.off('unhandledRejection', note);
    expect(unheard).toEqual([]);
  });
});
