/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import { type ModelEndpoint, startModelEndpoint } from './testing/model-endpoint.ts';
import { buyInOddShop, goodModel } from './testing/odd-runs.ts';

let browser: Browser;
let endpoint: ModelEndpoint;
beforeAll(async () => {
  browser = await startBrowser();
  endpoint = await startModelEndpoint();
});
afterAll(async () => {
  await endpoint?.close();
  await browser?.close();
});

test('with a planner a run buys where the engine alone gives up, and what it did is in the step log', async () => {
  endpoint.script = goodModel;
  const { end, orders, log, requests, armed } = await buyInOddShop(browser, endpoint, {
    provider: 'openai-compatible',
  });
  expect(end).toMatchObject({
    outcome: 'succeeded',
    merchantOrderId: 'ODD-77',
    total: { amountMinor: 2_500n, currency: 'USD' },
  });
  expect([orders.length, armed]).toEqual([1, 1]);
  expect(orders[0]).toMatchObject({
    mug: '1',
    email: 'ada@example.com',
    city: 'San Francisco',
    cardnumber: '4242424242424242',
  });
  expect(log).toEqual([
    'select: was asked (call 1 of 8): add-to-cart',
    'select: press “Mine!”',
    expect.stringMatching(/^add-to-cart: was asked \(call 2 of 8\): go-on$/),
    expect.stringMatching(/^add-to-cart: press “Onwards”$/),
  ]);
  expect(requests).toHaveLength(2);
  for (const { raw } of requests)
    expect(withoutIds(raw)).not.toMatch(/4242|"123"|ada@example|Lovelace|12 Main|94105/);
});
