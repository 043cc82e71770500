/** @module-tag slow */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import type { Running } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { createWorker, type FlowDefinition, type Worker } from '../../../../jobs/index.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import type { Store } from '../../../../store/types.ts';
import { chainEntrances } from '../../../chain-entrances.ts';
import { selectTransfersOfSubject } from '../../../treasury/index.ts';
import { offrampFlow, orderRefundFlow, receivePayoutEvents } from '../../index.ts';
import { selectRefundsOfOrder } from '../../legs/refund/store.ts';
import { type OfframpWorld, startOfframpWorld } from '../../testing/offramp-kit.ts';

let world: OfframpWorld;
let chains: readonly Running[] = [];
beforeAll(async () => {
  world = await startOfframpWorld({
    run: async (ctx) => {
      chains = await Promise.all(
        ctx.chains.families.map((family) => family.run(chainEntrances(ctx, family))),
      );
    },
  });
}, 180_000);
afterAll(async () => {
  if (!world) return;
  await Promise.all(chains.map((one) => one.stop()));
  await expectLedgerBalanced(world.stack.ctx.store);
  await world.close();
});

const flows = [offrampFlow, orderRefundFlow] as unknown as readonly FlowDefinition<
  JsonObject,
  Ctx
>[];
const leaseMs = 400;

interface Life {
  /** Transactions until the end. */
  left: number;
  /** Whether the last one is committed, its answer lost. */
  readonly commits: boolean;
  dead: boolean;
}

/**
 * A service that stops for ever at a transaction, as a killed process does: what was open is rolled
 * back, what was answered is lost.
 */
function mortal(ctx: Ctx, life: Life): Ctx {
  const never = () => new Promise<never>(() => undefined);
  const store: Store = {
    ...ctx.store,
    query: (statement) => (life.dead ? never() : ctx.store.query(statement)),
    transaction: async (work) => {
      if (life.dead) return never();
      life.left -= 1;
      const isLast = life.left <= 0;
      if (isLast && !life.commits) life.dead = true;
      if (life.dead) return never();
      const result = await ctx.store.transaction(work);
      if (isLast) life.dead = true;
      return life.dead ? never() : result;
    },
  };
  return { ...ctx, store };
}

const workers: Worker[] = [];
function start(ctx: Ctx): Worker {
  const worker = createWorker(ctx, { flows, leaseMs, pollMs: 50, stopMs: 100 });
  workers.push(worker);
  worker.start();
  return worker;
}

async function payoutsOf(orderId: string): Promise<number> {
  const { rows } = await world.stack.vault!.store.query<{ count: number }>({
    text: 'select count(*)::int as count from payouts where object = $1',
    values: [`order:${orderId}`],
  });
  return rows[0]!.count;
}

/** More than an order ever takes: a busy machine looks more often before it has an answer. */
const transactionsMax = 60;

it('a worker that is killed at any of its transactions pays once and refunds once in the end', async () => {
  let finished = 0;
  // On from the first transaction, until a life was long enough for all of them.
  for (let at = 0; finished === 0 && at < 2 * transactionsMax; at += 1) {
    const [left, commits] = [Math.floor(at / 2) + 1, at % 2 === 1];
    const life: Life = { left, commits, dead: false };
    const order = await world.order({ rail: 'rtp' });
    const victim = start(mortal(world.stack.ctx, life));
    const told = await world.deposit({ memo: order.memo, amountMinor: 130_000_000n });
    await told.finalize();
    await expect
      .poll(async () => life.dead || (await isPaid(order.id)), { timeout: 60_000, interval: 20 })
      .toBe(true);
    if (!life.dead) finished += 1;
    const heir = start(world.stack.ctx);
    await expect.poll(() => isPaid(order.id), { timeout: 60_000, interval: 20 }).toBe(true);
    expect(await world.refunds(order.id)).toEqual(['excess final 30000000']);
    await expect
      .poll(
        async () => {
          await receivePayoutEvents(world.stack.ctx);
          return (await world.read(order.id)).facts.payout;
        },
        { timeout: 60_000, interval: 50 },
      )
      .toMatchObject({ submittedAt: expect.any(String) });
    const [refund] = await selectRefundsOfOrder(world.stack.ctx.store, order.id);
    expect([left, commits, await payoutsOf(order.id), await transfersOf(refund!.id)]).toEqual([
      left,
      commits,
      1,
      1,
    ]);
    life.dead = true;
    void victim.stop();
    await heir.stop();
  }
  // The kills reached to the end of the flow.
  expect(finished).toBeGreaterThan(0);
}, 400_000);

const transfersOf = async (refundId: string) =>
  (await selectTransfersOfSubject(world.stack.ctx.store, `refund:${refundId}`)).length;
async function isPaid(orderId: string): Promise<boolean> {
  const order = await world.read(orderId);
  const refunds = await selectRefundsOfOrder(world.stack.ctx.store, orderId);
  const payout = order.facts.payout as { status: string } | undefined;
  return payout?.status === 'held' && refunds.length === 1 && refunds[0]!.status === 'final';
}
