import type { Ctx } from '../../../context.ts';
import { tryMove } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { changeOrder, noteOrder } from './change-order.ts';
import { orderMachineOf } from './machine.ts';
import { deadlineOf, stateRow } from './states.ts';
import { lockOrder, lockOverdueOrders } from './store.ts';
import type { OrderRecord } from './types.ts';

type SweepCtx = Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>;

const ordersPerTurnMax = 500;

const counts = { swept: 0, alarms: 0, failures: 0 };

/** Counters of this process, for metrics. */
export function sweepMetrics(): Readonly<typeof counts> {
  return { ...counts };
}

/**
 * Holds every order to its state's time limit: what is overdue is moved as its rule says, or its
 * operator is alarmed, again and again. For the worker; several at once share the work. @returns
 * how many were overdue
 */
export async function sweepOrders(ctx: SweepCtx): Promise<number> {
  const overdue = await ctx.store.transaction((tx) =>
    lockOverdueOrders(tx, { now: ctx.clock.now(), limit: ordersPerTurnMax }),
  );
  for (const { id } of overdue) {
    try {
      await ctx.store.transaction((tx) => sweepOrder(ctx, tx, id));
    } catch (error) {
      // One that cannot be moved keeps no other waiting.
      counts.failures += 1;
      ctx.log.error(
        { err: error, orderId: id },
        'an order is past its limit and could not be moved',
      );
    }
  }
  return overdue.length;
}

async function sweepOrder(ctx: SweepCtx, tx: Tx, id: string): Promise<void> {
  const order = await lockOrder(tx, { by: 'id', id });
  if (!order?.deadlineAt || order.deadlineAt > ctx.clock.now()) return;
  counts.swept += 1;
  const { atLimit, owner } = stateRow(order.state);
  const machine = orderMachineOf(order.kind);
  if (
    atLimit === undefined ||
    atLimit === 'alarm' ||
    tryMove(machine, order.state, atLimit) === undefined
  )
    return alarm(ctx, tx, order);
  const attention = `${order.state}: the ${owner} did not go on in time`;
  if (atLimit === 'attention-needed')
    ctx.log.error(
      { orderId: id, state: order.state, owner },
      'an order needs an operator: its time is over',
    );
  await changeOrder(ctx, tx, order, {
    event: atLimit,
    ...(atLimit === 'attention-needed' && { set: { attention }, note: attention }),
  });
}

/** The state stays; whoever owns it is called once more after as long again. */
async function alarm(ctx: SweepCtx, tx: Tx, order: OrderRecord): Promise<void> {
  counts.alarms += 1;
  const { owner } = stateRow(order.state);
  ctx.log.error(
    { orderId: order.id, state: order.state, owner, attention: order.attention },
    'an order has waited longer than it should',
  );
  const deadlineAt = deadlineOf(order.state, { now: ctx.clock.now(), quoteExpiresAt: undefined });
  await noteOrder(
    ctx,
    tx,
    { ...order, ...(deadlineAt && { deadlineAt }) },
    { event: 'alarm', note: `${order.state}: the ${owner} was alarmed` },
  );
}
