import type { Ctx } from '../../../../context.ts';
import { LedgerConflict } from '../../../../ledger/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { withSavepoint } from '../../../../store/tx.ts';
import type { Tx } from '../../../../store/types.ts';
import {
  selectTreasuryTransfer,
  type TreasuryChange,
  type TreasuryTransfer,
} from '../../../treasury/index.ts';
import { wakeOrder } from '../../kinds/flow-registry.ts';
import { noteOrder } from '../../state/change-order.ts';
import { deliveriesOf, itemOf } from '../../state/items.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { isUnread } from './collectible.ts';
import { bookDelivery } from './delivery.ts';
import { followItem } from './items.ts';

/**
 * News of a delivery, in the transaction in which the chain's news is recorded: the transaction is
 * shown as soon as a block has it, and what is final is booked whatever the order waits for. Moving
 * the order is for its flow. An order that is delivered already and loses its block is for the
 * operator, and so is a delivery that was given up: nobody waits for it any more.
 */
export async function followDelivery(
  ctx: Ctx,
  tx: Tx,
  orderId: string,
  change: TreasuryChange,
): Promise<void> {
  const order = await lockOrder(tx, { by: 'id', id: orderId });
  if (!order) return;
  const index = deliveriesOf(order).findIndex(({ transferId }) => transferId === change.transferId);
  const isReplaced = order.facts.deliveryTransferId !== change.transferId && index < 0;
  // Terms that somebody wrote are no measure of what was delivered: its flow leaves such an order
  // to the operator.
  const isArrived = change.change === 'final' && !order.sealProblem;
  if (isArrived && (isReplaced || isGivenUp(order, index)))
    await tellGivenUp(ctx, tx, order, change.transferId);
  if (isReplaced) return;
  if (change.change === 'success' && order.state === 'delivering' && change.txId !== undefined)
    await noteSeen(ctx, tx, order, { index, txId: change.txId });
  if (isArrived)
    await bookFinal(ctx, tx, (await lockOrder(tx, { by: 'id', id: orderId }))!, change.transferId);
  const isOver =
    order.state === 'delivered' || order.state === 'refunding' || order.state === 'refunded';
  if (
    change.change === 'reverted-to-pending' &&
    (isOver ? order.state === 'delivered' || index >= 0 : isBooked(order, index))
  ) {
    ctx.log.error(
      { orderId },
      'a delivery that was final was taken back by the chain; the relay sends it again',
    );
    await noteOrder(ctx, tx, order, {
      event: 'delivery-retracted',
      set: {
        attention: 'The delivery was final and the chain took it back: see that it arrives again.',
      },
    });
  }
  await wakeOrder(ctx, tx, order);
}

/**
 * Which items of a collection have arrived is read from the chain: the order's flow books those.
 * Books that say something else already stop the order, and not the watching of its chain.
 */
async function bookFinal(ctx: Ctx, tx: Tx, order: OrderRecord, transferId: string): Promise<void> {
  const open = (await selectOpenTransfers(tx, order)).find(
    ({ transfer }) => transfer.id === transferId,
  );
  if (
    !open ||
    isUnread(open.index === undefined ? order : itemOf(order, open.index), open.transfer)
  )
    return;
  try {
    await withSavepoint(tx, 'news', (inner) => bookOpen(ctx, inner, order, open));
  } catch (error) {
    if (!(error instanceof LedgerConflict)) throw error;
    ctx.log.error(
      { alarm: 'delivery-not-booked', err: error, orderId: order.id, transferId },
      unbookable,
    );
    await noteOrder(ctx, tx, order, {
      event: 'delivery-not-booked',
      set: { attention: unbookable },
    });
  }
}

const goesBack: readonly string[] = ['refunding', 'refunded', 'closed'];

/** It had failed for good, and what was paid for it went elsewhere. */
function isGivenUp(order: OrderRecord, index: number): boolean {
  if (isBooked(order, index)) return false;
  return index < 0
    ? goesBack.includes(order.state)
    : deliveriesOf(order)[index]!.status === 'failed';
}

