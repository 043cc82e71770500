import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { buyMug } from './testing/on-account.ts';
import { plainCard, plainFields, plainShop, plainSummary } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

it('what the user reads before a yes says how it is delivered once', async () => {
  const delivery =
    '<fieldset><legend>Delivery</legend><label><input type="radio" name="d" value="s"> Standard shipping $5.00</label></fieldset>';
  const fields = plainFields + delivery + plainCard;
  const apart = await buyMug(browser, plainShop({ checkoutFields: fields }));
  const same = await buyMug(
    browser,
    plainShop({
      checkoutFields: fields,
      summary: plainSummary.replace('Shipping', 'Standard shipping'),
    }),
  );
  const said = [apart, same].map(({ asked }) =>
    asked.flatMap((one) =>
      one.kind === 'approve-purchase'
        ? [...one.lines.map(({ title }) => title), one.delivery ?? '']
        : [],
    ),
  );
  expect(said).toEqual([
    ['You asked for: Blue Mug × 1', 'Subtotal', 'Shipping', 'Total', 'Standard shipping $5.00'],
    ['You asked for: Blue Mug × 1', 'Subtotal', 'Standard shipping', 'Total', ''],
  ]);
});
