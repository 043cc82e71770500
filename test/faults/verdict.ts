import { operatorFunds } from '../../src/areas/deposits/index.ts';
import { isEnd as isEndState } from '../../src/areas/orders/state/states.ts';
import { selectMoves, selectOrder } from '../../src/areas/orders/state/store.ts';
import type { OrderRecord } from '../../src/areas/orders/state/types.ts';
import { sendCall } from '../harness/http.ts';
import type { OutsideBooks } from './books.ts';
import { type OrderFactsSeen, outsideOf, readOrderLedger } from './outside.ts';
import type { MadeOrder } from './payer.ts';
import { describePlan } from './plan.ts';
import type { PublishedEvent } from './published-events.ts';
import { judgeStray, readStray, type StrayFacts } from './strays.ts';
import { groupBy } from './sums.ts';
import { judgeEvents } from './verdict-events.ts';
import { judgeMoney } from './verdict-money.ts';
import { judgeWhole } from './verdict-whole.ts';
import type { FaultWorld } from './world.ts';

/** How an order ended, for those who read the run. */
export interface Ending {
  readonly made: MadeOrder;
  readonly state: string;
  readonly attention?: string;
}

/**
 * What was found wrong, and with which seeds; without one of them it is wrong in the books as a
 * whole.
 */
export class FindingsError extends Error {
  readonly seeds: readonly number[];
  constructor(seeds: readonly number[], problems: readonly string[]) {
    const where =
      seeds.length === 0 ? 'in the books as a whole' : `with the seeds ${seeds.join(', ')}`;
    super(`${problems.length} findings ${where}\n\n${problems.join('\n\n')}`);
    this.seeds = seeds;
  }
}

/** Holds orders to what must be true of them once the world is at peace. @throws FindingsError */
export async function judge(
  world: FaultWorld,
  input: {
    readonly orders: readonly MadeOrder[];
    readonly books: OutsideBooks;
    readonly told: readonly PublishedEvent[];
  },
): Promise<Ending[]> {
  const problems: string[] = [];
  const seeds: number[] = [];
  const endings: Ending[] = [];
  const received = groupBy(world.receiver.taken(), ({ orderId }) => orderId);
  const feed = groupBy(input.told, ({ orderId }) => orderId);
  for (const made of input.orders) {
    const order = (await selectOrder(world.ctx.store, { by: 'id', id: made.orderId }))!;
    const view = (
      await sendCall(`${world.plainApiUrl}/2022-06-09/orders/${made.orderId}`, 'GET', {
        key: world.serverKey,
      })
    ).body;
    const ledger = await readOrderLedger(world, made.orderId);
    const moves = (await selectMoves(world.ctx.store, order.id)).map(({ event }) => event);
    const stray = made.stray && (await readStray(world, input.books, made.stray));
    const given = stray?.known.some((one) => one.counts && one.order === order.id)
      ? stray
      : undefined;
    const facts = {
      made,
      order,
      view,
      moves,
      outside: await outsideOf(world, input.books, { made, given }),
      ledger,
    };
    const events = {
      feed: feed.get(made.orderId) ?? [],
      received: received.get(made.orderId) ?? [],
      view,
    };
    const found = [
      ...judgeEnd(world, facts),
      ...judgeMoney(facts),
      ...judgeEvents(events),
      ...(await judgeRequests(world, facts)),
      ...(await judgeDispute(world, facts)),
      ...(stray ? judgeStray(stray) : []),
    ];
    countWhatBecame(world, facts, stray);
    if (found.length > 0) {
      seeds.push(made.plan.seed);
      problems.push(await describeProblem(world, made, order, found));
    }
    endings.push({
      made,
      state: order.state,
      ...(order.attention !== undefined && { attention: order.attention }),
    });
  }
  problems.push(...(await judgeWhole(world, input.books)));
  if (problems.length > 0) throw new FindingsError(seeds, problems);
  return endings;
}

