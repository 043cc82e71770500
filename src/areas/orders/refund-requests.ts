import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { findOrder } from './access.ts';
import { noteOrder } from './change-order.ts';
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
  if (body.lineItem !== 0)
    throw new ServiceError('validation-error', { message: 'body.lineItem: the order has one line item, its index is 0.' });
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
    if (!order || !isRefundable(order))
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
 * What the operator decides about a refund request, written into the order's history. Goods that were delivered are given back by
 * agreement, so the operator sends the money back by hand (at the acquirer, from the treasury, by the bank) between `accepted` and
 * `completed`.
 * @throws order-not-found, refund-not-allowed when no request waits for that
 */
export async function decideRefundRequest(
  ctx: Ctx,
  input: { readonly projectId: string; readonly orderId: string; readonly decision: RefundDecision; readonly note: string },
): Promise<RefundRequest> {
  const { decision } = input;
  const from = decision === 'completed' ? 'accepted' : 'initiated';
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: input.orderId });
    if (order?.projectId !== input.projectId) throw new ServiceError('order-not-found', { message: `There is no order ${input.orderId}.` });
    const moved = await moveRefundRequest(tx, { orderId: order.id, from, to: decision, at: ctx.clock.now() });
    if (!moved) throw new ServiceError('refund-not-allowed', { message: `No refund request of this order is ${from}.` });
    await noteOrder(ctx, tx, order, { event: `refund-request-${decision}`, note: `operator: ${input.note}` });
    return moved;
  });
}

/** `facts.refunded` does not decide: of a deposit that was too large the excess went back, and the item was delivered. */
function isRefundable({ outer }: OrderRecord): boolean {
  return outer.delivery === 'completed' && outer.payment === 'completed';
}

function refundView({ orderId, lineItem, reason, status }: RefundRequest): JsonObject {
  return { orderId, lineItem, reason, status: `refund-request-${status}` };
}
