import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { gateOf } from '../../fixture-shops.ts';
import { aBuyer, aTask, runInShop, testCard } from '../../test-shop-kit.ts';
import type { ThirdRow } from './rows.ts';

/**
 * Buys as a row says and holds the shop's book, where the card's number came, what was asked, and
 * the end of the run against it.
 */
export async function expectThird(browser: Browser, row: ThirdRow): Promise<void> {
  const shop = await row.open();
  try {
    const [amountMinor, currency] = row.cap;
    const task = aTask(shop.start, {
      request: row.request,
      buyer: aBuyer,
      maxCost: { amountMinor, currency },
      paymentFrameOrigins: shop.pay === undefined ? [] : [shop.pay],
    });
    const run = await runInShop(browser, task, {
      gate: (context) => gateOf(context, shop.url),
      ...(row.answer === undefined ? {} : { answer: row.answer }),
    });
    const asked = run.asked.map(({ kind }) => kind).filter((kind) => kind !== 'approve-purchase');
    const leaks = [...shop.heard].filter(
      ({ path, body }) =>
        body.replaceAll(/\D/g, '').includes(testCard.number) && !row.pays.includes(path),
    );
    const isAsExpected = (run.end.outcome === 'succeeded') === (row.ends === undefined);
    expect({
      end: isAsExpected ? undefined : run.end,
      logs: isAsExpected ? [] : run.logs,
      leaks,
      asked,
    }).toEqual({
      end: undefined,
      logs: [],
      leaks: [],
      asked: row.asks ?? [],
    });
    if (row.ends !== undefined && run.end.outcome === 'failed') {
      expect(run.end.placed).toBe(row.ends.placed);
      expect(run.end.message).toMatch(row.ends.message ?? /./);
    }
    expect(shop.sales).toHaveLength(row.books === undefined ? 0 : 1);
    if (row.books !== undefined) expect(shop.sales[0]).toMatchObject(row.books);
    if (run.end.outcome === 'succeeded')
      expect(run.end.total.amountMinor).toBe(BigInt(shop.sales[0]!.total));
  } finally {
    await shop.close();
  }
}
