import { explainRefusal } from '../egress/index.ts';
import type { Patience } from '../engine/index.ts';
import { plainShop } from '../engine/testing/pages-kit.ts';
import {
  aTask,
  runInShop,
  startTestShop,
  type TestAnswers,
  type TestRun,
} from '../engine/testing/test-shop-kit.ts';
import { installOrderGate, looksLikeOrder } from '../gate/order-gate.ts';
import type { RunWorld } from './run-world.ts';

/**
 * How the order is sent: by a form that leads to the next page, or by a script that stays on this
 * one.
 */
export type Sending = 'form' | 'script';

const byScript = `<script>document.addEventListener('submit', (event) => {
  if (event.target.id !== 'checkout') return;
  event.preventDefault();
  fetch('/order', { method: 'POST', body: new URLSearchParams(new FormData(event.target)) }).then(() => location.assign('/thanks'));
});</script>`;

export interface SlowPurchase {
  readonly run: TestRun;
  /** Orders that the shop has, and order requests that reached it. */
  readonly orders: number;
  readonly requests: number;
  /** Why the browser was given up, if it was. */
  readonly fault?: string;
}

/**
 * Buys behind proxy, order gate and watch of the browser's health, in a shop that answers the order
 * request late, or never.
 */
export async function buySlowly(
  world: RunWorld,
  input: {
    readonly sending: Sending;
    readonly afterMs?: number;
    readonly patience?: Partial<Patience>;
    readonly hangTimeoutMs?: number;
  },
  answers: TestAnswers = {},
): Promise<SlowPurchase> {
  const look = plainShop(input.sending === 'script' ? { head: byScript } : {});
  const shop = await startTestShop((request, orders) => {
    const reply = look(request, orders);
    const isOrder = request.method === 'POST' && request.path === '/order' && reply !== undefined;
    return isOrder ? { later: reply, afterMs: input.afterMs } : reply;
  });
  world.internet.machines.set('93.184.216.34:80', Number(new URL(shop.origin).port));
  const browser = await world.openBrowser(
    input.hangTimeoutMs === undefined
      ? {}
      : { hangTimeoutMs: input.hangTimeoutMs, pingIntervalMs: 100 },
  );
  let fault: string | undefined;
  browser.health.catch((error: { fault: string }) => {
    fault = error.fault;
  });
  try {
    const gate = await installOrderGate(browser.context, {
      match: looksLikeOrder('http://shop.example'),
    });
    const run = await runInShop(browser, aTask('http://shop.example/mug', { timeoutMs: 600_000 }), {
      gate: {
        arm: () => void gate.armOnce(),
        placedRequests: () => gate.passedCount(),
        covers: (request) => gate.covers(request),
      },
      refusalOf: (address) => explainRefusal(browser.proxy.decisions(), address),
      patience: input.patience,
      ...answers,
    });
    const requests = shop.posts.filter(({ path }) => path === '/order').length;
    return { run, orders: shop.orders.length, requests, fault };
  } finally {
    await browser.close();
    await shop.close();
  }
}
