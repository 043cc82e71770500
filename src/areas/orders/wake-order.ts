import type { Ctx } from '../../context.ts';
import { wakeFlow } from '../../jobs/index.ts';
import type { Tx } from '../../store/types.ts';
import { orderFlowOf } from './flow-registry.ts';
import type { OrderRecord } from './types.ts';

/** Has an order's flow look at once. */
export async function wakeOrder(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  order: Pick<OrderRecord, 'id' | 'kind'>,
): Promise<void> {
  const flow = orderFlowOf(order.kind);
  if (flow) await wakeFlow(ctx, tx, flow, order.id);
}
