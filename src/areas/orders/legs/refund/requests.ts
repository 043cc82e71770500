import type { Ctx, RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import type { Tx } from '../../../../store/types.ts';
import type { RecordChange } from '../../../operations/index.ts';
import { findOrder } from '../../api/access.ts';
import type { RefundBody } from '../../api/schema-reads.ts';
import { noteOrder } from '../../state/change-order.ts';
import { itemCountOf } from '../../state/items.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { grantRefund, isItemRefundable, isPaidBackByService } from './grants.ts';
import {
  insertRefundRequest,
  moveRefundRequest,
  type RefundRequest,
  selectRefundRequests,
} from './requests-store.ts';

/**
 * Asks for a refund of a delivered line item; an operator accepts or rejects it.
 * @throws order-not-found, validation-error no such line item, refund-not-allowed
 */
export async function requestRefund(
  ctx: RequestCtx,
  input: { readonly orderId: string; readonly body: RefundBody },
): Promise<JsonObject> {
  const { body } = input;
  const found = await findOrder(ctx, input.orderId);
  const count = itemCountOf(found);
  if (body.lineItem >= count)
    throw new ServiceError('validation-error', {
      message: `body.lineItem: ${describeIndexes(count)}.`,
    });
  const request: RefundRequest = {
    id: ctx.idempotency?.objectId ?? ctx.ids.uuid(),
    orderId: found.id,
    projectId: found.projectId,
    lineItem: body.lineItem,
    reason: body.reason,
    status: 'initiated',
    createdAt: ctx.clock.now(),
  };
  await ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: found.id });
    if (!order || !isRefundable(order, body.lineItem))
      throw new ServiceError('refund-not-allowed', {
        message: 'The line item was not delivered, or was refunded already.',
      });
    if (await insertRefundRequest(tx, request)) return;
    const requests = await selectRefundRequests(tx, { orderId: found.id });
    // The process of a call with the same idempotency key may have died after its commit.
    if (!requests.some((one) => one.id === request.id))
      throw new ServiceError('refund-not-allowed', {
        message: 'A refund of the line item was requested already.',
      });
  });
  return refundView(request);
}

/** @throws order-not-found */
export async function listRefundRequests(
  ctx: RequestCtx,
  input: { readonly orderId: string; readonly lineItem?: number | undefined },
): Promise<JsonObject[]> {
  const order = await findOrder(ctx, input.orderId);
  return (
    await selectRefundRequests(ctx.store, { orderId: order.id, lineItem: input.lineItem })
  ).map(refundView);
}

/**
 * Whether what is granted of an order is sent by the operator, because the service has no way to
 * send it.
 */
export const isSentByHand = (order: Pick<OrderRecord, 'kind' | 'state'>): boolean =>
  !isPaidBackByService(order) || order.state === 'closed';

export type RefundDecision = 'accepted' | 'rejected' | 'completed';

/**
 * What the operator decides about a refund request, written into the order's history. Accepted,
 * what was paid for the line item goes back by itself: to the card, or to whoever made the deposit;
 * the request is `completed` when it has arrived. What an offramp paid out is at a bank, and an
 * order that could not be paid back is closed: there the operator sends the money by hand, and says
 * so.
 * @throws order-not-found, refund-not-allowed with what stands against it
 */
export async function decideRefundRequest(
  ctx: Ctx,
  input: {
    readonly projectId: string;
    readonly orderId: string;
    readonly decision: RefundDecision;
    readonly note: string;
    readonly lineItem?: number | undefined;
    /** Writes down what was decided (`operator/rules.ts`). */
    readonly record?: RecordChange;
  },
): Promise<RefundRequest> {
  const { decision, note } = input;
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: input.orderId });
    if (order?.projectId !== input.projectId)
      throw new ServiceError('order-not-found', { message: `There is no order ${input.orderId}.` });
    const { lineItem, status: from } = await findWaiting(tx, input);
    const isByHand = isSentByHand(order);
    if (decision === 'completed' && !isByHand)
      throw notAllowed(
        `The order is ${order.state}: what was accepted goes back by itself, and the request is completed with it.`,
      );
    // What a bank has returned goes back by itself: nobody sends it by hand as well.
    if (decision === 'accepted' && isByHand && !isRefundable(order, lineItem))
      throw notAllowed(
        `The order is ${order.state}: what it owes goes back by itself, or has gone back.`,
      );
    const moved = await moveRefundRequest(tx, {
      orderId: order.id,
      lineItem,
      from,
      to: decision,
      at: ctx.clock.now(),
    });
    if (!moved) throw new ServiceError('conflict');
    const noted = await noteOrder(ctx, tx, order, {
      event: `refund-request-${decision}`,
      note: `operator: ${note}`,
    });
    if (decision === 'accepted' && !isByHand)
      await grantRefund(ctx, tx, noted, { request: moved, note });
    await input.record?.(tx, {
      subject: `order:${order.id}`,
      changed: { refundRequest: [from, decision], lineItem },
    });
    return moved;
  });
}

/**
 * The one request that waits for a decision.
 * @throws refund-not-allowed when there is none, or several and none is named
 */
async function findWaiting(
  tx: Tx,
  {
    orderId,
    lineItem,
    decision,
  }: {
    readonly orderId: string;
    readonly lineItem?: number | undefined;
    readonly decision: RefundDecision;
  },
): Promise<RefundRequest> {
  const from = decision === 'completed' ? 'accepted' : 'initiated';
  const requests = await selectRefundRequests(tx, { orderId, lineItem });
  const [waiting, another] = requests.filter(({ status }) => status === from);
  if (waiting && !another) return waiting;
  if (waiting)
    throw notAllowed('Requests of several line items wait for that: name one with --item.');
  const last = requests.at(-1);
  if (!last)
    throw notAllowed(
      `Nobody has asked for a refund of this ${lineItem === undefined ? 'order' : 'line item'}.`,
    );
  throw notAllowed(`The refund request of line item ${last.lineItem} ${standing[last.status]}`);
}

/** Why a request does not wait for what the operator wants. */
const standing: Readonly<Record<RefundRequest['status'], string>> = {
  initiated: 'was not accepted yet: accept it first, or reject it.',
  accepted: 'is accepted already: what was paid is on its way back.',
  rejected: 'was rejected: it can be asked for again.',
  completed: 'is completed: what was paid has gone back.',
};

function notAllowed(message: string): ServiceError {
  return new ServiceError('refund-not-allowed', { message });
}

/**
 * `facts.refunded` does not decide: of a deposit that was too large the excess went back, and the
 * item was delivered.
 */
function isRefundable(order: OrderRecord, lineItem: number): boolean {
  const { payment, phase } = order.publicStatus;
  return (
    phase === 'completed' &&
    (payment === 'completed' || payment === 'refunded') &&
    isItemRefundable(order, lineItem)
  );
}

function describeIndexes(count: number): string {
  return count === 1
    ? 'the order has one line item, its index is 0'
    : `the order has ${count} line items, from 0 to ${count - 1}`;
}

function refundView({ orderId, lineItem, reason, status }: RefundRequest): JsonObject {
  return { orderId, lineItem, reason, status: `refund-request-${status}` };
}
