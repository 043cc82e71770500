import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { issueKey } from '../../api-keys/index.ts';
import { checkLimits, rulesOf } from '../limits/order-limits.ts';
import { combineTerms } from '../state/items.ts';
import { selectOrder } from '../state/store.ts';
import type { OrderRecord, OrderTerms } from '../state/types.ts';
import { type OrdersWorld, startOrdersWorld } from '../testing/orders-kit.ts';
import { isNoWorse, isWithinSlippage, repriceOrder } from './reprice.ts';
import { defaultOrderSettings } from './settings.ts';

const money = (currency: string, amountMinor: bigint) => ({
  currency,
  asset: currency,
  decimals: 2,
  amountMinor,
});

const terms = (
  over: {
    readonly mode?: OrderTerms['mode'];
    readonly pay?: bigint;
    readonly receive?: bigint;
  } = {},
): OrderTerms => ({
  mode: over.mode ?? 'exact-in',
  pay: money('usd', over.pay ?? 10_000n),
  receive: money('usdc', over.receive ?? 10_000n),
  fees: [],
  value: money('usd', 10_000n),
  unit: money('usd', 10_000n),
  rate: '1',
  maxSlippageBps: 100,
});

describe('a new price', () => {
  it('is within the slippage as long as no less is delivered than it allows, to the smallest unit', () => {
    expect(isWithinSlippage(terms(), terms({ receive: 9_900n }))).toBe(true);
    expect(isWithinSlippage(terms(), terms({ receive: 9_899n }))).toBe(false);
    expect(isWithinSlippage(terms(), terms({ receive: 20_000n }))).toBe(true);
  });

  it('of exact-out is within it as long as no more is paid', () => {
    const agreed = terms({ mode: 'exact-out' });
    expect(isWithinSlippage(agreed, terms({ mode: 'exact-out', pay: 10_100n }))).toBe(true);
    expect(isWithinSlippage(agreed, terms({ mode: 'exact-out', pay: 10_101n }))).toBe(false);
    expect(isWithinSlippage(agreed, terms({ mode: 'exact-out', pay: 1n }))).toBe(true);
  });

  it('of several line items is within it when each of them is', () => {
    const both = (second: bigint) => combineTerms([terms(), terms({ receive: second })]);
    expect(isWithinSlippage(both(10_000n), both(9_900n))).toBe(true);
    expect(isWithinSlippage(both(10_000n), both(9_899n))).toBe(false);
    expect([
      isNoWorse(both(10_000n), both(10_001n)),
      isNoWorse(both(10_000n), both(9_999n)),
    ]).toEqual([true, false]);
  });
});

describe('on staging', () => {
  const limited = (
    amountUsdMinor: bigint,
    symbols: readonly string[],
    environment: 'staging' | 'production',
  ) =>
    checkLimits({ config: testConfig({ environment }) } as Parameters<typeof checkLimits>[0], {
      orderId: 'x',
      projectId: 'p',
      kind: 'checkout',
      request: { payment: { method: 'base-sepolia' } } as OrderRecord['request'],
      settings: { ...defaultOrderSettings, limits: [] },
      amountUsdMinor,
      symbols,
    });

  it('an order of stablecoins is at most US$10', () => {
    expect(() => limited(1_000n, ['usdc'], 'staging')).not.toThrow();
    expect(() => limited(1_001n, ['usdc'], 'staging')).toThrowError(ServiceError);
    expect(() => limited(1_001n, ['eth'], 'staging')).not.toThrow();
    expect(() => limited(1_001n, ['usdc'], 'production')).not.toThrow();
    expect(
      rulesOf(
        { config: testConfig({ environment: 'staging' }) },
        { ...defaultOrderSettings, limits: [] },
        ['usdt'],
      ),
    ).toHaveLength(1);
  });
});

describe('repriceOrder', () => {
  let world: OrdersWorld;
  beforeAll(async () => {
    world = await startOrdersWorld();
  }, 120_000);
  afterAll(() => world?.stack.close());

  it('makes the price of the same request anew, at today’s fees, with a quote of its own', async () => {
    const { ctx } = world.stack;
    const { id } = await world.created(world.checkout());
    const order = (await selectOrder(ctx.store, { by: 'id', id }))!;
    world.stack.advanceClock(60_000);
    await world.settings({ quoteMinutes: 3, fees: [{ type: 'service', bps: 200 }] });
    const repriced = await repriceOrder(ctx, order);
    expect(repriced.terms.receive).toEqual(order.terms!.receive);
    expect(repriced.terms.pay.amountMinor).toBeGreaterThan(order.terms!.pay.amountMinor);
    expect(repriced.quoteExpiresAt.getTime() - repriced.quotedAt.getTime()).toBe(180_000);
    expect(repriced.amountUsdMinor).toBeGreaterThan(0n);
    await world.settings({ tokens: ['usdc'] });
    // No outage, in which it would be asked for again and again: what cannot be had any more ends a
    // late deposit at once.
    await expect(repriceOrder(ctx, order)).rejects.toMatchObject({
      code: 'token-not-supported',
      status: 400,
    });
    await world.settings({});
  });

  it('the answer to a client secret can be read by the pages of that client key only', async () => {
    const { stack } = world;
    const { projectId } = stack.api;
    const { key } = await issueKey(stack.ctx, {
      projectId,
      kind: 'client',
      allowedOrigins: ['https://shop.example'],
    });
    const { id, asClient: asAny } = await world.created();
    const asClient = { ...asAny, key };
    const read = (origin: string) =>
      stack.call('GET', `/2022-06-09/orders/${id}`, {
        ...asClient,
        headers: { ...asClient.headers, origin },
      });
    const answer = await read('https://shop.example');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://shop.example',
    ]);
    const evil = await read('https://evil.example');
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const preflight = await stack.call('OPTIONS', `/2022-06-09/orders/${id}`, {
      key: null,
      headers: {
        origin: 'https://shop.example',
        'access-control-request-headers': 'authorization, x-api-key',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, x-api-key');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  });
});
