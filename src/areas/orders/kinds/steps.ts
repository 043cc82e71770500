import type { Ctx } from '../../../context.ts';
import { databaseStep, effectStep, type Step, type StepResult } from '../../../jobs/index.ts';
import { tryMove } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { isQuoteOver } from '../pricing/quote-life.ts';
import { changeOrder } from '../state/change-order.ts';
import { orderMachineOf } from '../state/machine.ts';
import { type OrderTurn, stateRow } from '../state/states.ts';
import { lockOrder, refuseChanged, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import type { OrderFlowState } from './flow-registry.ts';
import type { Assessment, Lifecycle } from './lifecycle.ts';

/** Where an order's flow goes on: `look` finds the step that its state asks for. */
export type OrderStepResult = StepResult<OrderFlowState>;

/**
 * A company that is down is asked for as long as a state may last: the sweep ends the waiting, not
 * the number of tries, and the flow must still be there when the operator goes on.
 */
const retry = { attemptsMax: 50_000, baseMs: 1_000, delayMsMax: 10 * 60_000 };
const timeoutMs = 90_000;

/** True while the state of an order asks for the effect. */
export function isTurnOf(
  { turn }: Pick<OrderEffect<never>, 'turn'>,
  { state }: Pick<OrderRecord, 'state'>,
): boolean {
  return [turn].flat().includes(stateRow(state).turn);
}

export interface OrderEffect<O> {
  /** The step works on orders whose state asks for it; all others go back to `look`. */
  readonly turn: OrderTurn | readonly OrderTurn[];
  /**
   * Stores what the effect needs before it is tried, e.g. the key of a refund; a result instead of
   * it leaves the step.
   */
  prepare?(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult | undefined>;
  /** Outside of any transaction, and maybe more than once: every key it uses is the order's. */
  perform(ctx: Ctx, order: OrderRecord): Promise<O>;
  /** With the order locked, and still in one of the states. */
  record(ctx: Ctx, tx: Tx, order: OrderRecord, outcome: O): Promise<OrderStepResult>;
}

const look: OrderStepResult = { goto: 'look' };

/**
 * A step of an order's flow that asks somebody outside. Whoever else moves the order meanwhile
 * wins: the outcome is looked up anew.
 */
export function orderEffect<O>(effect: OrderEffect<O>): Step<OrderFlowState, Ctx> {
  const fits = (order: OrderRecord | undefined): order is OrderRecord =>
    order !== undefined && isTurnOf(effect, order);
  return effectStep<
    OrderFlowState,
    Record<string, never>,
    { readonly outcome: O } | undefined,
    Ctx
  >({
    retry,
    timeoutMs,
    prepare: async (ctx, tx, { state }) => {
      const order = await lockOrder(tx, { by: 'id', id: state.orderId });
      if (!fits(order) || order.sealProblem) return look;
      return (await effect.prepare?.(ctx, tx, order)) ?? { intent: {} };
    },
    perform: async (ctx, { state }) => {
      const order = await selectOrder(ctx.store, { by: 'id', id: state.orderId });
      return fits(order) && !order.sealProblem
        ? { outcome: await effect.perform(ctx, order) }
        : undefined;
    },
    record: async (ctx, tx, { state }, done) => {
      const order = await lockOrder(tx, { by: 'id', id: state.orderId });
      return done && fits(order) && !order.sealProblem
        ? effect.record(ctx, tx, order, done.outcome)
        : look;
    },
  });
}

/**
 * How a kind of orders takes its turns: the name of a step of its flow, or what decides about it.
 * Without a word about one it waits for news.
 */
export type OrderTurns = { readonly news: OrderTurnRule } & {
  readonly [turn in OrderTurn]?: string | OrderTurnRule;
};
type OrderTurnRule = (
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
) => OrderStepResult | Promise<OrderStepResult>;

/**
 * The first step of an order's flow: finds the step that its state asks for. One that was changed
 * behind the service is an operator's.
 */
export function lookStep(turns: OrderTurns) {
  return databaseStep<OrderFlowState, Ctx>({
    run: async (ctx, tx, { state }) => {
      const order = await lockOrder(tx, { by: 'id', id: state.orderId });
      if (!order) return { fail: 'there is no such order' };
      if (order.sealProblem) return leaveChanged(ctx, tx, order);
      const { turn } = stateRow(order.state);
      if (turn === 'done') return { done: true };
      const next = turns[turn] ?? turns.news;
      return typeof next === 'string' ? { goto: next } : next(ctx, tx, order);
    },
  });
}

/** An operator has been told; the row may be as it was sealed again, or accepted, by then. */
const changedPauseMs = 24 * 3_600_000;

async function leaveChanged(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const { message: attention } = refuseChanged(tx, order);
  if (tryMove(orderMachineOf(order.kind), order.state, 'attention-needed') !== undefined)
    await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + changedPauseMs) };
}

const second = 1_000;

/**
 * Looks again later: often at first, and less and less as the state lasts. A wake-up makes it at
 * once.
 */
export function sleepByAge(
  ctx: Pick<Ctx, 'clock'>,
  order: Pick<OrderRecord, 'updatedAt'>,
  { maxMs, until }: { readonly maxMs: number; readonly until?: Date | undefined },
): OrderStepResult {
  const now = ctx.clock.now().getTime();
  const waitMs = Math.min(maxMs, Math.max(second, (now - order.updatedAt.getTime()) / 5));
  const at =
    until && until.getTime() > now ? Math.min(now + waitMs, until.getTime()) : now + waitMs;
  return { goto: 'look', runAt: new Date(at) };
}

/**
 * Whoever made or changed the order by a request assesses it too; the flow does it when that
 * process died. Flows say why: a note.
 */
const headStartMs = 10_000;
const requestEvents = new Set(['created', 'completed', 'changed']);

/**
 * An order in `quoted`: the flow assesses it where no request does. A quote that has ended
 * meanwhile ends the order.
 */
export function assessOrder(lifecycle: Pick<Lifecycle, 'assess'>) {
  return orderEffect<Assessment>({
    turn: 'assess',
    async prepare(ctx, tx, order) {
      if (isQuoteOver(order, ctx.clock.now())) {
        await changeOrder(ctx, tx, order, { event: 'expired' });
        return { goto: 'look' };
      }
      const { rows } = await tx.query<{ event: string; note: string | null }>({
        name: 'order-state-event',
        text: 'select event, note from order_moves where order_id = $1 and to_state = $2 and from_state is distinct from to_state order by nr desc limit 1',
        values: [order.id, order.state],
      });
      const startsAt = new Date(order.updatedAt.getTime() + headStartMs);
      const byRequest =
        rows[0] !== undefined && requestEvents.has(rows[0].event) && rows[0].note === null;
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

const pollMsMax = 30_000;

/**
 * The payer has something to do: looks again from time to time, and ends the order with its quote.
 */
export async function waitForPayer(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  if (
    stateRow(order.state).atLimit === 'expired' &&
    order.deadlineAt &&
    order.deadlineAt <= ctx.clock.now()
  ) {
    await changeOrder(ctx, tx, order, { event: 'expired' });
    return { goto: 'look' };
  }
  return sleepByAge(ctx, order, { maxMs: pollMsMax, until: order.deadlineAt });
}
