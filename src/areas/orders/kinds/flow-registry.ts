import type { Ctx } from '../../../context.ts';
import { type FlowDefinition, wakeOrRestartFlow } from '../../../jobs/index.ts';
import type { Tx } from '../../../store/types.ts';
import type { OrderKind } from '../state/machine.ts';
import type { OrderRecord } from '../state/types.ts';

/** Of every order's flow: the key is the order's id. */
export type OrderFlowState = { readonly orderId: string };
export type OrderFlow = FlowDefinition<OrderFlowState, Ctx>;

const flows = new Map<OrderKind, OrderFlow>();

/**
 * The flow that carries orders of a kind. It is registered by the file that defines it, since it
 * moves orders itself.
 */
export function registerOrderFlow(kind: OrderKind, flow: OrderFlow): OrderFlow {
  flows.set(kind, flow);
  return flow;
}

export function orderFlowOf(kind: OrderKind): OrderFlow | undefined {
  return flows.get(kind);
}

/**
 * Has an order's flow look at once. One that had ended begins anew: a bank, an acquirer or a chain
 * may have news after months.
 */
export async function wakeOrder(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  order: Pick<OrderRecord, 'id' | 'kind' | 'projectId'>,
): Promise<void> {
  const flow = orderFlowOf(order.kind);
  if (flow)
    await wakeOrRestartFlow(ctx, tx, flow, {
      projectId: order.projectId,
      key: order.id,
      state: { orderId: order.id },
    });
}
