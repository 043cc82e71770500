import type { Ctx } from '../../../context.ts';
import type { Tx } from '../../../store/types.ts';
import { changeOrder } from '../state/change-order.ts';
import { stateRules } from '../state/state-rules.ts';
import type { OrderRecord } from '../state/types.ts';
import { type OrderStepResult, sleepByAge } from './order-step.ts';

const pollMsMax = 30_000;

/** The payer has something to do: looks again from time to time, and ends the order with its quote. */
export async function waitForPayer(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const rule = stateRules[order.state];
  if (rule.atLimit === 'expired' && order.deadlineAt && order.deadlineAt <= ctx.clock.now()) {
    await changeOrder(ctx, tx, order, { event: 'expired' });
    return { goto: 'look' };
  }
  return sleepByAge(ctx, order, { maxMs: pollMsMax, until: order.deadlineAt });
}
