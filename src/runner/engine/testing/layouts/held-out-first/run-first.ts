import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { JsonObject } from '../../../../../lib/json/json.ts';
import type { UserActionRequest } from '../../../../types.ts';
import { gateOf } from '../../fixture-shops.ts';
import { aBuyer, aTask, runInShop, type TestHands } from '../../test-shop-kit.ts';
import type { HeldOutRow } from './index.ts';

/** Buys as a row says and holds the shop's book, what leaked, and the end of the run against it. */
export async function expectHeldOut(browser: Browser, row: HeldOutRow): Promise<void> {
  const shop = await row.open();
  try {
    const [amountMinor, currency] = row.cap;
    const task = aTask(`${shop.origin}${row.path}`, {
      request: row.request,
      buyer: row.buyer ?? aBuyer,
      maxCost: { amountMinor, currency },
      paymentFrameOrigins: shop.pay === undefined ? [] : [shop.pay],
    });
    const run = await runInShop(browser, task, {
      gate: (context) => gateOf(context, shop.origin),
      answer: async (asked, hands) => row.answer?.(asked) ?? answer(asked, hands),
    });
    const kinds = run.asked.map(({ kind }) => kind).filter((kind) => kind !== 'approve-purchase');
    const isAsExpected = (run.end.outcome === 'succeeded') === (row.ends === undefined);
    expect({
      end: isAsExpected ? undefined : run.end,
      leaks: shop.leaks,
      kinds,
      logs: isAsExpected ? [] : run.logs,
    }).toEqual({
      end: undefined,
      leaks: [],
      kinds: row.asks ?? [],
      logs: [],
    });
    if (row.ends !== undefined)
      expect(run.end).toMatchObject({
        placed: row.ends.placed,
        message: expect.stringMatching(row.ends.message),
      });
    expect(shop.book).toHaveLength(row.books === undefined ? 0 : 1);
    if (row.books !== undefined) expect(shop.book[0]).toMatchObject(row.books);
    if (run.end.outcome === 'succeeded')
      expect(run.end.total).toEqual({
        amountMinor: BigInt(shop.book[0]!.total),
        currency: shop.book[0]!.currency,
      });
  } finally {
    await shop.close();
  }
}

/**
 * The first option, the right password, the code of the bank; whether there is an order the user
 * does not know either.
 */
async function answer(
  request: UserActionRequest,
  { page }: TestHands,
): Promise<JsonObject | 'decline' | undefined> {
  switch (request.kind) {
    case 'option-choice':
      return { choice: request.options[0]!.value };
    case 'merchant-login':
      return { username: 'ada@example.com', password: 'Provence-2024' };
    case 'three-d-secure': {
      const bank = page.frames().find((frame) => frame.url().includes('/acs/inner'))!;
      await bank.getByLabel('Verification code').fill('246810');
      await bank.getByRole('button', { name: 'Submit' }).click();
      return { done: true };
    }
    default:
      return undefined;
  }
}
