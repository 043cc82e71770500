import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { RunLostError, type RunStep, type RunTask, type StepEvidence } from '../../types.ts';
import { testCard } from '../testing/test-shop-kit.ts';
import { buyByUcp, mugItem, openUcpShop, type UcpCheckout } from '../testing/ucp-shop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const quick = { restMs: 200 };
/** The pages have taken over: what they do has tests of its own. */
const stopInCart = (step: RunStep) => {
  if (step === 'add-to-cart') throw new Error('Enough was seen.');
};
const sizes =
  '<label>Size <select name="size"><option value="S">S</option><option value="M">M</option></select></label>';
const sized = {
  s: { title: 'Blue Mug', price: 2_000, options: { Size: 'S' } },
  m: { title: 'Blue Mug', price: 2_000, options: { Size: 'M' } },
};
const asMug =
  (more: Partial<UcpCheckout['line_items'][number]['item']>, quantity?: number) =>
  (_: string, checkout: UcpCheckout) => {
    const [line] = checkout.line_items;
    Object.assign(line!.item, more);
    if (quantity !== undefined) line!.quantity = quantity;
    return checkout;
  };

describe('a shop with an interface of its own for agents', () => {
  it.each(['2026-04-08', '2026-01-23', '2026-01-11'])(
    'is bought in through it, version %s, once, for what was approved',
    { tags: 'slow' },
    async (version) => {
      const { end, orders, asked, calls, tokenized, armed, evidence } = await buyByUcp(browser, {
        version,
      });
      expect(orders).toEqual([
        {
          way: 'ucp',
          item: mugItem,
          quantity: '1',
          email: 'ada@example.com',
          street: '12 Main Street',
          total: '2500',
        },
      ]);
      expect(end).toEqual({
        outcome: 'succeeded',
        total: { amountMinor: 2_500n, currency: 'USD' },
        merchantOrderId: 'UCP-1',
        confirmationUrl: 'https://shop.example/orders/1',
        confirmationText: 'The shop has taken the order UCP-1: 25.00 USD.',
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
      expect(tokenized).toEqual([
        {
          credential: expect.objectContaining({ number: testCard.number, cvc: '123' }),
          binding: { checkout_id: 'chk_1', identity: { access_token: 'merchant_1' } },
        },
      ]);
      // Whoever takes the run over finds the checkout, and no card.
      expect(evidence.find(({ step }) => step === 'quote')?.detail).toMatchObject({
        protocol: 'UCP',
        version,
        checkout: 'chk_1',
      });
      expect(JSON.stringify(evidence)).not.toContain(testCard.number);
    },
  );

  it('asks for who buys and where to, as a page would', { tags: 'slow' }, async () => {
    const answer = ({ kind }: { readonly kind: string }) =>
      kind === 'contact-and-shipping'
        ? {
            email: 'bo@example.com',
            fullName: 'Bo Ek',
            addressLine1: '1 Pier',
            city: 'Oakland',
            postalCode: '94607',
            state: 'CA',
            countryCode: 'US',
          }
        : undefined;
    const { orders, asked } = await buyByUcp(browser, {}, { answer }, { buyer: {} });
    expect(asked[0]).toEqual({
      kind: 'contact-and-shipping',
      missing: ['email', 'fullName', 'addressLine1', 'city', 'postalCode', 'state', 'countryCode'],
    });
    expect(orders).toMatchObject([{ way: 'ucp', email: 'bo@example.com', street: '1 Pier' }]);
  });

  it('is asked for the variant that was chosen, by its catalogue', { tags: 'slow' }, async () => {
    const look = { productForm: sizes, items: sized, hasCatalog: true, sku: 'unknown' };
    const { orders, end } = await buyByUcp(browser, look, {}, { request: 'size M, two of them' });
    expect(end.outcome).toBe('succeeded');
    expect(orders).toMatchObject([{ way: 'ucp', item: 'm', quantity: '2', total: '4500' }]);
  });

  it('is bought in although it never calls a checkout ready, as the public sample of 2026-01-11', {
    tags: 'slow',
  }, async () => {
    const distort = (_: string, checkout: UcpCheckout) => ({
      ...checkout,
      ...(checkout.status === 'ready_for_complete' && { status: 'incomplete' }),
    });
    const { orders } = await buyByUcp(browser, { version: '2026-01-11', distort });
    expect(orders).toMatchObject([{ way: 'ucp', total: '2500' }]);
  });

  it('is bought in by a variant that its line names', { tags: 'slow' }, async () => {
    const { orders } = await buyByUcp(
      browser,
      { productForm: sizes, distort: asMug({ title: 'Blue Mug – M' }) },
      {},
      { request: 'size M' },
    );
    expect(orders).toMatchObject([{ way: 'ucp' }]);
  });

  it('gets the express delivery that the request asks for', { tags: 'slow' }, async () => {
    const { orders } = await buyByUcp(browser, {}, {}, { request: 'express delivery please' });
    expect(orders).toMatchObject([{ way: 'ucp', total: '3500' }]);
  });
});

describe('what its checkout lists is not what was asked for: it is left, and the shop’s pages are used', () => {
  const cases: readonly [string, Parameters<typeof buyByUcp>[1], string, Partial<RunTask>?][] = [
    [
      'a longer title that names the choice, too',
      { productForm: sizes, distort: asMug({ title: 'Blue Mug XL, M' }) },
      '“Blue Mug XL, M”',
      { request: 'size M' },
    ],
    ['a similar title', { distort: asMug({ title: 'Blue Mug XL' }) }, '“Blue Mug XL”'],
    ['another item', { distort: asMug({ id: 'mug-red' }) }, 'not the item that was named'],
    ['another number of pieces', { distort: asMug({}, 2) }, '2 pieces'],
    ['another price', { distort: asMug({ price: 2_100 }) }, 'says another price'],
    [
      'a second line',
      {
        distort: (_, checkout) => ({
          ...checkout,
          line_items: [...checkout.line_items, ...checkout.line_items],
        }),
      },
      '2 lines',
    ],
    [
      'a variant that it does not name',
      { productForm: sizes },
      'does not say whether',
      { request: 'size M' },
    ],
    [
      'rows that do not add up',
      {
        distort: (call, checkout) =>
          call === 'update 2'
            ? { ...checkout, totals: [...checkout.totals, { type: 'fee', amount: 100 }] }
            : checkout,
      },
      'do not add up',
    ],
    [
      'another address',
      {
        distort: (_, checkout) =>
          JSON.parse(
            JSON.stringify(checkout).replaceAll('12 Main Street', '99 Thief Lane'),
          ) as UcpCheckout,
      },
      'is not content',
    ],
    ['nothing', { distort: () => 'refused' }, 'We do not sell that.'],
    ['no answer', { distort: () => 'lost' }, 'interface fails'],
    [
      'no way of paying that a tokenizer is known for',
      { handlers: ['com.google.pay'] },
      'takes no card',
    ],
  ];
  it.each(cases)('%s', { tags: 'slow' }, async (_, look, why, task) => {
    const { steps, progress, calls, tokenized } = await buyByUcp(
      browser,
      look,
      { onStep: stopInCart },
      task,
    );
    expect(
      progress.find(({ title }) => title === 'Going on in the shop’s pages')?.message,
    ).toContain(why);
    expect([steps.at(-1), calls.includes('complete'), tokenized]).toEqual([
      'add-to-cart',
      false,
      [],
    ]);
    // What was begun there is given up.
    const count = (name: string) => calls.filter((call) => call === name).length;
    const isBegun = !['We do not sell that.', 'interface fails'].includes(why);
    expect([count('create'), count('cancel')]).toEqual([1, isBegun ? 1 : 0]);
  });

  it('and there it is bought', { tags: 'slow' }, async () => {
    const { end, orders } = await buyByUcp(browser, { handlers: ['com.google.pay'] });
    expect([end.outcome, orders.length, orders[0]?.['way']]).toEqual(['succeeded', 1, undefined]);
  });

  it.each(['use my account', 'pay cash on delivery'])('%s: a thing of pages', async (request) => {
    const { calls } = await buyByUcp(browser, {}, { onStep: stopInCart }, { request });
    expect(calls).toEqual([]);
  });
});

describe('the approval, the limit and the permit hold as they do in pages', {
  tags: 'slow',
}, () => {
  it('nothing above the limit is bought', async () => {
    const { end, orders, calls } = await buyByUcp(
      browser,
      {},
      {},
      { maxCost: { amountMinor: 2_499n, currency: 'USD' } },
    );
    expect(end).toMatchObject({ outcome: 'failed', reason: 'max_cost_exceeded', placed: 'no' });
    expect([orders, calls.includes('complete'), calls.at(-1)]).toEqual([[], false, 'cancel']);
  });

  it('a no buys nothing, and leaves nothing behind', async () => {
    const { end, orders, calls, cards } = await buyByUcp(browser, {}, { answer: () => 'decline' });
    expect([end, orders, cards, calls.at(-1)]).toEqual([
      expect.objectContaining({ reason: 'user_cancelled', placed: 'no' }),
      [],
      0,
      'cancel',
    ]);
  });

  it('a total that rises after the approval ends it', async () => {
    const rise = (call: string, checkout: UcpCheckout) =>
      call === 'read 1'
        ? {
            ...checkout,
            totals: checkout.totals.map((row) =>
              row.type === 'subtotal' ? row : { ...row, amount: row.amount + 100 },
            ),
          }
        : checkout;
    const { end, orders, armed } = await buyByUcp(browser, { distort: rise });
    expect([end, orders, armed]).toEqual([
      expect.objectContaining({ outcome: 'failed', placed: 'no' }),
      [],
      0,
    ]);
  });

  it('what changes without costing more is approved anew', async () => {
    const rename = (call: string, checkout: UcpCheckout) =>
      call.startsWith('read')
        ? {
            ...checkout,
            totals: checkout.totals.map((row) =>
              row.type === 'fulfillment' ? { ...row, display_text: 'By donkey' } : row,
            ),
          }
        : checkout;
    const { asked, orders } = await buyByUcp(browser, { distort: rename });
    expect([
      asked.length,
      JSON.stringify(asked[1]!, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ).includes('By donkey'),
      orders.length,
    ]).toEqual([2, true, 1]);
  });

  it('without a permit nothing is completed: what became of the earlier try is read', async () => {
    const { end, orders, calls } = await buyByUcp(browser, {}, { mayArm: false, patience: quick });
    expect([end, orders, calls.includes('complete'), calls.at(-1)]).toEqual([
      expect.objectContaining({ outcome: 'failed', placed: 'no' }),
      [],
      false,
      'cancel',
    ]);
  });
});

describe('what became of the order is read from the shop, and it is never placed twice', () => {
  it.each(['places-but-loses-answer', 'in-progress'] as const)('%s', async (onComplete) => {
    const { end, orders, calls } = await buyByUcp(browser, { onComplete }, { patience: quick });
    expect([end, orders.length, calls.filter((call) => call === 'complete').length]).toEqual([
      expect.objectContaining({ outcome: 'succeeded', merchantOrderId: 'UCP-1' }),
      1,
      1,
    ]);
  });

  it.each([
    ['loses-call', 'answer to the order was lost'],
    ['payment-fails', 'Your card was declined.'],
    ['escalates', 'confirm the order'],
  ] as const)('%s: it is cancelled before it is called not placed', async (onComplete, why) => {
    const { end, orders, calls } = await buyByUcp(browser, { onComplete }, { patience: quick });
    expect([end, orders]).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        placed: 'no',
        message: expect.stringContaining(why),
      }),
      [],
    ]);
    expect([calls.filter((call) => call === 'complete').length, calls.at(-1)]).toEqual([
      1,
      'cancel',
    ]);
  });

  it.each([
    [
      'has the order',
      'places-but-loses-answer',
      { outcome: 'succeeded', merchantOrderId: 'UCP-1' },
      1,
    ],
    ['has none', 'loses-call', { outcome: 'failed', placed: 'no' }, 0],
  ] as const)(
    'a runner that dies behind the call leaves it to the next one: the shop %s',
    { tags: 'slow' },
    async (_, onComplete, expected, count) => {
      const shop = await openUcpShop({ onComplete });
      try {
        const isTaken = async () => Promise.reject(new RunLostError('Another runner has it.'));
        await expect(shop.buy(browser, { patience: quick, cardUse: isTaken })).rejects.toThrow(
          RunLostError,
        );
        const place = {
          protocol: 'UCP',
          version: '2026-04-08',
          endpoint: `${shop.origin}/ucp`,
          checkout: 'chk_1',
        };
        const quote: StepEvidence = {
          step: 'quote',
          at: new Date(0).toISOString(),
          detail: { ...place, total: '2500', currency: 'USD' },
        };
        const { end, armed } = await shop.buy(
          browser,
          { patience: quick },
          { resume: { step: 'armed', evidence: [quote] } },
        );
        expect([end, armed, shop.orders.length]).toEqual([
          expect.objectContaining(expected),
          0,
          count,
        ]);
        expect(shop.calls.filter((call) => call === 'complete').length).toBe(1);
      } finally {
        await shop.close();
      }
    },
  );
});
