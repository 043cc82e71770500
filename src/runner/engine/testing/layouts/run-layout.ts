import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { aTask, runInShop, startTestShop } from '../test-shop-kit.ts';
import type { Layout } from './kit.ts';

/** Runs a look once and holds its end against what the look says. */
export async function expectLayout(browser: Browser, look: Layout): Promise<void> {
  const shop = await startTestShop(look.shop);
  try {
    const task = aTask(`${shop.origin}${look.path}`, look.task);
    const { end, asked, logs } = await runInShop(
      browser,
      task,
      look.answer === undefined ? {} : { answer: look.answer },
    );
    const kinds = asked.map(({ kind }) => kind).filter((kind) => kind !== 'approve-purchase');
    const isAsExpected = (end.outcome === 'succeeded') === (look.buys !== undefined);
    expect({ kinds, end: isAsExpected ? undefined : end, logs: isAsExpected ? [] : logs }).toEqual({
      kinds: look.asks ?? (look.fails === undefined ? [] : kinds),
      end: undefined,
      logs: [],
    });
    if (look.buys === undefined) {
      expect(shop.orders).toEqual([]);
      expect(end).toMatchObject({
        outcome: 'failed',
        placed: 'no',
        message: expect.stringMatching(look.fails ?? /./),
      });
      return;
    }
    expect({ outcome: end.outcome, logs: end.outcome === 'succeeded' ? [] : logs }).toEqual({
      outcome: 'succeeded',
      logs: [],
    });
    expect(shop.orders).toHaveLength(1);
    const [order] = shop.orders;
    const wrong = Object.entries(look.buys).filter(([name, wanted]) =>
      wanted instanceof RegExp ? !wanted.test(order?.[name] ?? '') : order?.[name] !== wanted,
    );
    expect({
      wrong: wrong.map(([name]) => [name, order?.[name]]),
      extra: (look.without ?? []).filter((name) => order?.[name]),
    }).toEqual({
      wrong: [],
      extra: [],
    });
  } finally {
    await shop.close();
  }
}
