import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import { wakeOrRestartFlow } from '../../../../jobs/index.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { payoutsCommand } from '../../../../vault/commands/payouts.ts';
import { createPayouts } from '../../../../vault/payouts/service.ts';
import { setProductEnabled } from '../../../identity/index.ts';
import { selectTransfersOfSubject } from '../../../treasury/index.ts';
import { orderRefundFlow } from '../../index.ts';
import { selectHeldDeposits } from '../../legs/deposit/store.ts';
import { payoutOf } from '../../legs/payout/fact.ts';
import { decideRefundRequest, type RefundDecision } from '../../legs/refund/requests.ts';
import { selectRefundsOfOrder } from '../../legs/refund/store.ts';
import { releaseExpiredLimits } from '../../limits/release-limits.ts';
import { assignHeldDeposit } from '../../operator/deposits.ts';
import { resolveByRefund } from '../../operator/operator.ts';
import { selectMoves } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OfframpWorld, startOfframpWorld } from '../../testing/offramp-kit.ts';
import { acceptPolicy, accountBalance } from '../../testing/onramp-kit.ts';

/** What comes after everybody has stopped waiting for it. */

let world: OfframpWorld;
beforeAll(async () => {
  world = await startOfframpWorld();
}, 180_000);
afterAll(() => world?.close());
afterEach(async () => {
  await world.settings({});
  await expectLedgerBalanced(world.stack.ctx.store);
});

const minute = 60_000;
const day = 24 * 60 * minute;
const events = async (id: string) =>
  (await selectMoves(world.stack.ctx.store, id)).map(({ event }) => event);
const returnedFunds = () => accountBalance(world.stack, 'suspense:returned', 'usd');

async function flowOf(id: string): Promise<string | undefined> {
  const { rows } = await world.stack.ctx.store.query<{ status: string }>({
    text: `select status from flows where kind = 'order-offramp' and key = $1`,
    values: [id],
  });
  return rows[0]?.status;
}

/** An order whose payout is final, and whose flow has ended since nobody expects news any more. */
async function aForgotten(): Promise<OrderRecord> {
  const order = await world.order({ rail: 'rtp' });
  await (await world.deposit({ memo: order.memo, amountMinor: 100_000_000n })).finalize();
  await world.submitted(order.id);
  await world.stack.advance(minute);
  await world.until(order.id, 'payout_final');
  await world.stack.advance(181 * day);
  await eventually(
    'nobody waits for it any more',
    async () => (await flowOf(order.id)) !== 'active',
  );
  return world.read(order.id);
}

/** The bank's desk has told that the money came back, and the vault's operator writes it down. */
async function comesBack(order: OrderRecord): Promise<void> {
  const { ctx, config } = world.stack.vault!;
  const { ctx: payouts } = createPayouts(ctx, config.payouts);
  const argv = ['mark', payoutOf(order)!.id, 'returned', '--code', 'R06', '--yes'];
  await payoutsCommand(async () => payouts, { argv, print: () => undefined });
}

it('a return after the order’s flow has ended starts it again: reversed in the ledger, and what came back goes to the payer', async () => {
  const before = await returnedFunds();
  const order = await aForgotten();
  await comesBack(order);
  await world.until(order.id, 'refunded');
  // 100 less 1 % and $0.25 were paid out.
  expect(await world.refunds(order.id)).toEqual(['order final 98750000']);
  expect((await events(order.id)).filter((event) => event === 'payout-returned')).toHaveLength(1);
  expect(await world.view(order.id)).toMatchObject({
    phase: 'completed',
    payment: { status: 'refunded', refunded: { amount: '98.75', currency: 'usdxm' } },
    lineItems: [{ delivery: { status: 'failed' } }],
  });
  expect(await returnedFunds()).toBe(before);
  await world.expectCleared(order.id);
}, 90_000);

