import type { RequestCtx } from '../../../context.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { findOrder } from './access.ts';

/**
 * Where the parcels of an order are. Money and tokens have no carrier: one entry once they arrived. Of goods that somebody else sends
 * nothing is known here.
 * @throws order-not-found
 */
export async function readTracking(ctx: RequestCtx, orderId: string): Promise<JsonObject[]> {
  const { outer, facts } = await findOrder(ctx, orderId);
  if (outer.delivery !== 'completed' || facts.isShipped === true) return [];
  const { deliveredAt } = facts;
  return [
    { status: 'delivered', ...(deliveredAt !== undefined && { deliveryTimeRange: { lowerBound: deliveredAt, upperBound: deliveredAt } }) },
  ];
}
