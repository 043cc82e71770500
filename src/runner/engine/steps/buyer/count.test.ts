import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import { type CountingLook, countingShop } from '../../testing/counting-shop.ts';
import { buyMug } from '../../testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Buys mugs in a shop whose cart says what one costs, and not how many lie in it. */
async function buy(look: Partial<CountingLook>, request: string, choice = 'stop') {
  const { end, orders, asked } = await buyMug(
    browser,
    countingShop({ shows: 'unit', ...look }),
    {
      answer: ({ kind }) =>
        kind === 'merchant-login'
          ? { username: 'ada@example.com', password: 'right' }
          : kind === 'option-choice'
            ? { choice }
            : undefined,
    },
    { request },
  );
  return {
    end,
    bought: orders.map(({ quantity }) => quantity),
    questions: asked.flatMap((one) => (one.kind === 'option-choice' ? [one.question] : [])),
  };
}

it('a number that was typed into a line and is sent by nothing is none of the cart', async () => {
  const look = { shows: 'field', atOnce: 3, bills: 'nothing' } as const;
  const { end, bought } = await buy(look, '');
  expect([end, bought]).toMatchObject([
    { outcome: 'failed', placed: 'no', message: 'The cart does not take the quantity 1.' },
    [],
  ]);
});

describe('a cart that does not say how many', () => {
  it('and has got those of the account along is the user’s to judge, by what the shop wants', {
    tags: 'slow',
  }, async () => {
    const look = { basket: 1, bills: 'nothing' } as const;
    const { end, bought, questions } = await buy(look, 'Use my account.');
    expect(questions).toEqual([
      'The shop does not show how many of “Blue Mug” it would send: 1 was asked for at 20.00 USD, and it wants 45.00 USD in all. Buy that?',
    ]);
    expect([end, bought]).toMatchObject([
      {
        outcome: 'failed',
        placed: 'no',
        message: 'The shop does not show how many it would send: 1 was asked for.',
      },
      [],
    ]);
  });

  it('is bought when the user takes its sum for right', { tags: 'slow' }, async () => {
    const look = { hasField: true, bills: 'nothing' } as const;
    const { bought, questions } = await buy(look, 'two of them', 'buy');
    expect([bought, questions.length]).toEqual([['2'], 1]);
  });

  it('is not bought where less is billed than the product’s page took', {
    tags: 'slow',
  }, async () => {
    const kept = await buy({ hasField: true, keeps: 1 }, 'three of them');
    expect([kept.end, kept.bought, kept.questions]).toMatchObject([
      { outcome: 'failed', message: 'The shop bills 1 of it ($20.00): 3 were asked for.' },
      [],
      [],
    ]);
    const look = { hasField: true, keeps: 1, bills: 'delivery' } as const;
    const unsaid = await buy(look, 'three of them');
    expect([unsaid.bought, unsaid.questions]).toEqual([
      [],
      [expect.stringContaining('it wants 20.00 USD for the goods')],
    ]);
  });

  it('is bought without a question where the goods cost as many as were asked for', {
    tags: 'slow',
  }, async () => {
    for (const bills of ['subtotal', 'delivery'] as const) {
      const { bought, questions } = await buy({ hasField: true, bills }, 'two of them');
      expect([bills, bought, questions]).toEqual([bills, ['2'], []]);
    }
  });
});