it('a return after the order’s flow has ended is the operator’s where the project wants that', {
  tags: 'slow',
  timeout: 90_000,
}, async () => {
  await world.settings({ onPayoutReturned: 'operator' });
  const before = await returnedFunds();
  const order = await aForgotten();
  await comesBack(order);
  const waiting = await world.until(order.id, 'needs_operator');
  expect(waiting.attention).toBe('the bank returned the payout: R06');
  expect([await world.refunds(order.id), await returnedFunds()]).toEqual([[], before - 9_875n]);
  await resolveByRefund(world.stack.ctx, {
    projectId: world.projectId,
    orderId: order.id,
    note: 'looked at',
  });
  await world.until(order.id, 'refunded');
  expect(await world.refunds(order.id)).toEqual(['order final 98750000']);
  expect(await returnedFunds()).toBe(before);
  await world.expectCleared(order.id);
});

it('a refund that was asked for is answered by the return; one that was agreed to be paid by hand makes the return the operator’s', {
  tags: 'slow',
  timeout: 90_000,
}, async () => {
  const path = (order: OrderRecord) => `/unstable/orders/${order.id}/refunds`;
  const statusOf = async (order: OrderRecord) =>
    (await world.stack.call('GET', path(order))).body[0].status;
  const decide = (order: OrderRecord, decision: RefundDecision) =>
    decideRefundRequest(world.stack.ctx, {
      projectId: world.projectId,
      orderId: order.id,
      decision,
      note: 'looked at',
    });
  const asked = async () => {
    const order = await world.order({ rail: 'rtp' });
    await (await world.deposit({ memo: order.memo, amountMinor: 100_000_000n })).finalize();
    await world.submitted(order.id);
    await world.stack.advance(minute);
    const final = await world.until(order.id, 'payout_final');
    const answer = await world.stack.call('POST', path(order), {
      body: { lineItem: 0, reason: 'wrong account' },
    });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return final;
  };
  const open = await asked();
  await comesBack(open);
  await world.until(open.id, 'refunded');
  expect(await statusOf(open)).toBe('refund-request-completed');
  await expect(decide(open, 'accepted')).rejects.toMatchObject({ code: 'refund-not-allowed' });

  const agreed = await asked();
  await decide(agreed, 'accepted');
  await comesBack(agreed);
  const waiting = await world.until(agreed.id, 'needs_operator');
  expect(waiting.attention).toContain('a refund by hand was agreed');
  expect([await world.refunds(agreed.id), await statusOf(agreed)]).toEqual([
    [],
    'refund-request-accepted',
  ]);
  await resolveByRefund(world.stack.ctx, {
    projectId: world.projectId,
    orderId: agreed.id,
    note: 'nothing was sent by hand',
  });
  await world.until(agreed.id, 'refunded');
  expect(await statusOf(agreed)).toBe('refund-request-completed');
  expect(await world.refunds(agreed.id)).toEqual(['order final 98750000']);
});

it('an identity check that outlives the quote has the order priced anew, with the memo that was given out', {
  tags: 'slow',
  timeout: 90_000,
}, async () => {
  const { stack, projectId, payer } = world;
  await setProductEnabled(stack.ctx, { projectId, enabled: true });
  await world.settings({ kycRequired: true });
  await acceptPolicy(stack, 'userId:alice');
  const answer = await stack.call('POST', '/2022-06-09/orders', {
    body: {
      recipient: { paymentMethodId: await world.account() },
      payment: {
        method: 'base-sepolia',
        currency: 'usdxm',
        payerAddress: payer,
        receiptEmail: 'alice@example.com',
      },
      lineItems: {
        currencyLocator: 'fiat:usd',
        executionParameters: { mode: 'exact-in', amount: '100' },
      },
    },
  });
  expect([answer.status, answer.body.order?.payment?.status]).toEqual([201, 'requires-kyc']);
  const { orderId: id, quote, payment } = answer.body.order;
  const { memo } = await world.read(id);
  // The quote ends, and prices change meanwhile.
  await stack.advance(30 * minute);
  await world.settings({ kycRequired: true, fees: [{ type: 'service', bps: 200 }] });
  expect((await world.read(id)).state).toBe('kyc_needed');
  await stack.ctx.providers.kyc!.sandbox!.submitPage(payment.preparation.kyc.inquiryId, {
    firstName: 'Alice',
    lastName: 'Miller',
    given: ['user-details'],
  });
  await eventually('the check has passed', async () => {
    // The company takes its time, and the order looks from time to time.
    await stack.advance(minute);
    return (await world.read(id)).state !== 'kyc_needed';
  });
  const ready = await world.until(id, 'awaiting_deposit');
  const view = await world.view(id);
  expect(new Date(view.quote.expiresAt).getTime()).toBeGreaterThan(
    new Date(quote.expiresAt).getTime() + 20 * minute,
  );
  expect([quote.totalPrice.amount, view.lineItems[0].quote.charges.unit.amount]).toEqual([
    '100',
    '98',
  ]);
  expect([ready.memo, view.payment.preparation.transactionParameters.memo]).toEqual([memo, memo]);
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: `select type from outbox where object = $1 and type = 'orders.quote.updated'`,
    values: [`order:${id}`],
  });
  expect(rows).toHaveLength(1);
  await (await world.deposit({ memo, amountMinor: 100_000_000n })).finalize();
  expect(payoutOf(await world.submitted(id))).toMatchObject({ amountMinor: '9800' });
  await stack.advance(7 * day);
  await world.until(id, 'payout_settled');
  await world.expectCleared(id);
  await setProductEnabled(stack.ctx, { projectId, enabled: false });
});

