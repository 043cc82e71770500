import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { systemIds } from '../../../lib/id.ts';
import { move } from '../../../machine/machine.ts';
import { sweepMetrics, sweepOrders } from '../index.ts';
import {
  type OrderKind,
  type OrderState,
  orderKinds,
  orderMachineOf,
  orderStatesOf,
} from './machine.ts';
import { deadlineOf, stateRow } from './states.ts';
import { insertOrder, selectMoves, selectOrder } from './store.ts';
import type { OrderRecord } from './types.ts';

const day = 24 * 3_600_000;
const clock = createManualClock();
let database: TestDatabase;
let ctx: Parameters<typeof sweepOrders>[0];
beforeAll(async () => {
  database = await startTestDatabase();
  ctx = { store: database.store, clock, ids: systemIds, log: pino({ level: 'silent' }) };
});
afterAll(() => database?.close());

async function anOrder(kind: OrderKind, state: OrderState): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  const quoteExpiresAt = new Date(now.getTime() + 600_000);
  const deadlineAt = deadlineOf(state, { now, quoteExpiresAt });
  const order: OrderRecord = {
    id,
    projectId: randomUUID(),
    kind,
    state,
    publicStatus: {
      phase: 'payment',
      quote: 'valid',
      payment: 'awaiting-payment',
      delivery: 'awaiting-payment',
    },
    clientSecretHash: Buffer.alloc(32),
    request: {
      locale: 'en-US',
      payment: { method: 'card', currency: 'usd' },
      recipient: {},
      lineItem: { mode: 'exact-in', amount: '1' },
    },
    facts: {},
    quotedAt: now,
    quoteExpiresAt,
    ...(deadlineAt && { deadlineAt }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await database.store.transaction((tx) => insertOrder(tx, order));
  return id;
}
const read = async (id: string) => (await selectOrder(database.store, { by: 'id', id }))!;

const cases = orderKinds.flatMap((kind) => orderStatesOf(kind).map((state) => ({ kind, state })));

describe('of an order', () => {
  it.each(cases)(
    '$kind the state $state has an owner, and a limit unless it is an end',
    async ({ kind, state }) => {
      const rule = stateRow(state);
      expect(rule.owner).toEqual(expect.any(String));
      const goesOn = orderMachineOf(kind).transitions.some(({ from }) => from === state);
      const mayRest: readonly OrderState[] = [
        'quote_expired',
        'payout_final',
        'delivered',
        'payment_failed',
        'refunded',
      ];
      if (rule.limit === undefined) expect(goesOn && !mayRest.includes(state)).toBe(false);
      if (rule.atLimit !== undefined && rule.atLimit !== 'alarm')
        expect(() => move(orderMachineOf(kind), state, rule.atLimit as never)).not.toThrow();

      const id = await anOrder(kind, state);
      clock.advance(100 * day);
      await sweepOrders(ctx);
      const swept = await read(id);
      expect(
        swept.deadlineAt === undefined || swept.deadlineAt > clock.now() || swept.state !== state,
      ).toBe(true);
      // What the move led to has a limit of its own, and is held to it too.
      for (let turns = 0; turns < 5 && (await read(id)).deadlineAt; turns++) {
        clock.advance(100 * day);
        await sweepOrders(ctx);
      }
      const later = await read(id);
      expect(
        later.deadlineAt === undefined ||
          later.deadlineAt > clock.now() ||
          later.deadlineAt.getTime() === clock.now().getTime(),
      ).toBe(true);
      if (later.deadlineAt === undefined) expect(stateRow(later.state).limit).toBeUndefined();
      else
        expect([stateRow(later.state).atLimit, later.deadlineAt > clock.now()]).toEqual([
          'alarm',
          true,
        ]);
    },
  );

  it('that waits for its operator he is alarmed again and again, with its history', async () => {
    const id = await anOrder('offramp', 'on_hold');
    const before = sweepMetrics().alarms;
    for (let days = 0; days < 3; days++) {
      clock.advance(day + 1);
      await sweepOrders(ctx);
    }
    expect(sweepMetrics().alarms - before).toBeGreaterThanOrEqual(3);
    expect((await selectMoves(database.store, id)).map(({ event }) => event)).toEqual([
      'alarm',
      'alarm',
      'alarm',
    ]);
    expect((await read(id)).state).toBe('on_hold');
  });

  it('several processes that sweep at once move it once', async () => {
    const id = await anOrder('offramp', 'awaiting_deposit');
    clock.advance(3_600_000);
    await Promise.all([sweepOrders(ctx), sweepOrders(ctx), sweepOrders(ctx)]);
    expect((await selectMoves(database.store, id)).map(({ event }) => event)).toEqual(['expired']);
  });
});
