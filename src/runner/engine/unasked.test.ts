import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { openAmount } from './money/unfinished.ts';
import { takeSnapshot } from './page/snapshot.ts';
import { type Run, RunStop } from './run.ts';
import { refuseUnasked, unaskedLines } from './steps/buyer/extras.ts';
import {
  pageOf,
  plainCard,
  plainFields,
  plainShop,
  plainSummary,
  type ShopLook,
} from './testing/pages-kit.ts';
import { aTask, runInShop, startTestShop } from './testing/test-shop-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Answers = Parameters<typeof runInShop>[2];

async function buyIn(look: ShopLook, answers: Answers = {}, request?: string) {
  const shop = await startTestShop(plainShop(look));
  try {
    return {
      ...(await runInShop(
        browser,
        aTask(`${shop.origin}/mug`, request === undefined ? {} : { request }),
        answers,
      )),
      orders: shop.orders,
    };
  } finally {
    await shop.close();
  }
}

describe('what the user has to say before a purchase', () => {
  const row = (title: string, amount: string) => `<tr><td>${title}</td><td>${amount}</td></tr>`;
  const summaryOf = (rows: string, subtotal: string, total: string) =>
    `<h2>Order summary</h2><table>${rows}${row('Subtotal', subtotal)}${row('Shipping', '$5.00')}<tr><th>Total</th><td>${total}</td></tr></table>`;

  it.each([
    [
      'a protection that the shop adds by itself',
      row('Blue Mug', '$20.00') + row('Shipping protection', '$1.95'),
      '$21.95',
      '$26.95',
    ],
    [
      'another product, of which the shop says the variant only',
      row('Blue', '$20.00') + row('Blue', '$17.50'),
      '$37.50',
      '$42.50',
    ],
  ])(
    '%s is asked about and not bought without a yes',
    { tags: 'slow' },
    async (_name, rows, subtotal, total) => {
      const { end, asked, orders } = await buyIn(
        { summary: summaryOf(rows, subtotal, total) },
        { answer: stops },
      );
      expect(asked.map(({ kind }) => kind)).toEqual(['option-choice']);
      expect(end).toMatchObject({
        outcome: 'failed',
        placed: 'no',
        message: expect.stringMatching(/which nobody asked for/),
      });
      expect(orders).toEqual([]);
    },
  );

  it.each([
    [
      'goods that cost far more than the product, with no row that says why',
      '',
      '$52.00',
      '$57.00',
      'goods for 52.00 USD',
    ],
    [
      'more pieces in the cart than were asked for',
      '<tr><td>3 items in cart</td><td></td></tr>',
      '$20.00',
      '$25.00',
      '3 items instead of 1',
    ],
  ])(
    '%s are asked about and not bought without a yes',
    { tags: 'slow' },
    async (_name, rows, subtotal, total, said) => {
      const { end, asked, orders } = await buyIn(
        { summary: summaryOf(rows, subtotal, total) },
        { answer: stops },
      );
      expect(asked).toMatchObject([
        { kind: 'option-choice', question: expect.stringContaining(said) },
      ]);
      expect([end.outcome, orders]).toEqual(['failed', []]);
    },
  );

  it.each([
    ['Red', 1, 'failed'],
    ['Green', 0, 'succeeded'],
  ])(
    'the variant “%s” in the list of the shop, where “Green” was chosen, is asked about %i times',
    { tags: 'slow' },
    async (listed, questions, outcome) => {
      const productForm =
        '<label>Color <select name="color"><option>Red</option><option>Green</option></select></label>';
      const summary = summaryOf(row(`Blue Mug, ${listed}`, '$20.00'), '$20.00', '$25.00');
      const { end, asked, orders } = await buyIn(
        { productForm, summary },
        { answer: stops },
        'The green one.',
      );
      expect(asked.filter(({ kind }) => kind === 'option-choice')).toHaveLength(questions);
      expect([end.outcome, orders.length]).toEqual([outcome, outcome === 'failed' ? 0 : 1]);
    },
  );

  it('a purchase with the own account in a shop that asks for no login is none as a guest without a yes', {
    tags: 'slow',
  }, async () => {
    const { end, orders } = await buyIn({}, { answer: stops }, 'Use my existing account.');
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringMatching(/with your account/),
    });
    expect(orders).toEqual([]);
  });
});

const stops: NonNullable<NonNullable<Answers>['answer']> = (request) =>
  request.kind === 'option-choice' ? { choice: 'stop' } : undefined;

