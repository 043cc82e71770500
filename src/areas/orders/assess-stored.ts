import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { changeOrder } from './change-order.ts';
import type { Assessment, Lifecycle } from './lifecycle.ts';
import { lockOrder } from './store.ts';
import type { OrderRecord } from './types.ts';

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
