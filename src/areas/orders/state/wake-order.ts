import type { Ctx } from '../../../context.ts';
import { wakeOrRestartFlow } from '../../../jobs/index.ts';
import type { Tx } from '../../../store/types.ts';
import { orderFlowOf } from '../kinds/flow-registry.ts';
import type { OrderRecord } from './types.ts';

/** Has an order's flow look at once. One that had ended begins anew: a bank, an acquirer or a chain may have news after months. */
export async function wakeOrder(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  order: Pick<OrderRecord, 'id' | 'kind' | 'projectId'>,
): Promise<void> {
  const flow = orderFlowOf(order.kind);
  if (flow) await wakeOrRestartFlow(ctx, tx, flow, { projectId: order.projectId, key: order.id, state: { orderId: order.id } });
}
