import type { Ctx } from '../../../context.ts';
import { changeOrder } from '../state/change-order.ts';
import type { OrderRecord } from '../state/types.ts';
import type { Assessment, Lifecycle } from './lifecycle.ts';
import { type OrderStepResult, orderEffect } from './order-step.ts';

/** Whoever made or changed the order by a request assesses it too; the flow does it when that process died. Flows say why: a note. */
const headStartMs = 10_000;
const requestEvents = new Set(['created', 'completed', 'changed']);

/** An order in `quoted`: the flow assesses it where no request does. A quote that has ended meanwhile ends the order. */
export function assessOrder(lifecycle: Pick<Lifecycle, 'assess'>) {
  return orderEffect<Assessment>({
    states: ['quoted'],
    async prepare(ctx, tx, order) {
      if (isOver(ctx, order)) {
        await changeOrder(ctx, tx, order, { event: 'expired' });
        return { goto: 'look' };
      }
      const { rows } = await tx.query<{ event: string; note: string | null }>({
        name: 'order-state-event',
        text: 'select event, note from order_moves where order_id = $1 and to_state = $2 and from_state is distinct from to_state order by nr desc limit 1',
        values: [order.id, order.state],
      });
      const startsAt = new Date(order.updatedAt.getTime() + headStartMs);
      const byRequest = rows[0] !== undefined && requestEvents.has(rows[0].event) && rows[0].note === null;
      const waits = byRequest && startsAt > ctx.clock.now();
      return waits ? { goto: 'look', runAt: startsAt } : undefined;
    },
    perform: (ctx, order) => lifecycle.assess(ctx, order),
    async record(ctx, tx, order, assessment): Promise<OrderStepResult> {
      await changeOrder(ctx, tx, order, assessment);
      return { goto: 'look' };
    },
  });
}

function isOver(ctx: Pick<Ctx, 'clock'>, order: OrderRecord): boolean {
  return order.quoteExpiresAt !== undefined && order.quoteExpiresAt <= ctx.clock.now();
}
