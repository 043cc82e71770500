import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import type { ServiceError } from '../../lib/errors.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createStore } from '../../store/pool.ts';
import { createRowMacs, rowMacMetrics } from '../../store/row-mac.ts';
import { withSavepoint } from '../../store/tx.ts';
import type { Store } from '../../store/types.ts';
import {
  type ClaimLimitsInput,
  claimLimits,
  pruneLimits,
  readLimits,
  releaseLimits,
} from './order-limits.ts';
import type { LimitRule } from './rules.ts';

const ring = [{ id: 'test', key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) }];
/** A process of its own, that remembers nothing of what others have seen. */
const anotherProcess = (applicationName: string): Store => {
  const rowMacs = createRowMacs(ring, pino({ level: 'silent' }));
  return createStore({ url: database.url, poolSize: 5, applicationName, rowMacs });
};
let database: TestDatabase;
let clock: ReturnType<typeof createManualClock>;
let projectId: string;
const pools: Store[] = [];
beforeAll(async () => {
  database = await startTestDatabase({ keyEncryptionKeys: ring });
  for (let nr = 0; nr < 4; nr++) pools.push(anotherProcess(`limits-${nr}`));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await database?.close();
});
beforeEach(() => {
  clock = createManualClock(new Date('2026-01-15T12:00:00Z'));
  projectId = randomUUID();
});

const daily: LimitRule = { subject: 'user', kind: 'onramp', dailyUsd: '2000' };

function anOrder(over: Partial<ClaimLimitsInput> = {}): ClaimLimitsInput {
  return {
    orderId: randomUUID(),
    projectId,
    kind: 'onramp',
    methods: ['card'],
    level: 'none',
    userId: 'alice',
    amountUsdMinor: 100_000n,
    rules: [daily],
    ...over,
  };
}

const take = (order: ClaimLimitsInput, store: Store = database.store) =>
  store.transaction((tx) => claimLimits({ clock, ids: systemIds }, tx, order));
const refusal = (order: ClaimLimitsInput): Promise<ServiceError> =>
  take(order).then(
    () => Promise.reject(new Error('the order was taken')),
    (error: ServiceError) => error,
  );

