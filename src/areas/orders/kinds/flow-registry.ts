import type { Ctx } from '../../../context.ts';
import type { FlowDefinition } from '../../../jobs/index.ts';
import type { OrderKind } from '../state/machine.ts';

/** Of every order's flow: the key is the order's id. */
export type OrderFlowState = { readonly orderId: string };
export type OrderFlow = FlowDefinition<OrderFlowState, Ctx>;

const flows = new Map<OrderKind, OrderFlow>();

/** The flow that carries orders of a kind. It is registered by the file that defines it, since it moves orders itself. */
export function registerOrderFlow(kind: OrderKind, flow: OrderFlow): OrderFlow {
  flows.set(kind, flow);
  return flow;
}

export function orderFlowOf(kind: OrderKind): OrderFlow | undefined {
  return flows.get(kind);
}
