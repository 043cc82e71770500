import type { Ctx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { withSavepoint } from '../../../../store/tx.ts';
import type { Tx } from '../../../../store/types.ts';
import {
  countItems,
  type ReserveInput,
  releaseItems,
  reserveItems,
  SoldOut,
  selectReserved,
} from '../../../collections/index.ts';
import type { OrderFailure } from '../../state/failures.ts';
import { isItemDelivered, itemTermsOf } from '../../state/items.ts';
import type { OrderState } from '../../state/machine.ts';
import { isEnd, stateRow } from '../../state/states.ts';
import type { OrderRecord } from '../../state/types.ts';

/**
 * Items of collections that an order holds from its quote on, so that nobody else is sold the last
 * one meanwhile.
 */

const triesMax = 3;

/**
 * Somebody else may take the last item between the price and the order: what is left is looked up
 * again.
 * @throws conflict
 */
export async function whileInStock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SoldOut)) throw error;
      if (tries === triesMax)
        throw new ServiceError('conflict', {
          message: 'Others order the same at this moment: try again.',
        });
    }
  }
}

/**
 * Takes what the order's line items are, instead of what it held before.
 * @throws SoldOut, validation-error
 */
export async function claimStock(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  order: OrderRecord,
): Promise<void> {
  const input = stockOf(ctx, order);
  if (input.items.length === 0) return;
  await releaseItems(tx, { orderId: order.id });
  await reserveItems(tx, input);
}

/** The ends of an order that are the payer's: nothing was paid, or it was given back. */
const endsUnpaid = (state: OrderState) => isEnd(state) && stateRow(state).owner === 'payer';

/**
 * What an order has held is given back when it ends unpaid or refunded, but for items that have
 * arrived.
 */
export async function releaseStockAtEnd(tx: Tx, order: OrderRecord): Promise<void> {
  const { state, facts } = order;
  const wasPaid = facts.received !== undefined || facts.totalPaid !== undefined;
  if (!endsUnpaid(state) && (state !== 'closed' || wasPaid)) return;
  const items = itemTermsOf(order);
  if (!items.some(({ collectible }) => collectible)) return;
  await releaseItems(tx, {
    orderId: order.id,
    keep: items.flatMap((_, index) => (isItemDelivered(order, index) ? [index] : [])),
  });
}

/** Takes anew what an order held before its quote ended. @returns why that is not there any more */
export async function retakeStock(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  order: OrderRecord,
): Promise<OrderFailure | undefined> {
  const input = stockOf(ctx, order);
  if (input.items.length === 0 || (await selectReserved(tx, order.id)).length > 0) return undefined;
  try {
    await withSavepoint(tx, 'retake_stock', (inner) => reserveItems(inner, input));
    return undefined;
  } catch (error) {
    if (!(error instanceof SoldOut) && !(error instanceof ServiceError && error.status < 500))
      throw error;
    return {
      code: 'unknown',
      message: 'What was ordered is not there any more: what was paid is sent back.',
      retryPolicy: 'new-order',
    };
  }
}

/** Counts the items of an order that goes on by an operator's word. */
export async function countContinuedStock(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  order: OrderRecord,
): Promise<void> {
  const input = stockOf(ctx, order);
  if (input.items.length > 0 && (await selectReserved(tx, order.id)).length === 0)
    await countItems(tx, input);
}

function stockOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): ReserveInput {
  const { email } = order.request.recipient;
  const recipient = email === undefined ? order.recipientKey : `email:${email}`;
  const items = itemTermsOf(order).flatMap(({ collectible, receive }, lineItem) =>
    collectible
      ? [{ lineItem, offerId: collectible.offerId, quantity: Number(receive.amountMinor) }]
      : [],
  );
  return {
    orderId: order.id,
    projectId: order.projectId,
    items,
    now: ctx.clock.now(),
    ...(recipient !== undefined && { recipient }),
  };
}
