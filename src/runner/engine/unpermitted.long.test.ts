import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import type { RunEnd, UserActionRequest } from '../types.ts';
import { buyMug, onAccount } from './testing/on-account.ts';
import { plainShop } from './testing/pages-kit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const says = (outcome: 'placed' | 'not-placed') => ({
  answer: ({ kind }: UserActionRequest) => (kind === 'confirm-outcome' ? { outcome } : undefined),
});

describe('an order that the shop places without the paying click', () => {
  it.each<[string, 'placed' | 'not-placed', Partial<RunEnd>]>([
    [
      'has it',
      'placed',
      {
        outcome: 'succeeded',
        total: { amountMinor: 2_500n, currency: 'USD' },
        merchantOrderId: 'ACC-7001',
      },
    ],
    ['does not have it', 'not-placed', { outcome: 'failed', placed: 'no' }],
  ])('ends as the user says: the shop %s', async (_name, outcome, expected) => {
    const { end, orders } = await buyMug(browser, onAccount(), says(outcome));
    expect(end).toMatchObject(expected);
    expect(orders).toHaveLength(1);
  });

  it('stays unknown when nobody knows what it cost', async () => {
    const { end } = await buyMug(
      browser,
      onAccount('<h1>Thank you for your order!</h1>'),
      says('placed'),
    );
    expect(end).toMatchObject({ outcome: 'failed', placed: 'unknown' });
  });
});

it('a product that is called “Thank you” is bought like any other', async () => {
  const { end, orders } = await buyMug(
    browser,
    plainShop({ product: 'Thank You Card, order of 12' }),
  );
  expect(end).toMatchObject({ outcome: 'succeeded' });
  expect(orders).toHaveLength(1);
});
