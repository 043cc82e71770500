import type { Ctx } from '../../../../context.ts';
import { postEntries } from '../../../../ledger/index.ts';
import type { CardRefund } from '../../../../providers/card/card.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import { requireCard } from '../../kinds/onramp/onramp.ts';
import { type OrderStepResult, orderEffect, sleepByAge } from '../../kinds/steps.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { needsOperator } from '../../state/states.ts';
import type { OrderAmount, OrderRecord } from '../../state/types.ts';
import { cardRefundEntry } from '../ledger.ts';
import { grantsOf } from '../refund/grants.ts';
import { isBooked, moneyFact, noteCapture, referenceOf } from './payment.ts';

const pollMsMax = 6 * 60 * 60_000;

interface RefundOutcome {
  readonly refundId: string;
  /** `disputed`: the acquirer was not asked. */
  readonly status: CardRefund['status'] | 'disputed';
}

/** Stores what is to go back, before the acquirer is asked: its id is the key of the refund. */
export async function openCardRefund(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  tx: Tx,
  order: OrderRecord,
): Promise<string> {
  const open = await selectOpenCardRefund(tx, order.id);
  if (open) return open;
  const id = ctx.ids.uuid();
  await insertCardRefund(tx, { id, order, money: order.terms!.pay, now: ctx.clock.now() });
  return id;
}

/** Gives all of a captured payment back. */
export const refundPayment = orderEffect<RefundOutcome>({
  turn: 'refund',
  async prepare(ctx, tx, order) {
    if (!isBooked(order)) return { goto: 'reconcile' };
    await openCardRefund(ctx, tx, order);
    return undefined;
  },
  async perform(ctx, order) {
    const card = requireCard(ctx);
    const refundId = (await selectOpenCardRefund(ctx.store, order.id))!;
    const reference = referenceOf(order);
    const known = await card.findRefund({ reference, refundId });
    if (known) return { refundId, status: known.status };
    const { amountMinor } = order.terms!.pay;
    // What somebody gave back at the acquirer's own desk must not go back twice.
    const { refundedMinor = 0n, disputedMinor = 0n } = (await card.findPayment(reference)) ?? {};
    if (refundedMinor >= amountMinor) return { refundId, status: 'succeeded' };
    // Nor what the payer's bank is taking back, or has.
    if (disputedMinor > 0n) return { refundId, status: 'disputed' };
    const reason = grantsOf(order).length > 0 ? 'requested' : 'delivery-failed';
    const refund = await card.refund({
      reference,
      refundId,
      amountMinor: amountMinor - refundedMinor,
      reason,
    });
    return { refundId, status: refund.status };
  },
  async record(ctx, tx, order, { refundId, status }) {
    const now = ctx.clock.now();
    if (status === 'pending') {
      await updateCardRefund(tx, { id: refundId, status: 'sent', now });
      return sleepByAge(ctx, order, { maxMs: pollMsMax });
    }
    if (status === 'disputed') {
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: { attention: disputed },
      });
      return { goto: 'look' };
    }
    if (status === 'failed') {
      await updateCardRefund(tx, {
        id: refundId,
        status: 'failed',
        error: 'the acquirer refused it',
        now,
      });
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: {
          attention:
            'The acquirer could not give the payment back: pay it back another way, or try again.',
        },
      });
      return { goto: 'look' };
    }
    await bookRefund(ctx, tx, order, refundId);
    return { goto: 'look' };
  },
});

/** The acquirer has given all back: the books say so, and the order has ended. */
async function bookRefund(ctx: Ctx, tx: Tx, order: OrderRecord, refundId: string): Promise<void> {
  const now = ctx.clock.now();
  await updateCardRefund(tx, { id: refundId, status: 'final', now });
  const { asset, amountMinor } = order.terms!.pay;
  const provider = requireCard(ctx).name;
  await postEntries(ctx, tx, [
    cardRefundEntry(order, { provider, refundId, money: { asset, amountMinor }, at: now }),
  ]);
  const isAnswered = needsOperator(order) && { set: { attention: undefined } };
  await changeOrder(ctx, tx, order, {
    event: 'refund-final',
    facts: { refunded: moneyFact(order) },
    ...isAnswered,
  });
}

type Seen = {
  readonly refundId?: string;
  readonly isRefunded: boolean;
  readonly capturedMinor: bigint;
};

/**
 * An order that stopped while the acquirer was at work, e.g. because its time was over, waits for
 * its operator; what the acquirer has done of it is booked all the same, as soon as that is known.
 * Nothing is asked for here.
 */