describe('what nobody asked for', () => {
  it('is left out of the order: subscribe and save, insurance, a donation, gift wrap and a trial that would be paid', {
    tags: 'slow',
  }, async () => {
    const productForm = `<fieldset><legend>Purchase options</legend><label><input type="radio" name="plan" value="sub" checked> Subscribe &amp; save 10%, delivered every month</label><label><input type="radio" name="plan" value="once"> One-time purchase</label></fieldset>`;
    const extras = `<label><input type="checkbox" name="insurance" checked> Protect my parcel with shipping insurance +$1.95</label>
      <label><input type="checkbox" name="donation" checked> Round up and donate $0.75 to plant trees</label>
      <label><input type="checkbox" name="wrap" checked> Gift wrap (+$4.00)</label>
      <label><input type="checkbox" name="trial" checked> Start my free trial of Mug Club, then $9.99 a month</label>`;
    const { end, orders } = await buyIn({
      productForm,
      checkoutFields: plainFields + extras + plainCard,
    });
    expect(end).toMatchObject({ outcome: 'succeeded' });
    expect(orders).toMatchObject([{ 'chosen-plan': 'once' }]);
    expect(
      Object.keys(orders[0]!).filter((name) =>
        ['insurance', 'donation', 'wrap', 'trial'].includes(name),
      ),
    ).toEqual([]);
  });

  const page = async (body: string) => {
    const open = await browser.newPage();
    await open.setContent(pageOf('Checkout', `<form>${body}<button>Place order</button></form>`));
    const snapshot = await takeSnapshot(open.mainFrame());
    const run = {
      state: { productTitle: 'Blue Mug', choices: [], armed: false },
      task: {},
    } as unknown as Run;
    const button = snapshot.buttons.find((one) => one.text === 'Place order')!;
    await open.close();
    return { snapshot, refuse: () => refuseUnasked(run, snapshot, button), run };
  };

  it.each([
    [
      'a total that comes every month',
      '<table><tr><th>Total per month</th><td>$25.00</td></tr></table>',
    ],
    [
      'a sentence that charges again',
      '<p>After that your card will be charged $9.99 every month.</p>',
    ],
    ['a trial that becomes paid', '<p>You will be billed $49.00 after your trial.</p>'],
    ['the same in German', '<p>Danach werden monatlich 9,99 € abgebucht.</p>'],
    [
      'a box that stays ticked',
      '<label><input type="checkbox" checked> Shipping insurance $2.00</label>',
    ],
    [
      'a plan that stays chosen',
      '<label><input type="radio" checked> Subscribe & save, every 2 months</label>',
    ],
  ])('ends the run before anything is approved: %s', async (_name, body) => {
    const { refuse } = await page(plainSummary + body);
    expect(refuse).toThrow(RunStop);
  });

  it.each([
    [
      'offers beside empty boxes',
      '<label><input type="checkbox"> Start my free trial, billed at $9.99 a month</label>',
    ],
    ['one-time purchases', '<label><input type="radio" checked> One-time purchase $20.00</label>'],
  ])('does not stand in the way: %s', async (_name, body) => {
    const { refuse } = await page(plainSummary + body);
    expect(refuse).not.toThrow();
  });

  it('is named to the user when it stands among the lines, and shipping that is still to come is seen', async () => {
    const { run, snapshot } = await page('<p>Shipping is calculated at the next step</p>');
    const lines = [
      { title: 'Blue Mug', amount: '$20.00' },
      { title: 'Carefree insurance', amount: '$12.90' },
      { title: 'Gift wrap', amount: '$0.00' },
    ];
    expect(unaskedLines(run, lines)).toEqual(['Carefree insurance $12.90']);
    expect(openAmount(snapshot)).toBe('Shipping is calculated at the next step');
  });
});

it('a sentence beside the order that charges again and again ends the run before anything is asked', async () => {
  const { end, asked, orders } = await buyIn({
    checkoutFields: `${plainFields}${plainCard}<p>After that your card will be charged $9.99 every month.</p>`,
  });
  expect(end).toMatchObject({
    outcome: 'failed',
    placed: 'no',
    message: expect.stringContaining('again and again'),
  });
  expect([asked, orders]).toEqual([[], []]);
});

describe('a total that the shop shows once', { tags: 'slow' }, () => {
  it('is bought after the user was told so', async () => {
    const { end, asked, orders } = await buyIn({
      summary: '<p>Your mug, delivered</p><div><span>Total</span> <b>$25.00</b></div>',
    });
    expect(end).toMatchObject({ outcome: 'succeeded', total: { amountMinor: 2_500n } });
    expect(JSON.stringify(asked.map((one) => ('lines' in one ? one.lines : [])))).toContain(
      'in one place only',
    );
    expect(orders).toHaveLength(1);
  });
});
