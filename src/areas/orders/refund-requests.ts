import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { findOrder } from './access.ts';
import { noteOrder } from './change-order.ts';
import { itemCountOf } from './items.ts';
import { grantRefund, isItemRefundable, isPaidBackByService } from './refund-grants.ts';
import { insertRefundRequest, moveRefundRequest, type RefundRequest, selectRefundRequests } from './requests-store.ts';
import type { RefundBody } from './schema.ts';
import { lockOrder } from './store.ts';
import type { OrderRecord } from './types.ts';

/**
 * Asks for a refund of a delivered line item; an operator accepts or rejects it.
 * @throws order-not-found, validation-error no such line item, refund-not-allowed
 */
export async function requestRefund(ctx: RequestCtx, input: { readonly orderId: string; readonly body: RefundBody }): Promise<JsonObject> {
  const { body } = input;
  const found = await findOrder(ctx, input.orderId);
  const count = itemCountOf(found);
  if (body.lineItem >= count) throw new ServiceError('validation-error', { message: `body.lineItem: ${describeIndexes(count)}.` });
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
      throw new ServiceError('refund-not-allowed', { message: 'The line item was not delivered, or was refunded already.' });
    if (await insertRefundRequest(tx, request)) return;
    const requests = await selectRefundRequests(tx, { orderId: found.id });
    // The process of a call with the same idempotency key may have died after its commit.
    if (!requests.some((one) => one.id === request.id))
      throw new ServiceError('refund-not-allowed', { message: 'A refund of the line item was requested already.' });
  });
  return refundView(request);
}

/** @throws order-not-found */
export async function listRefundRequests(
  ctx: RequestCtx,
  input: { readonly orderId: string; readonly lineItem?: number | undefined },
): Promise<JsonObject[]> {
  const order = await findOrder(ctx, input.orderId);
  return (await selectRefundRequests(ctx.store, { orderId: order.id, lineItem: input.lineItem })).map(refundView);
}

export type RefundDecision = 'accepted' | 'rejected' | 'completed';

/**
 * What the operator decides about a refund request, written into the order's history. Accepted, what was paid for the line item goes
 * back by itself: to the card, or to whoever made the deposit; the request is `completed` when it has arrived. What an offramp paid
 * out is at a bank, and an order that could not be paid back is closed: there the operator sends the money by hand, and says so.
 * @throws order-not-found, refund-not-allowed when no request waits for that
 */
export async function decideRefundRequest(
  ctx: Ctx,
  input: {
    readonly projectId: string;
    readonly orderId: string;
    readonly decision: RefundDecision;
    readonly note: string;
    readonly lineItem?: number | undefined;
  },
): Promise<RefundRequest> {
  const { decision, note, lineItem } = input;
  const from = decision === 'completed' ? 'accepted' : 'initiated';
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: input.orderId });
    if (order?.projectId !== input.projectId) throw new ServiceError('order-not-found', { message: `There is no order ${input.orderId}.` });
    if (decision === 'completed' && isPaidBackByService(order) && order.state !== 'closed')
      throw new ServiceError('refund-not-allowed', { message: `The order is ${order.state}: what it owes goes back by itself.` });
    // What a bank has returned goes back by itself: nobody sends it by hand as well.
    if (decision === 'accepted' && !isPaidBackByService(order) && !isRefundable(order, lineItem ?? 0))
      throw new ServiceError('refund-not-allowed', { message: `The order is ${order.state}: what it owes goes back by itself.` });
    const moved = await moveRefundRequest(tx, { orderId: order.id, lineItem, from, to: decision, at: ctx.clock.now() });
    if (!moved) throw new ServiceError('refund-not-allowed', { message: `No refund request of this order is ${from}.` });
    const noted = await noteOrder(ctx, tx, order, { event: `refund-request-${decision}`, note: `operator: ${note}` });
    if (decision === 'accepted' && isPaidBackByService(order)) await grantRefund(ctx, tx, noted, { request: moved, note });
    return moved;
  });
}

/** `facts.refunded` does not decide: of a deposit that was too large the excess went back, and the item was delivered. */
function isRefundable(order: OrderRecord, lineItem: number): boolean {
  const { payment, phase } = order.outer;
  return phase === 'completed' && (payment === 'completed' || payment === 'refunded') && isItemRefundable(order, lineItem);
}

function describeIndexes(count: number): string {
  return count === 1 ? 'the order has one line item, its index is 0' : `the order has ${count} line items, from 0 to ${count - 1}`;
}

function refundView({ orderId, lineItem, reason, status }: RefundRequest): JsonObject {
  return { orderId, lineItem, reason, status: `refund-request-${status}` };
}
