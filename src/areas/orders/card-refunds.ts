import type { Ctx } from '../../context.ts';
import { postEntries } from '../../ledger/index.ts';
import type { CardRefund } from '../../providers/card/card.ts';
import type { Tx } from '../../store/types.ts';
import { isBooked, moneyFact, referenceOf } from './card-payment.ts';
import { insertCardRefund, selectOpenCardRefund, updateCardRefund } from './card-refunds-store.ts';
import { changeOrder } from './change-order.ts';
import { requireCard } from './onramp.ts';
import { cardRefundEntry } from './order-ledger.ts';
import { orderEffect, sleepByAge } from './order-step.ts';
import { grantsOf } from './refund-grants.ts';
import type { OrderRecord } from './types.ts';

const pollMsMax = 6 * 60 * 60_000;

interface RefundOutcome {
  readonly refundId: string;
  readonly status: CardRefund['status'];
}

/** Stores what is to go back, before the acquirer is asked: its id is the key of the refund. */
export async function openCardRefund(ctx: Pick<Ctx, 'ids' | 'clock'>, tx: Tx, order: OrderRecord): Promise<string> {
  const open = await selectOpenCardRefund(tx, order.id);
  if (open) return open;
  const id = ctx.ids.uuid();
  await insertCardRefund(tx, { id, order, money: order.terms!.pay, now: ctx.clock.now() });
  return id;
}

/** Gives all of a captured payment back. */
export const refundPayment = orderEffect<RefundOutcome>({
  states: ['refunding'],
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
    const refundedMinor = (await card.findPayment(reference))?.refundedMinor ?? 0n;
    if (refundedMinor >= amountMinor) return { refundId, status: 'succeeded' };
    const reason = grantsOf(order).length > 0 ? 'requested' : 'delivery-failed';
    const refund = await card.refund({ reference, refundId, amountMinor: amountMinor - refundedMinor, reason });
    return { refundId, status: refund.status };
  },
  async record(ctx, tx, order, { refundId, status }) {
    const now = ctx.clock.now();
    if (status === 'pending') {
      await updateCardRefund(tx, { id: refundId, status: 'sent', now });
      return sleepByAge(ctx, order, { maxMs: pollMsMax });
    }
    if (status === 'failed') {
      await updateCardRefund(tx, { id: refundId, status: 'failed', error: 'the acquirer refused it', now });
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: { attention: 'The acquirer could not give the payment back: pay it back another way, or try again.' },
      });
      return { goto: 'look' };
    }
    await updateCardRefund(tx, { id: refundId, status: 'final', now });
    const { asset, amountMinor } = order.terms!.pay;
    const provider = requireCard(ctx).name;
    await postEntries(ctx, tx, [cardRefundEntry(order, { provider, refundId, money: { asset, amountMinor }, at: now })]);
    await changeOrder(ctx, tx, order, { event: 'refund-final', facts: { refunded: moneyFact(order) } });
    return { goto: 'look' };
  },
});
