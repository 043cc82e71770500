import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealRows } from '../../../../test/harness/seal-rows.ts';
import { sealedLimitUsage, sealedLimitUses } from '../../order-limits/index.ts';
import { resolveByClosing, resolveByContinuing } from '../operator/operator.ts';
import { changeOrder } from '../state/change-order.ts';
import { insertOrder, lockOrder } from '../state/store.ts';
import { type OrdersWorld, refused, startOrdersWorld } from '../testing/orders-kit.ts';
import { releaseExpiredLimits } from './release-limits.ts';

let world: OrdersWorld;
let stack: OrdersWorld['stack'];
let wallet: string;
beforeAll(async () => {
  world = await startOrdersWorld();
  ({ stack, wallet } = world);
}, 180_000);
afterAll(() => stack?.close());
beforeEach(() => world.settings({}));

const settings: OrdersWorld['settings'] = (...given) => world.settings(...given);
const create: OrdersWorld['create'] = (...given) => world.create(...given);
const created: OrdersWorld['created'] = (...given) => world.created(...given);
const onramp: OrdersWorld['onramp'] = (...given) => world.onramp(...given);
const item: OrdersWorld['item'] = (...given) => world.item(...given);

describe('limits', () => {
  /** To a noon in UTC, more than a day ahead of what was used before. */
  const untilNoon = () => {
    const dayMs = 24 * 60 * 60_000;
    return ((dayMs + Date.UTC(2000, 0, 1, 12) - stack.ctx.clock.now().getTime()) % dayMs) + dayMs;
  };
  const single = () =>
    stack.call('GET', '/unstable/orders/limits?userLocator=email:limited@example.com&kind=onramp');
  const buy = (amount: string) =>
    create(
      onramp({
        payment: { method: 'card', receiptEmail: 'limited@example.com' },
        ...item({ executionParameters: { mode: 'exact-in', amount } }),
        recipient: { walletAddress: wallet },
      }),
    );

  it('are refused with parameters, and shown with what is left', async () => {
    await settings({
      limits: [{ subject: 'user', kind: 'onramp', singleUsd: '300', dailyUsd: '500' }],
    });
    const tooLarge = await buy('300.01');
    expect(tooLarge).toMatchObject({
      status: 400,
      body: {
        error: true,
        code: 'single_purchase_exceeded',
        parameters: {
          amount: '300.01',
          limit: '300',
          hoursUntilReset: '0',
          remainingAmount: '300',
        },
      },
    });
    expect((await buy('300')).status).toBe(201);
    expect((await buy('250')).body).toMatchObject({
      code: 'daily_transaction_exceeded',
      parameters: {
        amount: '250',
        limit: '500',
        remainingAmount: '200',
        hoursUntilReset: expect.stringMatching(/^\d+$/),
      },
    });
    const { status, body } = await single();
    expect(status).toBe(200);
    expect(body.data.map(({ period, limit }: Record<string, string>) => [period, limit])).toEqual([
      ['single', '300'],
      ['daily', '500'],
    ]);
  });

  it('are read by user, kind, rail and token: what was used, what is left, and in how many hours they begin anew', async () => {
    // 07:00 or 08:00 in New York.
    stack.advanceClock(untilNoon());
    await settings({
      limits: [
        { subject: 'user', kind: 'onramp', dailyUsd: '500', monthlyUsd: '900' },
        { subject: 'user', method: 'wire', dailyUsd: '1000' },
        { subject: 'project', kind: 'offramp', singleUsd: '250' },
      ],
      tokenDailyUsd: { usdc: '10000' },
    });
    const read = async (query: string) => {
      const { status, body } = await stack.call('GET', `/unstable/orders/limits?${query}`);
      expect([status, body]).toEqual([200, expect.anything()]);
      return body.data;
    };
    const payment = { method: 'card', receiptEmail: 'reader@example.com' };
    await created(
      onramp({
        payment,
        ...item({ executionParameters: { mode: 'exact-in', amount: '120.5' } }),
        recipient: undefined,
      }),
    );
    const hours = expect.stringMatching(/^1[67]$/);
    const mine = { subject: 'user', kind: 'onramp', used: '120.5', currency: 'usd' };
    expect(await read('userLocator=email:reader@example.com&kind=onramp')).toEqual([
      { ...mine, period: 'daily', limit: '500', remainingAmount: '379.5', hoursUntilReset: hours },
      {
        ...mine,
        period: 'monthly',
        limit: '900',
        remainingAmount: '779.5',
        hoursUntilReset: expect.stringMatching(/^\d+$/),
      },
    ]);
    const single = {
      subject: 'project',
      kind: 'offramp',
      period: 'single',
      limit: '250',
      used: '0',
      remainingAmount: '250',
      hoursUntilReset: '0',
    };
    expect(await read('userLocator=email:reader@example.com&kind=offramp&rail=wire')).toMatchObject(
      [
        single,
        {
          subject: 'user',
          method: 'wire',
          period: 'daily',
          limit: '1000',
          used: '0',
          remainingAmount: '1000',
        },
      ],
    );
    // What an order of this token counts against, whoever makes it.
    const volume = {
      subject: 'token',
      token: 'usdc',
      period: 'daily',
      limit: '10000',
      used: '120.5',
      remainingAmount: '9879.5',
    };
    expect(await read('token=USDC')).toMatchObject([{ ...volume, hoursUntilReset: hours }, single]);
    expect(await read('token=eth')).toMatchObject([single]);
    // Of the project alone, of every kind; of somebody whom nobody knows.
    expect(await read('')).toMatchObject([single]);
    expect(await read('userLocator=userId:nobody&kind=onramp')).toMatchObject([
      { used: '0', remainingAmount: '500' },
      { used: '0' },
    ]);
    stack.advanceClock(24 * 60 * 60_000);
    expect((await read('userLocator=email:reader@example.com&kind=onramp'))[0]).toMatchObject({
      used: '0',
      remainingAmount: '500',
    });
    const refusedRead = (query: string, key?: string) =>
      refused(
        stack.call('GET', `/unstable/orders/limits?${query}`, key === undefined ? {} : { key }),
      );
    expect(await refusedRead('kind=loan')).toEqual([400, 'validation-error']);
    expect(await refusedRead('userLocator=somebody')).toEqual([400, 'invalid-locator']);
    expect(await refusedRead('', stack.api.clientKey)).toEqual([403, 'forbidden']);
  });

  it('hold for whoever buys for the first time, also for 50 orders at once', {
    tags: 'slow',
  }, async () => {
    await settings({ limits: [{ subject: 'user', kind: 'onramp', dailyUsd: '500' }] });
    const buyNew = () =>
      create(
        onramp({
          recipient: undefined,
          payment: { method: 'card', receiptEmail: 'new@example.com' },
        }),
      );
    const answers = await Promise.all(Array.from({ length: 50 }, buyNew));
    const statuses = answers.map(({ status, body }) => (status === 201 ? 201 : body.code));
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(new Set(statuses)).toEqual(new Set([201, 'daily_transaction_exceeded']));
  });

  it('are given back when an order ends unpaid, but not while a late deposit could still pay it', async () => {
    await settings({ limits: [{ subject: 'project', dailyUsd: '500' }] });
    // The day of the limits must not end in the middle of the test.
    stack.advanceClock(untilNoon());
    const left = async () => {
      const { body } = await stack.call(
        'GET',
        '/unstable/orders/limits?userLocator=email:limited@example.com&kind=offramp',
      );
      return Number(body.data[0].remainingAmount);
    };
    const expire = (id: string) =>
      stack.ctx.store.transaction(async (tx) =>
        changeOrder(stack.ctx, tx, (await lockOrder(tx, { by: 'id', id }))!, { event: 'expired' }),
      );
    const before = await left();
    const card = await created(onramp());
    const deposit = await created();
    expect(await left()).toBe(before - 200);
    await expire(card.id);
    await expire(deposit.id);
    expect(await left()).toBe(before - 100);
    stack.advanceClock(100 * 60_000);
    await releaseExpiredLimits(stack.ctx);
    expect(await left()).toBe(before - 100);
    stack.advanceClock(40 * 60_000);
    await releaseExpiredLimits(stack.ctx);
    expect(await left()).toBe(before);
  });

  /** What is left of a limit of the project, after its day has begun anew. */
  async function aProjectLimit(): Promise<() => Promise<number>> {
    await settings({ limits: [{ subject: 'project', dailyUsd: '500' }] });
    stack.advanceClock(untilNoon());
    return async () => {
      const { body } = await stack.call('GET', '/unstable/orders/limits?kind=offramp');
      return Number(body.data[0].remainingAmount);
    };
  }

  it('are given back when an operator closes an order that nobody has paid, and kept when money had come', async () => {
    const left = await aProjectLimit();
    const close = async (id: string, facts: Parameters<OrdersWorld['putInto']>[2]) => {
      await world.putInto(id, 'needs_operator', facts);
      await resolveByClosing(stack.ctx, {
        projectId: stack.api.projectId,
        orderId: id,
        note: 'settled by hand',
      });
    };
    const [unpaid, unpaidCard, paid] = [await created(), await created(onramp()), await created()];
    expect(await left()).toBe(200);
    await close(paid.id, { received: { currency: 'usdc', decimals: 6, amountMinor: '100000000' } });
    expect(await left()).toBe(200);
    await close(unpaid.id, {});
    expect(await left()).toBe(300);
    await close(unpaidCard.id, {});
    expect(await left()).toBe(400);
  });

  it('are counted again, above the limit too, when an operator lets an order go on that had given them back', async () => {
    const left = await aProjectLimit();
    const { id } = await created(onramp());
    await stack.ctx.store.transaction(async (tx) =>
      changeOrder(stack.ctx, tx, (await lockOrder(tx, { by: 'id', id }))!, { event: 'expired' }),
    );
    expect(await left()).toBe(500);
    await settings({ limits: [{ subject: 'project', dailyUsd: '50' }] });
    // Its payment could not be released: the acquirer says that the money was taken.
    await world.putInto(id, 'needs_operator');
    const decision = { projectId: stack.api.projectId, orderId: id, note: 'the money is there' };
    await resolveByContinuing(stack.ctx, decision);
    await settings({ limits: [{ subject: 'project', dailyUsd: '500' }] });
    expect(await left()).toBe(400);
    await world.putInto(id, 'needs_operator');
    await resolveByContinuing(stack.ctx, decision);
    expect(await left()).toBe(400);
  });

  it('are given back at once for all orders that have expired, however many there are', {
    tags: 'slow',
  }, async () => {
    const left = await aProjectLimit();
    const { id } = await created();
    await world.putInto(id, 'quote_expired');
    await stack.ctx.store.transaction(async (tx) => {
      const { memo: _, ...order } = (await lockOrder(tx, { by: 'id', id }))!;
      const ids = Array.from({ length: 210 }, () => randomUUID());
      for (const one of ids) await insertOrder(tx, { ...order, id: one });
      await tx.query({
        text: `insert into order_limit_uses (id, counter_id, order_id, project_id, subject, period, cents, version, at)
          select gen_random_uuid(), u.counter_id, c.id, u.project_id, u.subject, u.period, 0, 1000 + c.nr, u.at
          from unnest($2::uuid[]) with ordinality as c(id, nr), order_limit_uses u where u.order_id = $1`,
        values: [id, ids],
      });
      await tx.query({
        text: `update order_limit_usage set version = 2000, mac = null where id in (select counter_id from order_limit_uses where order_id = $1)`,
        values: [id],
      });
    });
    await sealRows(stack.ctx.store, sealedLimitUses);
    await sealRows(stack.ctx.store, sealedLimitUsage);
    stack.advanceClock(140 * 60_000);
    expect(await releaseExpiredLimits(stack.ctx)).toBe(211);
    expect(await left()).toBe(500);
  });

  it('that an order took anew are not given back by the worker that saw it expired just before', async () => {
    const left = await aProjectLimit();
    const { id } = await created(world.checkout());
    const worth = 500 - (await left());
    expect(worth).toBeGreaterThan(0);
    await stack.ctx.store.transaction(async (tx) =>
      changeOrder(stack.ctx, tx, (await lockOrder(tx, { by: 'id', id }))!, { event: 'expired' }),
    );
    stack.advanceClock(140 * 60_000);
    const { store, clock } = stack.ctx;
    const renewedMeanwhile: typeof store = {
      ...store,
      query: async (statement) => {
        const found = await store.query(statement);
        const { payment } = world.checkout();
        expect(
          (await stack.call('PATCH', `/2022-06-09/orders/${id}`, { body: { payment } })).status,
        ).toBe(200);
        return found as never;
      },
    };
    expect(await releaseExpiredLimits({ store: renewedMeanwhile, clock })).toBe(1);
    expect(await left()).toBe(500 - worth);
  });

  it('of the volume of tokens hold for each token that an order moves, the one that is paid and the one that is bought', async () => {
    await settings({ tokenDailyUsd: { usdc: '10000', ETH: '30' } });
    stack.advanceClock(untilNoon());
    // Pays USDC for a hundredth of an ether, worth more than US$25.
    expect((await create(world.checkout())).status).toBe(201);
    expect(await refused(create(world.checkout()))).toEqual([
      400,
      'limits:token-daily-volume.exceeded',
    ]);
    const used = async (token: string) =>
      (await stack.call('GET', `/unstable/orders/limits?token=${token}`)).body.data[0]?.used;
    expect(await used('eth')).toBe(await used('usdc'));
  });
});
