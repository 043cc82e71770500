import type { Ctx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { requireCard } from '../../kinds/onramp/onramp.ts';
import type { OperatorInput } from '../../operator/operator.ts';
import { needsOperator } from '../../state/states.ts';
import { lockOrder, selectOrder } from '../../state/store.ts';
import { isBooked, referenceOf } from '../card/payment.ts';
import { selectOpenCardRefund, updateCardRefund } from '../card/refunds.ts';

type OfOrder = Pick<OperatorInput, 'projectId' | 'orderId'>;

/**
 * True of an order in `needs_operator` whose payment the acquirer has not captured: there is
 * nothing to give back, and what is authorised is to be released.
 * @throws what the acquirer throws when it cannot say
 */
export async function isCardUncaptured(
  ctx: Ctx,
  { projectId, orderId }: OfOrder,
): Promise<boolean> {
  const seen = await selectOrder(ctx.store, { by: 'id', id: orderId });
  if (
    seen?.projectId !== projectId ||
    !needsOperator(seen) ||
    seen.cardReference === undefined ||
    isBooked(seen)
  )
    return false;
  const payment = await requireCard(ctx).findPayment(referenceOf(seen));
  return payment !== undefined && payment.status !== 'captured';
}

/** Longer than a call of the acquirer that was under way when the order stopped can take. */
const askedWithinMs = 3 * 60_000;

/**
 * An order may have stopped while its payment was going back: where it goes back, or has, it is
 * neither delivered again nor closed with the money still in the books. A refund that the acquirer
 * refused, or was never asked for, is ended here. For an operator's decisions about an order in
 * `needs_operator`, before their transaction.
 * @param wanted `delivery` also wants all of the payment to be here: not given back in part, nor
 * disputed
 * @throws conflict with what to do instead; what the acquirer throws when it cannot say
 */
export async function requireNoCardRefund(
  ctx: Ctx,
  { projectId, orderId }: OfOrder,
  wanted: 'delivery' | 'end',
): Promise<void> {
  const seen = await selectOrder(ctx.store, { by: 'id', id: orderId });
  if (
    seen?.kind !== 'onramp' ||
    seen.projectId !== projectId ||
    !needsOperator(seen) ||
    seen.cardReference === undefined ||
    !isBooked(seen)
  )
    return;
  const card = requireCard(ctx);
  const reference = referenceOf(seen);
  const refundId = await selectOpenCardRefund(ctx.store, orderId);
  const known = refundId === undefined ? undefined : await card.findRefund({ reference, refundId });
  if (known?.status === 'pending')
    throw underWay(
      `The payment is on its way back by refund ${refundId}: purser orders resolve … refund follows it to its end.`,
    );
  // Also by the acquirer's own desk.
  const payment = await card.findPayment(reference);
  if (
    known?.status === 'succeeded' ||
    (payment && payment.refundedMinor >= seen.terms!.pay.amountMinor)
  )
    throw underWay(
      'The payment is back with its payer: purser orders resolve … refund books that, and ends the order.',
    );
  if (wanted === 'delivery' && payment && payment.disputedMinor > 0n)
    throw underWay(
      "The payer's bank is taking the payment back, or has (a dispute): nothing is delivered for it.",
    );
  if (wanted === 'delivery' && payment && payment.refundedMinor > 0n)
    throw underWay(
      'A part of the payment is back with its payer: purser orders resolve … refund gives the rest back.',
    );
  if (refundId === undefined) return;
  const isTooEarly = ctx.clock.now().getTime() - seen.updatedAt.getTime() < askedWithinMs;
  if (!known && isTooEarly)
    throw underWay(
      `Refund ${refundId} may be on its way to the acquirer: decide in a few minutes, or have it followed by refund.`,
    );
  await ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: orderId });
    if (order?.version !== seen.version)
      throw underWay('The order has moved since: look at it again.');
    const error = known ? 'the acquirer refused it' : 'the acquirer was never asked';
    await updateCardRefund(tx, { id: refundId, status: 'failed', error, now: ctx.clock.now() });
  });
}

function underWay(message: string): ServiceError {
  return new ServiceError('conflict', { message });
}
