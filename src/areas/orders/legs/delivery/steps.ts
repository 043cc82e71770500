import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import { selectTreasuryTransfer, type TreasuryTransfer } from '../../../treasury/index.ts';
import { type OrderStepResult, orderEffect, sleepByAge } from '../../kinds/steps.ts';
import { changeOrder, noteOrder, type OrderChange } from '../../state/change-order.ts';
import { undelivered } from '../../state/failures.ts';
import type { DeliveredToken, OrderRecord } from '../../state/types.ts';
import { holdDelivery, releaseCover, uncovered } from '../cover.ts';
import { isUnread, readArrived, shortfallOf } from './collectible.ts';
import {
  bookDelivery,
  bookGas,
  type DeliveryRefusal,
  isHopeless,
  leaveShort,
  sendDelivery,
} from './delivery.ts';
import { lastEventOf } from './released.ts';

/** What differs between the kinds of orders that deliver tokens. */
export interface DeliveryEnds {
  /** Leaves the step, e.g. while nobody has seen the money. */
  before?(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult | undefined>;
  /**
   * Why nothing more may be sent, nor given back by itself, as a sentence for the operator: e.g. a
   * dispute. What is sent already is followed.
   */
  stopped?(tx: Tx, order: OrderRecord): Promise<string | undefined>;
  /** All that was paid is to go back: stores it, in the transaction of the move. */
  openRefund(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<void>;
}

const pollMsMax = 60_000;
const look: OrderStepResult = { goto: 'look' };
const retryAfterMs = 2_000;

/**
 * Sends the tokens of an order and waits until they are there to stay. One transfer at a time: a
 * second one, with an id of its own, only when the first can never arrive any more; after that the
 * payment goes back.
 */
export function deliverTokens(ends: DeliveryEnds) {
  return orderEffect<Attempt>({
    turn: 'deliver',
    async prepare(ctx, tx, order) {
      const left = await ends.before?.(ctx, tx, order);
      if (left) return left;
      const transfer = await selectTreasuryTransfer(tx, order.facts.deliveryTransferId!);
      if (transfer && isUnread(order, transfer)) return undefined;
      if (transfer) return followTransfer(ctx, tx, { order, transfer, ends });
      return (await stop(ctx, tx, { order, ends })) ?? cover(ctx, tx, order);
    },
    async perform(ctx, order) {
      const transfer = await selectTreasuryTransfer(ctx.store, order.facts.deliveryTransferId!);
      if (!transfer) return { refusal: await sendDelivery(ctx, order) };
      return isUnread(order, transfer)
        ? { arrived: { transfer, tokens: await readArrived(ctx, transfer) } }
        : {};
    },
    record: async (ctx, tx, order, { refusal, arrived }) => {
      if (arrived) return noteArrived(ctx, tx, order, arrived);
      // A try that was given up for lost may have sent it since it was refused; from here on the
      // lock keeps that out.
      const isSent =
        refusal !== undefined &&
        (await selectTreasuryTransfer(tx, order.facts.deliveryTransferId!)) !== undefined;
      return refusal && !isSent
        ? failDelivery(ctx, tx, { order, refusal, ends })
        : sleepByAge(ctx, order, { maxMs: pollMsMax });
    },
  });
}

/**
 * Holds what the delivery is paid with. A transfer whose hold was given back is another one when it
 * is sent after all.
 */
async function cover(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult | undefined> {
  const held = await holdDelivery(ctx, tx, order, order.facts.deliveryTransferId!);
  if (held === 'held') return undefined;
  if (held === 'ended')
    await noteOrder(ctx, tx, order, {
      event: 'delivery-retried',
      facts: { deliveryTransferId: ctx.ids.uuid() },
    });
  else
    await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention: uncovered } });
  return look;
}

/** What one turn of the step has found out. */
interface Attempt {
  readonly refusal?: DeliveryRefusal | undefined;
  readonly arrived?: Arrived;
}

interface Arrived {
  readonly transfer: TreasuryTransfer;
  readonly tokens: readonly DeliveredToken[];
}

/**
 * Which items have arrived. Less than was ordered is for the operator: the chain took the
 * transaction, and nothing can be sent again.
 */
async function noteArrived(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { transfer, tokens }: Arrived,
): Promise<OrderStepResult> {
  const attention = shortfallOf(transfer, tokens);
  if (attention === undefined)
    await noteOrder(ctx, tx, order, { event: 'items-read', facts: { deliveredTokens: tokens } });
  else await leaveShort(ctx, tx, order, { transfer, attention });
  return look;
}

/** Leaves the order to the operator where nothing more may be sent. */
async function stop(
  ctx: Ctx,
  tx: Tx,
  { order, ends }: { readonly order: OrderRecord; readonly ends: DeliveryEnds },
): Promise<OrderStepResult | undefined> {
  const attention = await ends.stopped?.(tx, order);
  if (attention === undefined) return undefined;
  await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
  return look;
}

async function followTransfer(
  ctx: Ctx,
  tx: Tx,
  {
    order,
    transfer,
    ends,
  }: {
    readonly order: OrderRecord;
    readonly transfer: TreasuryTransfer;
    readonly ends: DeliveryEnds;
  },
): Promise<OrderStepResult> {
  if (transfer.status === 'final') {
    // The chain's news may have booked it while the order waited for somebody.
    const { facts } =
      order.facts.deliveredAt === undefined
        ? await bookDelivery(ctx, tx, order, transfer)
        : { facts: {} };
    await changeOrder(ctx, tx, order, { event: 'delivered', facts });
    return look;
  }
  if (transfer.status === 'failed') {
    await bookGas(ctx, tx, order, transfer);
    const message = transfer.error?.message ?? 'The transfer failed on the chain.';
    return failDelivery(ctx, tx, {
      order,
      refusal: { code: transfer.error?.reason ?? 'unknown', message },
      ends,
    });
  }
  return sleepByAge(ctx, order, { maxMs: pollMsMax });
}

async function failDelivery(
  ctx: Ctx,
  tx: Tx,
  {
    order,
    refusal,
    ends,
  }: {
    readonly order: OrderRecord;
    readonly refusal: DeliveryRefusal;
    readonly ends: DeliveryEnds;
  },
): Promise<OrderStepResult> {
  ctx.log.warn({ orderId: order.id, code: refusal.code }, 'a delivery failed');
  const stopped = await stop(ctx, tx, { order, ends });
  if (stopped) return stopped;
  await releaseCover(ctx, tx, order, order.facts.deliveryTransferId!);
  if (await mayRetry(tx, order, refusal)) {
    const facts = { deliveryTransferId: ctx.ids.uuid(), deliveryRetried: true };
    await noteOrder(ctx, tx, order, { event: 'delivery-retried', facts, note: refusal.code });
    return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + retryAfterMs) };
  }
  const change: OrderChange = {
    event: 'delivery-failed',
    facts: { failure: undelivered },
    note: refusal.code,
  };
  await ends.openRefund(ctx, tx, order);
  await changeOrder(ctx, tx, order, change);
  return look;
}

/** Once, and once more whenever an operator has sent the order on. */
async function mayRetry(tx: Tx, order: OrderRecord, refusal: DeliveryRefusal): Promise<boolean> {
  if ((await lastEventOf(tx, order.id)) === 'operator-continues') return true;
  return !isHopeless(refusal) && order.facts.deliveryRetried !== true;
}
