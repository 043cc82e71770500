import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { readTotals } from './money/totals.ts';
import { takeSnapshot } from './page/snapshot.ts';
import { saidOnce } from './steps/choices.ts';
import { pageOf, plainSummary } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const summary = [
  { title: 'Subtotal', amount: '$20.00' },
  { title: 'Shipping', amount: '$5.00' },
  { title: 'Total', amount: '$25.00' },
];

async function linesOf(body: string) {
  const page = await browser.newPage();
  await page.setContent(pageOf('Checkout', body));
  const snapshot = await takeSnapshot(page.mainFrame());
  await page.close();
  return readTotals(snapshot, [], { pageCurrency: 'USD', expected: 'USD' }, 'Place order').lines;
}

describe('what the user reads before a yes', () => {
  it.each([
    ['free shipping above an amount', '<p>Free shipping on orders over $50</p>'],
    ['what is missing for it', '<div>Only <b>$25.00</b> away from free delivery</div>'],
    ['what one would save', '<div><span>Save</span> <b>$10.00</b> with code MUG10</div>'],
    ['the same in German', '<div><span>Versandkostenfrei ab</span> <b>$50.00</b></div>'],
    ['the same in French', '<div>Livraison offerte dès <b>$50.00</b></div>'],
    ['the same in Spanish', '<div>Envío gratis a partir de <b>$50.00</b></div>'],
    ['instalments', '<p>or 4 interest-free payments of <b>$6.25</b></p>'],
    [
      'a product that is recommended',
      '<aside style="position:absolute;left:1100px;top:40px"><p>Red Bowl</p><p>$14.00</p></aside>',
    ],
    [
      'ways of delivery that were not taken',
      '<label><input type="radio" name="d" checked> Standard $5.00</label><ul><li><input type="radio" name="d" id="x"><label for="x">Courier</label> <span>$12.00</span></li></ul>',
    ],
  ])('leaves out %s', async (_name, more) => {
    expect(await linesOf(`${more}<h2>Order summary</h2>${plainSummary}`)).toEqual(summary);
  });

  it.each([
    [
      'a product',
      '<tr><td>Blue Mug × 1</td><td>$20.00</td></tr>',
      { title: 'Blue Mug × 1', amount: '$20.00' },
    ],
    [
      'a discount',
      '<tr><td>Discount</td><td>-$3.00</td></tr>',
      { title: 'Discount', amount: '-$3.00' },
    ],
    [
      'something that nobody asked for',
      '<tr><td>Parcel protection</td><td>$2.00</td></tr>',
      { title: 'Parcel protection', amount: '$2.00' },
    ],
  ])('has %s among its rows', async (_name, row, line) => {
    expect(await linesOf(plainSummary.replace('<table>', `<table>${row}`))).toEqual([
      line,
      ...summary,
    ]);
  });
});

it('a way of delivery that stands in a row of a table is said once', () => {
  const row = 'Tracked 48 2-3 working days £3.49';
  expect(saidOnce(`Tracked 48  ${row}`, { label: 'Tracked 48', rowText: row })).toBe(row);
  expect(
    saidOnce('Tracked 48 £3.49 ', {
      label: 'Tracked 48 £3.49',
      rowText: 'Delivery Tracked 48 £3.49 Express £9.00',
    }),
  ).toBe('Tracked 48 £3.49');
});
