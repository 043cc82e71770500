import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { changeOrder } from '../state/change-order.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import type { Assessment, Lifecycle } from './lifecycle.ts';

/** The order is there already; its flow does this too if this process dies, and whoever is first has done it. */
export async function assessStored(ctx: RequestCtx, lifecycle: Lifecycle, order: OrderRecord): Promise<OrderRecord> {
  let assessment: Assessment;
  try {
    assessment = await lifecycle.assess(ctx, order);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    ctx.log.warn({ err: error, orderId: order.id }, 'an order could not be assessed at once; its flow tries again');
    return order;
  }
  return ctx.store.transaction(async (tx) => {
    const locked = await lockOrder(tx, { by: 'id', id: order.id });
    if (!locked) throw new ServiceError('order-not-found');
    return locked.version === order.version ? changeOrder(ctx, tx, locked, assessment) : locked;
  });
}
