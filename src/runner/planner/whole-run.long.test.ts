import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buyer,
  type CheckoutWorld,
  startCheckoutWorld,
} from '../../../test/harness/checkout-world.ts';
import { startTestShop, type TestShop } from '../engine/testing/test-shop-kit.ts';
import { endpointKey, type ModelEndpoint, startModelEndpoint } from './testing/model-endpoint.ts';
import { goodModel } from './testing/odd-runs.ts';
import { oddShop } from './testing/odd-shop.ts';

let world: CheckoutWorld;
let shop: TestShop;
let endpoint: ModelEndpoint;
beforeAll(async () => {
  world = await startCheckoutWorld();
  shop = await startTestShop(oddShop());
  endpoint = await startModelEndpoint(goodModel);
});
afterAll(async () => {
  await world?.close();
  await shop?.close();
  await endpoint?.close();
});

test('a runner with a planner buys where nobody else could, users find what it did in the steps, and nobody finds its key', async () => {
  await world.startRunner({
    planner: endpoint.config(),
    config: {
      chromiumPath: undefined,
      runsMax: 1,
      memoryBytesMax: 1_024 * 1_048_576,
      blockedOrigins: [],
      allowedPrivateOrigins: [shop.origin],
      paymentFrameOrigins: [],
    },
  });
  const buyerProfileId = (await world.as('ada', 'POST', '/buyer-profiles', buyer)).body
    .id as string;
  const { status, body } = await world.as('ada', 'POST', '', {
    target: { kind: 'direct_url', url: `${shop.origin}/mug` },
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
    buyerProfileId,
  });
  expect(status).toBe(200);
  const view = await world.follow('ada', body.id, { timeoutMs: 120_000 });
  expect(view).toMatchObject({ status: 'succeeded', receipt: { merchantOrderId: 'ODD-77' } });
  expect(shop.orders).toHaveLength(1);
  const steps = (await world.as('ada', 'GET', `/${body.id}/steps`)).body.data as {
    detail?: { planner?: string };
  }[];
  expect(steps.flatMap(({ detail }) => detail?.planner ?? [])).toEqual([
    'was asked (call 1 of 8): add-to-cart',
    'press “Mine!”',
    'was asked (call 2 of 8): go-on',
    'press “Onwards”',
  ]);
  expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${endpointKey}`,
    `Bearer ${endpointKey}`,
  ]);
  // The endpoint is on a port of this machine that the browser’s proxy leads nobody to: the runner
  // itself has asked it.
  const said = JSON.stringify([view, steps, world.logLines, shop.orders, shop.posts]);
  expect(said).toContain('Onwards');
  expect(said).not.toContain(endpointKey);
});