export const followStopped = orderEffect<Seen>({
  turn: 'news',
  async prepare(ctx, tx, order) {
    const isUnderWay = isBooked(order)
      ? (await selectOpenCardRefund(tx, order.id)) !== undefined
      : order.facts.captureKey !== undefined;
    return needsOperator(order) && isUnderWay ? undefined : lookLater(ctx);
  },
  async perform(ctx, order) {
    const card = requireCard(ctx);
    const reference = referenceOf(order);
    const payment = await card.findPayment(reference);
    const capturedMinor = payment?.status === 'captured' ? payment.capturedMinor : 0n;
    const refundId = await selectOpenCardRefund(ctx.store, order.id);
    if (refundId === undefined) return { isRefunded: false, capturedMinor };
    const refund = await card.findRefund({ reference, refundId });
    const isAllBack = (payment?.refundedMinor ?? 0n) >= order.terms!.pay.amountMinor;
    return {
      refundId,
      isRefunded: refund ? refund.status === 'succeeded' : isAllBack,
      capturedMinor,
    };
  },
  async record(ctx, tx, order, { refundId, isRefunded, capturedMinor }) {
    if (!needsOperator(order)) return { goto: 'look' };
    const isCaptured = isBooked(order) || capturedMinor === order.terms!.pay.amountMinor;
    const booked = isCaptured && !isBooked(order) ? await noteCapture(ctx, tx, order) : order;
    if (isCaptured && isRefunded && refundId !== undefined)
      await bookRefund(ctx, tx, booked, refundId);
    return lookLater(ctx);
  },
});

const hourMs = 60 * 60_000;

function lookLater(ctx: Pick<Ctx, 'clock'>): OrderStepResult {
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + hourMs) };
}

const disputed =
  'The payer’s bank is taking the payment back, or has (a dispute): it must not go back twice, also not another way. Won, it can be refunded.';

/**
 * A refund may fail after the acquirer said that it succeeded, e.g. where the account of the card
 * is closed: the payer has nothing then, and only the operator can see to it. @returns the order as
 * it is now
 */
export async function checkRefunded(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  refundedMinor: bigint,
): Promise<OrderRecord> {
  if (order.state !== 'refunded') return order;
  const missingMinor = order.terms!.pay.amountMinor - refundedMinor;
  const { refundGap } = order.facts;
  if (missingMinor <= 0n)
    return refundGap === undefined
      ? order
      : noteOrder(ctx, tx, order, { event: 'refund-there', facts: { refundGap: undefined } });
  if (refundGap === missingMinor.toString()) return order;
  ctx.log.error(
    { orderId: order.id, missingMinor },
    'a refund has failed after the acquirer said that it succeeded',
  );
  return noteOrder(ctx, tx, order, {
    event: 'refund-gone',
    facts: { refundGap: missingMinor.toString() },
    set: {
      attention: `The refund failed after all: ${missingMinor} of the payment is not back with its payer. See the acquirer's desk.`,
    },
  });
}

/** Refunds by the acquirer, in the table that refunds on a chain use too. */

async function insertCardRefund(
  tx: Tx,
  input: {
    readonly id: string;
    readonly order: OrderRecord;
    readonly money: OrderAmount;
    readonly now: Date;
  },
): Promise<void> {
  const { id, order, money, now } = input;
  await tx.query({
    name: 'card-refund-insert',
    text: `insert into order_refunds (id, order_id, project_id, via, reason, asset, decimals, amount_minor, status, created_at, updated_at)
      values ($1, $2, $3, 'card', 'order', $4, $5, $6, 'pending', $7, $7)`,
    values: [
      id,
      order.id,
      order.projectId,
      money.asset,
      money.decimals,
      money.amountMinor.toString(),
      now,
    ],
  });
}

/** The refund of an order that has not failed; there is at most one. */
export async function selectOpenCardRefund(db: Db, orderId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'card-refund-open',
    text: `select id from order_refunds where order_id = $1 and via = 'card' and status <> 'failed' limit 1`,
    values: [orderId],
  });
  return rows[0]?.id;
}

export async function updateCardRefund(
  tx: Tx,
  input: {
    readonly id: string;
    readonly status: 'sent' | 'final' | 'failed';
    readonly error?: string;
    readonly now: Date;
  },
): Promise<void> {
  await tx.query({
    name: 'card-refund-update',
    text: `update order_refunds set status = $2, error = coalesce($3, error), updated_at = $4 where id = $1 and via = 'card'`,
    values: [input.id, input.status, input.error ?? null, input.now],
  });
}
