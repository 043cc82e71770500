import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import type { NetworkAnswer } from '../page/settle.ts';
import { takeSnapshot } from '../page/snapshot.ts';
import { findCurrency } from './currency-evidence.ts';
import { readPageData } from './page-data.ts';
import { readTotals } from './totals.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

const once = '<p>Thing</p><table><tr><th>Total</th><td>€25.00</td></tr></table>';
const answer = (json: unknown): NetworkAnswer => ({
  url: 'https://shop.example/api/quote',
  method: 'POST',
  status: 200,
  at: 0,
  json,
});

async function read(
  html: string,
  { button = 'Place order', answers = [] as NetworkAnswer[], lang = 'en' } = {},
) {
  // What the page before has told programs goes with it.
  await page.goto('about:blank');
  await page.setContent(
    `<html lang="${lang}"><body>${html}<button>${button}</button></body></html>`,
  );
  const snapshot = await takeSnapshot(page.mainFrame());
  const data = await readPageData(snapshot);
  return {
    snapshot,
    data,
    totals: readTotals(snapshot, answers, { expected: 'EUR' }, button, data),
  };
}

const sources: readonly (readonly [string, string, Parameters<typeof read>[1]?])[] = [
  ['order button', once, { button: 'Pay €25.00' }],
  [
    'network answer',
    once,
    { answers: [answer({ order: { currency: 'EUR', total_price: 2500 } })] },
  ],
  [
    'structured data',
    `${once}<script type="application/ld+json">{"@type":"Invoice","totalPaymentDue":{"price":"25.00","priceCurrency":"EUR"}}</script>`,
  ],
  [
    'data layer',
    `${once}<script>dataLayer=[{ecommerce:{value:12}},{event:"add_payment_info",ecommerce:{currency:"EUR",value:25}}]</script>`,
  ],
  [
    'state of the page',
    `${once}<script type="application/json">{"checkout":{"totalPrice":{"amount":"25.00"}}}</script>`,
  ],
  ['form field', `${once}<form><input type="hidden" name="order_total" value="25.00"></form>`],
  ['attribute', `${once}<div data-order-total="2500"></div>`],
  [
    'sum of the parts',
    `<table><tr><td>Subtotal</td><td>€20.00</td></tr><tr><td>Shipping</td><td>€5.00</td></tr><tr><th>Total</th><td>€25.00</td></tr></table>`,
  ],
  [
    'another place of the page',
    `<div style="height:300px"><span>Order total</span> <b>€25.00</b></div>${once.replace('Total', 'Order total')}`,
  ],
];

describe('the second source of a total', () => {
  it.each(sources.map(([source, html, more]) => [source, { html, more }] as const))(
    'is the %s',
    async (source, { html, more }) => {
      const { totals } = await read(html, more);
      expect(totals).toMatchObject({
        summary: { money: { amountMinor: 2_500n } },
        second: { source, money: { amountMinor: 2_500n } },
      });
    },
  );

  it('is none where the total stands alone, or where programs are told something else', async () => {
    expect((await read(once)).totals.second).toBeUndefined();
    const other = await read(
      `${once}<script>dataLayer=[{ecommerce:{currency:"EUR",value:20}}]</script>`,
    );
    expect(other.totals).toMatchObject({ summary: { money: { amountMinor: 2_500n } } });
    expect([other.totals.second, other.totals.contradiction]).toEqual([undefined, undefined]);
  });

  it('contradicts as an answer about money, and not as a count of search results', async () => {
    const money = await read(once, {
      answers: [answer({ subtotal: 20, currency: 'EUR', total: 30 })],
    });
    expect(money.totals.contradiction).toMatchObject({ money: { amountMinor: 3_000n } });
    const results = await read(once, { answers: [answer({ products: [], total: 30 })] });
    expect(results.totals.contradiction).toBeUndefined();
  });
});

describe('the currency of a sign that may mean several', () => {
  const dollars = '<p>Total</p><p>$25.00</p>';
  it('is asked for with the sign alone, without the words beside it', async () => {
    const { snapshot, data } = await read('<p>Subtotal: $20.00</p><p>Total: $25.00</p>');
    expect(findCurrency(snapshot, [], data, { expected: 'MXN' })).toMatchObject({
      kind: 'open',
      sign: '$',
    });
  });

  const kinds: readonly (readonly [string, string, string, string, string?])[] = [
    ['is that of a label', '<p>Total (CAD)</p><p>$25.00</p>', 'USD', 'CAD'],
    [
      'is that of a data layer',
      `${dollars}<script>dataLayer=[{ecommerce:{currency:"AUD",value:25}}]</script>`,
      'AUD',
      'AUD',
    ],
    ['is that of the country which is expected', '<p>Total</p><p>250 kr</p>', 'DKK', 'DKK', 'da'],
    ['is the common one when that is expected', dollars, 'USD', 'common'],
    ['is open when another one is expected', dollars, 'MXN', 'open'],
    ['is open when the country speaks against it', dollars, 'USD', 'open', 'en-CA'],
    ['is open for crowns of nowhere', '<p>Total</p><p>250 kr</p>', 'SEK', 'open'],
  ];
  const rows = kinds.map(
    ([name, html, expected, wanted, lang = 'en']) =>
      [name, { html, expected, wanted, lang }] as const,
  );
  it.each(rows)('%s', async (_name, { html, expected, wanted, lang }) => {
    const { snapshot, data } = await read(html, { lang });
    const found = findCurrency(snapshot, [], data, { expected });
    expect(found.kind === 'named' ? found.currency : found.kind).toBe(wanted);
  });
});
