import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { OrderState } from '../state/machine.ts';
import { publicStatusOf } from '../state/public-status.ts';
import { insertOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { selectVolumeUsd } from './volume.ts';

let database: TestDatabase;
let userId: string;
const projectId = randomUUID();
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());
beforeEach(() => {
  userId = randomUUID();
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 12, minute));

/** An order of US$900, made and priced at these minutes. */
async function anOrder(
  state: OrderState,
  {
    made,
    quoted = made,
    facts = {},
    before = 'quoted',
    delivery,
  }: {
    made: number;
    quoted?: number;
    facts?: OrderRecord['facts'];
    before?: OrderState;
    delivery?: OrderRecord['publicStatus']['delivery'];
  },
): Promise<OrderRecord> {
  const order: OrderRecord = {
    id: randomUUID(),
    projectId,
    kind: 'checkout',
    state,
    publicStatus: {
      ...publicStatusOf(state, publicStatusOf(before, undefined)),
      ...(delivery && { delivery }),
    },
    userId,
    clientSecretHash: Buffer.alloc(32),
    request: {
      locale: 'en-US',
      payment: { method: 'base', currency: 'usdc' },
      recipient: {},
      lineItem: { tokenLocator: 'base:eth', mode: 'exact-in', amount: '900' },
    },
    facts: { amountUsd: '900', ...facts },
    quotedAt: at(quoted),
    quoteExpiresAt: at(quoted + 10),
    version: 1,
    createdAt: at(made),
    updatedAt: at(quoted),
  };
  await database.store.transaction((tx) => insertOrder(tx, order));
  return order;
}

const volumeOf = (order: OrderRecord) =>
  selectVolumeUsd(database.store, {
    projectId,
    userId,
    order,
    amountUsd: '900',
    since: at(-60),
  }).then(Number);

it('of several orders at once the first is the one that fits, although none of them may be paid yet', async () => {
  const [first, second, third] = [
    await anOrder('quoted', { made: 0 }),
    await anOrder('quoted', { made: 1 }),
    await anOrder('quoted', { made: 2 }),
  ];
  expect([await volumeOf(first), await volumeOf(second), await volumeOf(third)]).toEqual([
    900, 1_800, 2_700,
  ]);
});

it('of several orders at once the one that is stored last does not pass unseen because it was priced first', async () => {
  const second = await anOrder('quoted', { made: 1 });
  expect(await volumeOf(second)).toBe(900);
  const first = await anOrder('quoted', { made: 0 });
  expect([await volumeOf(first), await volumeOf(second), await volumeOf(first)]).toEqual([
    1_800, 900, 1_800,
  ]);
});

it('ten orders that are looked at in the same moment count one another, each once', async () => {
  const orders = await Promise.all(
    Array.from({ length: 10 }, (_, nr) => anOrder('quoted', { made: 10 - nr })),
  );
  const volumes = await Promise.all(orders.map(volumeOf));
  expect(volumes.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, nr) => 900 * (nr + 1)),
  );
});

it('an order whose price is made anew counts those that were made after it and can be paid, or are paid', async () => {
  const renewed = await anOrder('quoted', { made: 0, quoted: 20 });
  await anOrder('awaiting_deposit', { made: 5 });
  await anOrder('delivered', { made: 6 });
  expect(await volumeOf(renewed)).toBe(2_700);
});

it('an order that has passed is not stopped by those that were priced after it: they counted it', async () => {
  const passed = await anOrder('deposit_final', { made: 5 });
  await anOrder('awaiting_deposit', { made: 6 });
  expect(await volumeOf(passed)).toBe(900);
  await anOrder('awaiting_deposit', { made: 0 });
  await anOrder('awaiting_deposit', { made: 0, quoted: 8 });
  expect(await volumeOf(passed)).toBe(1_800);
});

it('an order of which a part was delivered counts, although the rest was paid back', async () => {
  await anOrder('refunded', { made: 0, before: 'delivering', delivery: 'partial-delivery' });
  expect(await volumeOf(await anOrder('quoted', { made: 5 }))).toBe(1_800);
});

it('an order that was renewed later does not count for one that is looked at before it', async () => {
  await anOrder('quoted', { made: 0, quoted: 20 });
  expect(await volumeOf(await anOrder('quoted', { made: 5 }))).toBe(900);
});

it('what nobody paid and nobody can pay any more does not count, nor what was closed unpaid', async () => {
  for (const state of ['quote_expired', 'payer_needed', 'payment_failed', 'refunded'] as const)
    await anOrder(state, { made: 0 });
  await anOrder('closed', { made: 1, before: 'deposit_seen' });
  const order = await anOrder('quoted', { made: 5 });
  expect(await volumeOf(order)).toBe(900);
  const received = { currency: 'usdc', decimals: 6, amountMinor: '900000000' };
  await anOrder('closed', { made: 2, before: 'deposit_final', facts: { received } });
  expect(await volumeOf(order)).toBe(1_800);
});
