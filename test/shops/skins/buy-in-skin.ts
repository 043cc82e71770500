import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { gateOf } from '../../../src/runner/engine/testing/fixture-shops.ts';
import {
  aTask,
  runInShop,
  startTestShop,
} from '../../../src/runner/engine/testing/test-shop-kit.ts';
import type { SkinCase } from './cases.ts';
import { type Skin, shippings } from './store.ts';

/**
 * Buys in a platform's shop as its customer wishes, behind the gate, and holds its book and the
 * approval against the wish.
 */
export async function expectBought(browser: Browser, skin: Skin, wish: SkinCase): Promise<void> {
  const shop = await startTestShop(skin.open(wish.setting));
  try {
    const task = aTask(`${shop.origin}${skin.path}`, {
      request: wish.request,
      maxCost: { amountMinor: wish.capMinor ?? 20_000n, currency: skin.currency },
    });
    const { end, asked } = await runInShop(browser, task, {
      gate: (context) => gateOf(context, shop.origin),
    });
    const questions = asked.filter(({ kind }) => kind !== 'approve-purchase');
    if (wish.lines === undefined) {
      expect([end, shop.orders, questions]).toMatchObject([
        { outcome: 'failed', reason: 'max_cost_exceeded', placed: 'no' },
        [],
        [],
      ]);
      return;
    }
    expect({ end, orders: shop.orders, questions }).toMatchObject({
      end: { outcome: 'succeeded' },
      questions: [],
    });
    const [order] = shop.orders;
    expect(shop.orders).toEqual([
      expect.objectContaining({ lines: wish.lines, delivery: 'flat', email: 'ada@example.com' }),
    ]);
    expect(order).not.toHaveProperty('news');
    expect(order).not.toHaveProperty('account');
    expect(order!['way']).toMatch(/cod|cash/i);
    const approval = asked.findLast((one) => one.kind === 'approve-purchase')!;
    expect(approval).toMatchObject({
      total: { amountMinor: BigInt(order!['total']!) },
      paying: expect.stringMatching(/delivery|cod/i),
    });
    if (approval.delivery !== undefined)
      expect(approval.delivery).toContain(shippings['flat']!.title);
  } finally {
    await shop.close();
  }
}