async function describeProblem(
  world: FaultWorld,
  made: MadeOrder,
  order: OrderRecord,
  found: readonly string[],
): Promise<string> {
  const moves = (await selectMoves(world.ctx.store, order.id)).map(
    ({ event, to, note }) => `    ${event} → ${to} ${note ?? ''}`,
  );
  const flows = (await selectFlows(world, order.id)).map((row) => `    flow ${row}`);
  return [
    `${describePlan(made.plan)} (order ${order.id})`,
    ...found.map((one) => `  ${one}`),
    ...moves,
    ...flows,
  ].join('\n');
}

/** Where the flows of an order stand, and why: an order that stands still has one that does. */
async function selectFlows({ ctx }: FaultWorld, orderId: string): Promise<string[]> {
  const { rows } = await ctx.store.query<{ text: string }>({
    text: `select row_to_json(f)::text as text
      from (select kind, step, status, attempts, run_at, last_error from flows where key = $1 or state ->> 'orderId' = $1 limit 20) f`,
    values: [orderId],
  });
  return rows.map(({ text }) => text);
}

/** Counted by what was written down: whoever decided may not have had an answer. */
function countWhatBecame(
  { tally }: FaultWorld,
  { outside, moves }: OrderFactsSeen,
  stray: StrayFacts | undefined,
): void {
  if (outside.payouts.some(({ cameBackLate }) => cameBackLate))
    tally.add('a payout was returned after it was final');
  if (moves.includes('refund-request-accepted')) tally.add('a refund was granted');
  if (moves.includes('refund-request-rejected')) tally.add('a refund was not granted');
  const became = stray?.known.find(({ counts }) => counts);
  if (became?.order) tally.add('a deposit was given to its order');
  else if (became?.resolution === operatorFunds) tally.add('a deposit was kept by its operator');
  else if (became && became.refunds.length > 0)
    tally.add('a deposit was sent back by its operator');
}

const waiting = new Set(['on_hold', 'needs_operator']);

/** It has ended, or waits for an operator for a reason that is written down. */
function judgeEnd({ clock }: FaultWorld, { order, ledger, moves }: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const isEnd = isEndState(order.state);
  if (!isEnd && !waiting.has(order.state)) problems.push(`it is still ${order.state}`);
  if (waiting.has(order.state) && order.attention === undefined)
    problems.push(`it is ${order.state} and does not say why`);
  if (order.deadlineAt && order.deadlineAt < clock.now())
    problems.push(`${order.state} should have ended at ${order.deadlineAt.toISOString()}`);
  const isKnown =
    order.attention !== undefined || order.state === 'closed' || moves.includes('acknowledged');
  if (isEnd && ledger.stuckMicro > 0n && !isKnown)
    problems.push(`${ledger.stuckMicro} could not go back, and nobody is told`);
  if (isEnd && ledger.clearing.length > 0)
    problems.push(`its clearing account holds ${ledger.clearing.join(', ')}`);
  return problems;
}

/** A line item is asked back once, and an accepted request ends with the money. */
async function judgeRequests(
  { ctx }: FaultWorld,
  { order, moves }: OrderFactsSeen,
): Promise<string[]> {
  const { rows } = await ctx.store.query<{ status: string }>({
    text: 'select status from order_refund_requests where order_id = $1',
    values: [order.id],
  });
  const problems = rows.length > 1 ? [`it was asked back ${rows.length} times`] : [];
  const grants = moves.filter((event) => event === 'refund-granted').length;
  if (grants > 1) problems.push(`a refund was granted ${grants} times`);
  if (order.state === 'refunded' && grants === 1 && rows[0]!.status !== 'completed')
    problems.push(`it is refunded by agreement, and the request is ${rows[0]!.status}`);
  return problems;
}

/** The service knows of the dispute what the acquirer knows. */
async function judgeDispute(
  { ctx }: FaultWorld,
  { order, outside }: OrderFactsSeen,
): Promise<string[]> {
  const { rows } = await ctx.store.query<{ status: string; amount: string }>({
    text: 'select status, amount_minor::text as amount from order_disputes where order_id = $1',
    values: [order.id],
  });
  const ours = rows.map(({ status, amount }) => `${status} ${amount}`).join();
  const theirs = outside.disputes
    .map(({ status, amountMinor }) => `${status} ${amountMinor}`)
    .join();
  return ours === theirs
    ? []
    : [`the acquirer has the disputes "${theirs}", and the service "${ours}"`];
}
