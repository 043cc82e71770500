import type { JsonObject } from '../../lib/json.ts';
import type { OrderRecord } from './types.ts';

/** An order as callers see it (interface, "Order"). */
export function orderView(order: OrderRecord): JsonObject {
  return { orderId: order.id, phase: order.outer.phase };
}
