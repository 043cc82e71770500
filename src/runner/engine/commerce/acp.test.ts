/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import type { RunStep } from '../../types.ts';
import { type AcpLook, type AcpSession, acpItem, buyByAcp } from '../testing/acp-shop.ts';
import { testCard } from '../testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const quick = { patience: { restMs: 200 } };
/** The pages have taken over: what they do has tests of its own. */
const inPages = {
  onStep: (step: RunStep) => {
    if (step === 'add-to-cart') throw new Error('Enough was seen.');
  },
};
const whyPages = 'Going on in the shop’s pages';
const change =
  (at: string, to: (session: AcpSession) => void) => (call: string, session: AcpSession) => {
    if (call === at) to(session);
    return session;
  };

describe('a shop that speaks the Agentic Commerce Protocol', () => {
  it('is bought in through it, once, for what was approved, with a token for that amount alone', async () => {
    const { end, orders, asked, calls, problems, delegated, armed, evidence } =
      await buyByAcp(browser);
    expect(problems).toEqual([]);
    expect(orders).toEqual([
      { way: 'acp', item: acpItem, quantity: '1', street: '12 Main Street', total: '2500' },
    ]);
    expect(end).toEqual({
      outcome: 'succeeded',
      total: { amountMinor: 2_500n, currency: 'USD' },
      merchantOrderId: '#1001',
      confirmationUrl: 'https://shop.example/orders/1',
      confirmationText: 'The shop has taken the order #1001: 25.00 USD.',
    });
    expect(asked).toEqual([
      {
        kind: 'approve-purchase',
        origin: expect.stringMatching(/^http:\/\/127/),
        total: { amountMinor: 2_500n, currency: 'USD' },
        lines: [
          { title: 'You asked for: Blue Mug × 1' },
          { title: 'Blue Mug × 1', amount: '20.00 USD' },
          { title: 'Subtotal', amount: '20.00 USD' },
          { title: 'Shipping', amount: '5.00 USD' },
        ],
        delivery: 'Standard (5.00 USD)',
        paying: 'card',
        address: expect.stringMatching(/12 Main Street.*94105 San Francisco/),
      },
    ]);
    expect([armed, calls.filter((call) => call === 'complete').length]).toEqual([1, 1]);
    expect(delegated).toMatchObject([
      {
        payment_method: { number: testCard.number },
        allowance: {
          reason: 'one_time',
          max_amount: 2_500,
          currency: 'usd',
          checkout_session_id: 'csn_1',
          merchant_id: 'acct_1',
        },
      },
    ]);
    expect(evidence.find(({ step }) => step === 'quote')?.detail).toMatchObject({
      protocol: 'ACP',
      checkout: 'csn_1',
    });
    expect(JSON.stringify(evidence)).not.toContain(testCard.number);
  });

  it('is asked for several by naming the item so often', async () => {
    const { orders, problems } = await buyByAcp(browser, {}, {}, { request: 'two of them' });
    expect([problems, orders]).toMatchObject([[], [{ way: 'acp', quantity: '2', total: '4500' }]]);
  });

  it.each<[string, AcpLook, RegExp]>([
    ['there is no key of it', { isKeyless: true }, /no key of that shop/],
    ['its item is another product', { title: 'Blue Mug XL' }, /lists “Blue Mug XL”/],
    ['its item costs something else', { price: 2_400 }, /asks 24\.00 USD for one/],
    [
      'its document leads the key to another host',
      { apiBase: 'https://elsewhere.example/api' },
      /^$/,
    ],
    [
      'its rows do not add up',
      { distort: change('update 1', ({ totals }) => void (totals.at(-1)!.amount += 100)) },
      /do not add up/,
    ],
    [
      'it says two where one was named',
      { distort: change('create', ({ line_items: [line] }) => void (line!.quantity = 2)) },
      /says 2 pieces/,
    ],
  ])('is bought in by its pages, and a line says so, where %s', async (_, look, why) => {
    const { progress, calls, delegated, cards } = await buyByAcp(browser, look, inPages);
    const said = progress.filter(({ title }) => title === whyPages).map(({ message }) => message);
    expect(said.join()).toMatch(why);
    expect([calls.includes('complete'), delegated, cards]).toEqual([false, [], 0]);
    expect(calls.filter((call) => call === 'cancel').length).toBe(
      calls.filter((call) => call === 'create').length,
    );
  });

  it('is left when the total rises after the approval', async () => {
    const raise = change('read 1', (session) => {
      for (const row of session.totals)
        if (['fulfillment', 'total'].includes(row.type)) row.amount += 300;
    });
    const { end, orders, calls } = await buyByAcp(browser, { distort: raise });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('rose to 28.00 USD'),
    });
    expect([orders, calls.includes('complete'), calls.at(-1)]).toEqual([[], false, 'cancel']);
  });

  it('is not bought in above the limit', async () => {
    const { end, orders, cards } = await buyByAcp(
      browser,
      {},
      {},
      { maxCost: { amountMinor: 2_400n, currency: 'USD' } },
    );
    expect(end).toMatchObject({ outcome: 'failed', reason: 'max_cost_exceeded', placed: 'no' });
    expect([orders, cards]).toEqual([[], 0]);
  });

  it.each<[NonNullable<AcpLook['onComplete']>, object, number]>([
    ['places-but-loses-answer', { outcome: 'succeeded', merchantOrderId: '#1001' }, 1],
    ['loses-call', { outcome: 'failed', placed: 'no' }, 0],
    [
      'declines',
      { outcome: 'failed', placed: 'no', message: expect.stringContaining('declined') },
      0,
    ],
  ])(
    'is read for what became of the order when completing %s: it is called once',
    async (onComplete, expected, count) => {
      const { end, orders, calls } = await buyByAcp(browser, { onComplete }, quick);
      expect(end).toMatchObject(expected);
      expect([orders.length, calls.filter((call) => call === 'complete').length]).toEqual([
        count,
        1,
      ]);
    },
  );
});