describe('limits of orders', () => {
  it('what is above the limit of a day is refused with what is left and when it resets, all as strings', async () => {
    await take(anOrder({ amountUsdMinor: 150_050n }));
    const error = await refusal(anOrder({ amountUsdMinor: 50_000n }));
    expect(error.code).toBe('daily_transaction_exceeded');
    expect(error.details).toEqual({
      parameters: { amount: '500', limit: '2000', hoursUntilReset: '17', remainingAmount: '499.5' },
    });
    await take(anOrder({ amountUsdMinor: 49_950n }));
  });

  it('an order that is too large by itself is refused without counting', async () => {
    const rules: LimitRule[] = [{ subject: 'user', singleUsd: '500', dailyUsd: '500' }];
    const error = await refusal(anOrder({ rules, amountUsdMinor: 50_001n }));
    expect([error.code, error.details]).toEqual([
      'single_purchase_exceeded',
      {
        parameters: {
          amount: '500.01',
          limit: '500',
          hoursUntilReset: '0',
          remainingAmount: '500',
        },
      },
    ]);
    await take(anOrder({ rules, amountUsdMinor: 50_000n }));
  });

  it('an order of more digits than a counter holds is refused like any that is too large', async () => {
    const amountUsdMinor = 10n ** 60n;
    await take(anOrder({ amountUsdMinor: 150_000n }));
    const error = await refusal(anOrder({ amountUsdMinor }));
    expect(error.code).toBe('daily_transaction_exceeded');
    expect(error.details.parameters).toMatchObject({
      amount: `1${'0'.repeat(58)}`,
      limit: '2000',
      remainingAmount: '500',
    });
    const tokens = [{ symbol: 'usdc', dailyUsd: '1000' }];
    expect((await refusal(anOrder({ rules: [], tokens, amountUsdMinor }))).code).toBe(
      'limits:token-daily-volume.exceeded',
    );
  });

  it('a month counts its days together, and both begin anew', async () => {
    const rules: LimitRule[] = [{ subject: 'user', dailyUsd: '1000', monthlyUsd: '1500' }];
    await take(anOrder({ rules }));
    expect((await refusal(anOrder({ rules }))).code).toBe('daily_transaction_exceeded');
    clock.set(new Date('2026-01-16T05:00:00Z'));
    const error = await refusal(anOrder({ rules }));
    expect(error.code).toBe('monthly_transaction_exceeded');
    expect(error.details.parameters).toMatchObject({
      remainingAmount: '500',
      hoursUntilReset: '384',
    });
    clock.set(new Date('2026-02-01T05:00:00Z'));
    await take(anOrder({ rules }));
  });

  it('users have their own, a project has one for all', async () => {
    const rules: LimitRule[] = [daily, { subject: 'project', dailyUsd: '2500' }];
    await take(anOrder({ rules }));
    await take(anOrder({ rules, userId: 'bob' }));
    expect((await refusal(anOrder({ rules, userId: 'carol' }))).details.parameters).toMatchObject({
      limit: '2500',
      remainingAmount: '500',
    });
    await take(anOrder({ rules, userId: 'carol', projectId: randomUUID() }));
  });

  it('a rule of a rail counts what goes over that rail', async () => {
    const rules: LimitRule[] = [{ subject: 'user', method: 'wire', dailyUsd: '1000' }];
    const wire = { rules, kind: 'offramp' as const, methods: ['base', 'wire'] };
    await take(anOrder({ ...wire, methods: ['base', 'ach'] }));
    await take(anOrder(wire));
    expect((await refusal(anOrder(wire))).code).toBe('daily_transaction_exceeded');
    await take(anOrder({ ...wire, methods: ['base', 'ach'] }));
  });

  it('whoever is verified further may do more, and what was used before counts', async () => {
    const rules: LimitRule[] = [
      { subject: 'user', level: 'light', dailyUsd: '1000' },
      { subject: 'user', level: 'full', dailyUsd: '3000' },
    ];
    await take(anOrder({ rules, level: 'light' }));
    expect((await refusal(anOrder({ rules, level: 'light' }))).code).toBe(
      'daily_transaction_exceeded',
    );
    expect((await refusal(anOrder({ rules, level: 'none' }))).code).toBe(
      'daily_transaction_exceeded',
    );
    await take(anOrder({ rules, level: 'full', amountUsdMinor: 200_000n }));
    expect((await refusal(anOrder({ rules, level: 'full', amountUsdMinor: 1n }))).code).toBe(
      'daily_transaction_exceeded',
    );
  });

  it('the volume of a token in a day has a code of its own', async () => {
    const tokens = [{ symbol: 'usdc', dailyUsd: '1000' }];
    await take(anOrder({ tokens }));
    expect((await refusal(anOrder({ tokens, userId: 'bob', amountUsdMinor: 1n }))).code).toBe(
      'limits:token-daily-volume.exceeded',
    );
    await take(anOrder({ userId: 'bob' }));
  });

  it('what an order took is given back once', async () => {
    const [first, second] = [anOrder(), anOrder()];
    await take(first);
    await take(second);
    for (let time = 0; time < 2; time++)
      await database.store.transaction((tx) => releaseLimits({ clock }, tx, first.orderId));
    expect((await refusal(anOrder({ amountUsdMinor: 100_001n }))).details.parameters).toMatchObject(
      { remainingAmount: '1000' },
    );
    await take(anOrder());
  });

  it('50 orders at once from several processes pass no more than the limit together', async () => {
    const rules: LimitRule[] = [
      daily,
      { subject: 'project', monthlyUsd: '100000' },
      { subject: 'user', method: 'card', dailyUsd: '5000' },
    ];
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, nr) =>
        take(anOrder({ rules, amountUsdMinor: 30_000n }), pools[nr % pools.length]!),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as ServiceError).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['daily_transaction_exceeded']));
    const views = await readLimits({ clock }, database.store, anOrder({ rules }));
    expect(
      views.map(({ period, used, remainingAmount }) => [period, used, remainingAmount]),
    ).toEqual([
      ['daily', '1800', '200'],
      ['monthly', '1800', '98200'],
      ['daily', '1800', '3200'],
    ]);
  });

  it('orders that take and give back at once neither block each other nor lose a cent', async () => {
    const rules: LimitRule[] = [
      { subject: 'user', dailyUsd: '1000000' },
      { subject: 'project', dailyUsd: '1000000' },
      { subject: 'user', method: 'card', monthlyUsd: '1000000' },
    ];
    const orders = Array.from({ length: 40 }, () => anOrder({ rules, amountUsdMinor: 100n }));
    await Promise.all(
      orders.map(async (order, nr) => {
        const store = pools[nr % pools.length]!;
        await take(order, store);
        if (nr % 2 === 0)
          await store.transaction((tx) => releaseLimits({ clock }, tx, order.orderId));
      }),
    );
    const views = await readLimits({ clock }, database.store, anOrder({ rules }));
    expect(views.map(({ used }) => used)).toEqual(['20', '20', '20']);
  });

  it('counters of periods that are long over are forgotten', async () => {
    await take(anOrder());
    // A day of a busy service: what one run left would only ever grow.
    await database.store.query({
      text: `insert into order_limit_uses (id, counter_id, order_id, project_id, subject, period, cents, version, at)
        select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, 'project/*/*', 'd2026-01-15', 1, 1, $2 from generate_series(1, 12000)`,
      values: [projectId, clock.now()],
    });
    clock.set(new Date('2026-06-01T12:00:00Z'));
    await pruneLimits({ store: database.store, clock });
    for (const table of ['order_limit_usage', 'order_limit_uses']) {
      const { rows } = await database.store.query({
        text: `select 1 from ${table} where project_id = $1`,
        values: [projectId],
      });
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});

describe('somebody who writes the database', () => {
  const full = () => anOrder({ amountUsdMinor: 200_000n });
  const sql = (text: string, ...values: unknown[]) => database.store.query({ text, values });
  const usage = 'order_limit_usage where project_id = $1';

  it.each([
    ['lowers what was used', `update order_limit_usage set used_cents = 0 where project_id = $1`],
    [
      'lowers it and takes the seal away',
      `update order_limit_usage set used_cents = 0, mac = null where project_id = $1`,
    ],
    ['deletes the counter', `delete from ${usage}`],
  ])(
    'who %s takes no more than the limit: the next order is refused with an alarm',
    async (_, text) => {
      await take(full());
      await sql(text, projectId);
      const before = rowMacMetrics().changed;
      await expect(take(full())).rejects.toMatchObject({ code: 'internal-error' });
      expect(rowMacMetrics().changed).toBe(before + 1);
    },
  );

  it('who puts an earlier counter back, seal and all, takes no more than the limit', async () => {
    await take(anOrder({ amountUsdMinor: 1n }));
    await sql(
      `create table if not exists kept as select * from ${usage.replace('$1', `'${projectId}'`)}`,
    );
    await take(anOrder({ amountUsdMinor: 199_999n }));
    await sql(`delete from ${usage}`, projectId);
    await sql(`insert into order_limit_usage select * from kept`);
    await sql('drop table kept');
    await expect(take(full())).rejects.toMatchObject({
      code: 'internal-error',
      message: expect.stringContaining('order_limit_usage was changed'),
    });
    await expect(readLimits({ clock }, database.store, full())).rejects.toMatchObject({
      code: 'internal-error',
    });
  });

  it('who puts back what an order took, after it was given back, has it given back once', async () => {
    const [kept, given] = [anOrder(), anOrder()];
    await take(kept);
    await take(given);
    await sql('create table kept_uses as select * from order_limit_uses');
    const before = rowMacMetrics().changed;
    for (let time = 0; time < 3; time++) {
      await database.store.transaction((tx) => releaseLimits({ clock }, tx, given.orderId));
      await sql('insert into order_limit_uses select * from kept_uses on conflict do nothing');
    }
    await sql('drop table kept_uses');
    expect(rowMacMetrics().changed).toBe(before + 2);
    const [view] = await readLimits({ clock }, database.store, kept);
    expect(view).toMatchObject({ used: '1000' });
  });

  it('who has a counter begin anew has nothing given back to it that was taken of the one before, and no order fails for it', async () => {
    const [old, small] = [anOrder({ amountUsdMinor: 150_000n }), anOrder({ amountUsdMinor: 1n })];
    await take(old);
    await sql(`delete from ${usage}`, projectId);
    // Nobody remembers the one before.
    const fresh = anotherProcess('limits-fresh');
    pools.push(fresh);
    await take(small, fresh);
    await take(anOrder({ amountUsdMinor: 160_000n }), fresh);
    const before = rowMacMetrics().changed;
    await fresh.transaction((tx) => releaseLimits({ clock }, tx, old.orderId));
    expect(rowMacMetrics().changed).toBe(before + 1);
    await fresh.transaction((tx) => releaseLimits({ clock }, tx, small.orderId));
    expect(await readLimits({ clock }, fresh, old)).toMatchObject([{ used: '1600' }]);
  });

  it('who puts a counter back as it was before an order took of it has no order fail that gives back', async () => {
    const [first, second] = [anOrder({ amountUsdMinor: 1n }), anOrder()];
    await take(first);
    const kept = `kept_${projectId.slice(0, 8)}`;
    await sql(`create table ${kept} as select * from ${usage.replace('$1', `'${projectId}'`)}`);
    await take(second);
    await sql(`delete from ${usage}`, projectId);
    await sql(`insert into order_limit_usage select * from ${kept}`);
    await sql(`drop table ${kept}`);
    const fresh = anotherProcess('limits-fresh');
    pools.push(fresh);
    const before = rowMacMetrics().changed;
    await fresh.transaction((tx) => releaseLimits({ clock }, tx, second.orderId));
    expect(rowMacMetrics().changed).toBe(before + 1);
    expect(await readLimits({ clock }, fresh, first)).toMatchObject([{ used: '0.01' }]);
  });

  it('who writes what an order took has nothing given back for it', async () => {
    await take(full());
    const fake = anOrder();
    await sql(
      `insert into order_limit_uses (id, counter_id, order_id, project_id, subject, period, cents, version, at, mac)
       select gen_random_uuid(), id, $2, project_id, subject, period, used_cents, version, updated_at, mac from ${usage}`,
      projectId,
      fake.orderId,
    );
    await database.store.transaction((tx) => releaseLimits({ clock }, tx, fake.orderId));
    const [view] = await readLimits({ clock }, database.store, fake);
    expect(view).toMatchObject({ used: '2000' });
  });

  it('what is rolled back to a savepoint is remembered by nobody', async () => {
    const order = anOrder();
    await take(order);
    await database.store.transaction((tx) =>
      withSavepoint(tx, 'undone', async (inner) => {
        await releaseLimits({ clock }, inner, order.orderId);
        throw new Error('undone');
      }).catch(() => undefined),
    );
    await take(anOrder());
    await expect(take(anOrder())).rejects.toMatchObject({ code: 'daily_transaction_exceeded' });
  });
});