it('a deposit that an operator finds an order for, long after its quote, counts against the limits of today: above them it goes back', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { ctx } = world.stack;
  await world.settings({ limits: [{ subject: 'user', kind: 'offramp', dailyUsd: '150' }] });
  const order = await world.order();
  const told = await world.deposit({
    memo: order.memo,
    amountMinor: 100_000_000n,
    sender: `0x${'a'.repeat(39)}9`,
  });
  await told.finalize();
  await world.stack.advance(3 * 60 * minute);
  await world.until(order.id, 'quote_expired');
  await releaseExpiredLimits(ctx);
  // What the first did not use another one may.
  await world.order();
  const [held] = (
    await selectHeldDeposits(ctx.store, { projectId: world.projectId, limit: 500 })
  ).toReversed();
  await assignHeldDeposit(ctx, {
    projectId: world.projectId,
    depositId: held!.depositId,
    orderId: order.id,
    note: 'it is theirs',
  });
  const ended = await world.until(order.id, 'refunded', 'payout_submitted');
  expect([ended.state, ended.facts.failure?.message]).toEqual([
    'refunded',
    expect.stringContaining('above a limit'),
  ]);
  expect(await world.refunds(order.id)).toEqual(['order final 100000000']);
  await world.expectCleared(order.id);
});

it('a refund that was handed over by a process that died has no second transfer, though its deposit goes and comes again', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { store } = world.stack.ctx;
  const order = await world.order();
  await (await world.deposit({ memo: order.memo, amountMinor: 100_000_000n })).finalize();
  const second = await world.deposit({ memo: order.memo, amountMinor: 100_000_000n });
  await second.finalize();
  expect(await world.refunds(order.id)).toEqual(['second final 100000000']);
  const [refund] = await selectRefundsOfOrder(store, order.id);
  const isFlow = async (text: string, ...values: unknown[]) => {
    const found = await store.query({
      text: `select 1 from flows where kind = 'order-refund' and key = $1 and ${text}`,
      values: [refund!.id, ...values],
    });
    return found.rows.length > 0;
  };
  await eventually('its flow is over', () => isFlow(`status = 'done'`));
  // As it is left by a process that was killed between the hand-over and its record.
  await store.query({
    text: `update order_refunds set status = 'pending' where id = $1`,
    values: [refund!.id],
  });
  await second.retract();
  // Nothing is set aside for it meanwhile, and its flow looks at it.
  await wakeRefund(refund!.id);
  const soon = new Date(world.stack.ctx.clock.now().getTime() + 60_000);
  await eventually('it waits', () => isFlow(`step = 'watch' and run_at > $2`, soon));
  await second.again();
  await second.finalize();
  await wakeRefund(refund!.id);
  await eventually(
    'it is known to be sent',
    async () => (await selectRefundsOfOrder(store, order.id))[0]?.status === 'sent',
  );
  expect(await selectTransfersOfSubject(store, `refund:${refund!.id}`)).toHaveLength(1);
});

const wakeRefund = (refundId: string) =>
  world.stack.ctx.store.transaction((tx) =>
    wakeOrRestartFlow(world.stack.ctx, tx, orderRefundFlow, {
      projectId: world.projectId,
      key: refundId,
      state: { refundId },
    }),
  );