/** The network broke its own rule: what had failed in a final block has arrived. */
async function tellGivenUp(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  transferId: string,
): Promise<void> {
  const attention = `Transfer ${transferId} has arrived after all: it had failed, was given up, and was sent anew or paid back. See what the recipient has too much.`;
  ctx.log.error({ alarm: 'delivery-given-up-arrived', orderId: order.id, transferId }, attention);
  await noteOrder(ctx, tx, order, { event: 'delivery-given-up-arrived', set: { attention } });
}

const unbookable =
  'The delivery has arrived, and the books have something else in its place: compare its entries with the chain.';

function isBooked(order: OrderRecord, index: number): boolean {
  return index < 0
    ? order.facts.deliveredAt !== undefined
    : deliveriesOf(order)[index]!.status === 'delivered';
}

/** A block has the delivery, of the whole order or of one of its line items (from 0). */
async function noteSeen(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  seen: { readonly index: number; readonly txId: string },
): Promise<void> {
  const { index, txId } = seen;
  const deliveries = deliveriesOf(order).map((delivery, at) =>
    at === index ? { ...delivery, txId } : delivery,
  );
  const known = index < 0 ? order.facts.txId : deliveriesOf(order)[index]!.txId;
  if (known === txId) return;
  await noteOrder(ctx, tx, order, {
    event: 'delivery-seen',
    facts: index < 0 ? { txId } : { deliveries },
  });
}

/**
 * @throws ServiceError conflict while a transfer may still arrive, or when all has arrived: what is
 * delivered is not paid back too
 */
export async function requireNoDelivery(tx: Tx, order: OrderRecord): Promise<void> {
  const { deliveryTransferId, deliveredAt, refundGrants } = order.facts;
  if (deliveryTransferId !== undefined && deliveredAt !== undefined && !refundGrants)
    throw new ServiceError('conflict', {
      message: `Transfer ${deliveryTransferId} has brought the recipient what was ordered. Continue the order, which ends as delivered.`,
    });
  for (const { transfer } of await selectOpenTransfers(tx, order))
    if (transfer.status !== 'failed')
      throw new ServiceError('conflict', {
        message: `Transfer ${transfer.id} to the recipient is ${transfer.status}: it may arrive, or has. Continue the order, which looks for it.`,
      });
}

/**
 * Books what has become of the transfers of an order that is about to be closed by hand: afterwards
 * nobody does.
 * @throws ServiceError conflict while a transfer may still arrive
 */
export async function bookArrived(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderRecord> {
  let current = order;
  for (const open of await selectOpenTransfers(tx, order)) {
    const { id, status } = open.transfer;
    if (status === 'pending' || status === 'success')
      throw new ServiceError('conflict', {
        message: `Transfer ${id} to the recipient is ${status}: it may still arrive. Continue the order, which looks for it, or wait until it is over.`,
      });
    current = await bookOpen(ctx, tx, current, open);
  }
  return current;
}

interface OpenTransfer {
  /** Of the line item, of an order of several. */
  readonly index: number | undefined;
  readonly transfer: TreasuryTransfer;
}

async function bookOpen(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { index, transfer }: OpenTransfer,
): Promise<OrderRecord> {
  if (index !== undefined) return followItem(ctx, tx, order, { index, transfer });
  if (transfer.status !== 'final') return order;
  return noteOrder(ctx, tx, order, {
    event: 'delivery-found',
    ...(await bookDelivery(ctx, tx, order, transfer)),
  });
}

/**
 * What was handed over of an order, and is not booked. What is over and has brought too little
 * keeps nobody from deciding.
 */
async function selectOpenTransfers(tx: Tx, order: OrderRecord): Promise<readonly OpenTransfer[]> {
  const { deliveryTransferId, deliveredAt, shortTransferIds = [] } = order.facts;
  if (deliveredAt !== undefined) return [];
  const single =
    deliveryTransferId === undefined ? [] : [{ index: undefined, id: deliveryTransferId }];
  const items = deliveriesOf(order).flatMap(({ status, transferId }, index) =>
    status ? [] : [{ index, id: transferId }],
  );
  const found: OpenTransfer[] = [];
  for (const { index, id } of [...single, ...items].filter(
    (one) => !shortTransferIds.includes(one.id),
  )) {
    const transfer = await selectTreasuryTransfer(tx, id);
    if (transfer) found.push({ index, transfer });
  }
  return found;
}
