import type { Browser } from 'playwright-core';
import type { PlannerConfig } from '../../../config/runner/read-planner.ts';
import { aTask, runInShop, startTestShop } from '../../engine/testing/test-shop-kit.ts';
import { installOrderGate, looksLikeOrder } from '../../gate/order-gate.ts';
import { Scrubber } from '../../scrub.ts';
import { createPlanner } from '../planner.ts';
import { type ModelEndpoint, type ModelScript, refOf } from './model-endpoint.ts';
import { type OddWords, oddShop } from './odd-shop.ts';

/** A model that knows what it is for. */
export const goodModel: ModelScript = (request) =>
  request.user.goal.includes('into the cart')
    ? { actions: [{ do: 'click', ref: refOf(request, /mine/i) }, { do: 'done' }] }
    : { actions: [{ do: 'click', ref: refOf(request, /onwards/i) }] };

/**
 * One whole run in the odd shop, behind the order gate as in production. Without a provider there
 * is no planner.
 */
export async function buyInOddShop(
  browser: Browser,
  endpoint: ModelEndpoint,
  {
    provider,
    words,
  }: { readonly provider?: PlannerConfig['provider']; readonly words?: OddWords } = {},
) {
  const shop = await startTestShop(oddShop(words));
  const before = endpoint.requests.length;
  try {
    const run = await runInShop(browser, aTask(`${shop.origin}/mug`), {
      gate: async (context) => {
        const gate = await installOrderGate(context, { match: looksLikeOrder(shop.origin) });
        return {
          arm: () => void gate.armOnce(),
          placedRequests: () => gate.passedCount(),
          covers: (request) => gate.covers(request),
        };
      },
      ...(provider && { planner: createPlanner(endpoint.config(provider), new Scrubber()) }),
    });
    const log = run.evidence.flatMap(({ step, detail }) =>
      detail?.['planner'] === undefined ? [] : [`${step}: ${String(detail['planner'])}`],
    );
    return { ...run, log, orders: shop.orders, requests: endpoint.requests.slice(before) };
  } finally {
    await shop.close();
  }
}
