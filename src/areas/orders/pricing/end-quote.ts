import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { CardProviderError } from '../../../providers/card/card.ts';
import { isTurnOf } from '../kinds/steps.ts';
import { closeAtQuoteEnd, closeLate } from '../legs/card/payment.ts';
import { changeOrder } from '../state/change-order.ts';
import { orderMachineOf } from '../state/machine.ts';
import { isExpired, stateRow } from '../state/states.ts';
import { lockOrder, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

/**
 * Does at once what the order's flow and the sweep do soon after a quote has ended, so that a new
 * price need not wait for them: the old card payment is closed at the acquirer and the order is
 * moved. @returns the order as it is then
 * @throws order-not-editable where a card was entered in time, provider-unavailable
 */
export async function endQuote(ctx: RequestCtx, order: OrderRecord): Promise<OrderRecord> {
  await endAsItStands(ctx, order);
  const now = (await selectOrder(ctx.store, { by: 'id', id: order.id }))!;
  if (!hasOpenCard(now)) return now;
  // Moved by its flow or the sweep meanwhile, and its card is still open: at most once, from there
  // it goes no further by itself.
  if (isExpired(now) && order.state === 'awaiting_payment') return endQuote(ctx, now);
  throw new ServiceError('order-not-editable', {
    message:
      'The price has ended while the card of the payer is being checked by its bank: the order goes on with that card, or can be changed once the bank has refused it. Read the order until payment.status or quote.status changes.',
  });
}

async function endAsItStands(ctx: RequestCtx, order: OrderRecord): Promise<void> {
  if (hasOpenCard(order))
    await close(ctx, order, order.state === 'awaiting_payment' ? closeAtQuoteEnd : closeLate);
  else if (stateRow(order.state).atLimit === 'expired' && !canChange(order))
    await expire(ctx, order);
}

function hasOpenCard({ state, cardReference, facts }: OrderRecord): boolean {
  return (
    cardReference !== undefined &&
    (state === 'awaiting_payment' || (isExpired({ state }) && facts.cardClosed !== true))
  );
}

export function canChange(order: Pick<OrderRecord, 'kind' | 'state'>): boolean {
  return orderMachineOf(order.kind).transitions.some(
    ({ from, event }) => from === order.state && event === 'changed',
  );
}

async function close(ctx: RequestCtx, order: OrderRecord, effect: typeof closeLate): Promise<void> {
  try {
    const payment = await effect.perform(ctx, order);
    await ctx.store.transaction(async (tx) => {
      const locked = await lockOrder(tx, { by: 'id', id: order.id });
      // Whoever moved it meanwhile has done this.
      if (locked && isTurnOf(effect, locked) && locked.cardReference === order.cardReference)
        await effect.record(ctx, tx, locked, payment);
    });
  } catch (error) {
    if (!(error instanceof CardProviderError)) throw error;
    const message =
      'The payment of the ended price cannot be closed, since the acquirer does not answer: create a new order, or retry later.';
    throw new ServiceError('provider-unavailable', { message, cause: error });
  }
}

async function expire(ctx: RequestCtx, order: OrderRecord): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const locked = await lockOrder(tx, { by: 'id', id: order.id });
    if (locked?.version === order.version) await changeOrder(ctx, tx, locked, { event: 'expired' });
  });
}
