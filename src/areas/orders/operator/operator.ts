import type { Ctx } from '../../../context.ts';
import { wakeFlow } from '../../../jobs/index.ts';
import { postEntries, readBalances } from '../../../ledger/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { tryMove } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { selectDepositsOfOrder } from '../../deposits/index.ts';
import type { RecordChange } from '../../operations/index.ts';
import { readPayout } from '../../payment-methods/index.ts';
import { wakeOrder } from '../kinds/flow-registry.ts';
import { isBooked } from '../legs/card/payment.ts';
import { releaseCover, releaseUnsent } from '../legs/cover.ts';
import { bookArrived, requireNoDelivery } from '../legs/delivery/follow.ts';
import { countContinuedStock } from '../legs/delivery/stock.ts';
import { heldAccount, lostAccount } from '../legs/deposit/postings.ts';
import { countDeposits, rulesOf } from '../legs/deposit/rules.ts';
import { readPaying } from '../legs/deposit/settle.ts';
import { clearingOf, leg } from '../legs/ledger.ts';
import { isPaidOut, payoutOf } from '../legs/payout/fact.ts';
import { unwindConversion } from '../legs/payout/steps.ts';
import { orderRefundFlow } from '../legs/refund/flow.ts';
import { isStopped, retryRefund } from '../legs/refund/follow.ts';
import {
  type ChainRefund,
  isOwedByOrder,
  lockRefund,
  selectRefundsOfOrder,
} from '../legs/refund/store.ts';
import { isCardUncaptured, requireNoCardRefund } from '../legs/refund/under-way.ts';
import { countContinued } from '../limits/requote-limits.ts';
import { changeOrder, noteOrder } from '../state/change-order.ts';
import type { OrderFailure } from '../state/failures.ts';
import { type OrderEvent, orderMachineOf } from '../state/machine.ts';
import { isParked, needsOperator } from '../state/states.ts';
import { lockOrder, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

/**
 * What an operator decides about an order. Each is checked, and written into the order's history
 * with its note.
 */
export interface OperatorInput {
  readonly projectId: string;
  readonly orderId: string;
  /** Why; no personal data. */
  readonly note: string;
  /** Writes down what was decided (`rules.ts`). */
  readonly record?: RecordChange;
}

/** Lets an order in `on_hold` go on. @throws order-not-found, conflict */
export function releaseHold(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  return decide(ctx, input, async (tx, order) => {
    if (order.kind !== 'onramp') await requireCovered(tx, order);
    return move(ctx, tx, order, 'released', {
      note: input.note,
      facts: { holdReason: undefined, ...releasedFacts[String(order.facts.holdReason)] },
    });
  });
}

/** What is not looked at again, by why the order was held. */
const releasedFacts: Readonly<Record<string, Partial<OrderRecord['facts']>>> = {
  screening: { screeningReleased: true },
  'deposit-unproven': { depositsReleased: true },
};

/**
 * Ends an order in `on_hold`: what was paid goes back, or is not taken.
 * @throws order-not-found, conflict
 */
export function refuseHold(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  const failure: OrderFailure = {
    code: 'screening-rejected',
    message: 'The payment was refused.',
    retryPolicy: 'none',
  };
  return decide(ctx, input, (tx, order) => {
    if (order.state !== 'on_hold') throw refusal(order, 'refused');
    return move(ctx, tx, order, 'refused', {
      note: input.note,
      facts: { failure, holdReason: undefined },
    });
  });
}

/**
 * Sends back what an order in `needs_operator` has; refunds that could not be sent are tried again.
 * @throws order-not-found, conflict
 */
export async function resolveByRefund(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  await forgetUnasked(ctx, input);
  const isUncaptured = await isCardUncaptured(ctx, input);
  return decide(ctx, input, async (tx, order) => {
    requireNoPayout(order);
    requireCardPayment(order);
    await requireNoDelivery(tx, order);
    for (const { id, status } of await selectRefundsOfOrder(tx, order.id))
      if (status === 'failed') await resendRefund(ctx, tx, id);
    // What was not taken is released instead; when it is taken all the same meanwhile, the operator
    // is asked again.
    return move(ctx, tx, order, isUncaptured && !isBooked(order) ? 'refused' : 'operator-refunds', {
      note: input.note,
    });
  });
}

/**
 * Has an order in `needs_operator` screened and paid out, or delivered, anew.
 * @throws order-not-found, conflict
 */
export async function resolveByContinuing(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  await forgetUnasked(ctx, input);
  await requireNoCardRefund(ctx, input, 'delivery');
  return decide(ctx, input, async (tx, order) => {
    requireNoPayout(order);
    requireCardPayment(order);
    if (order.facts.refundGrants)
      throw conflict(
        'The order was delivered, and is paid back by agreement: refund it, or close it.',
      );
    if (tryMove(orderMachineOf(order.kind), order.state, 'operator-continues') === undefined)
      throw refusal(order, 'continued');
    const unwound =
      order.kind === 'offramp' ? ((await unwindConversion(ctx, tx, order)) ?? order) : order;
    if (order.kind !== 'onramp') {
      const refunds = (await selectRefundsOfOrder(tx, order.id)).filter(isOwedByOrder);
      if (refunds.length > 0)
        throw conflict('What was paid is on its way back already: refund it instead.');
      await requireCovered(tx, unwound);
    }
    const continued = await move(ctx, tx, unwound, 'operator-continues', { note: input.note });
    await countContinued(ctx, tx, continued);
    await countContinuedStock(ctx, tx, continued);
    return continued;
  });
}

/**
 * Ends an order in `needs_operator` that was settled by hand; what it owed is set aside.
 * @throws order-not-found; conflict, also while tokens may still arrive that nobody would book
 */
export async function resolveByClosing(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  await forgetUnasked(ctx, input);
  await requireNoCardRefund(ctx, input, 'end');
  return decide(ctx, input, async (tx, order) => {
    requireNoPayout(order);
    const booked = await bookArrived(ctx, tx, order);
    const closed = await move(ctx, tx, booked, 'operator-closes', { note: input.note });
    await setAside(ctx, tx, closed, input.note);
    return closed;
  });
}

/**
 * Takes away the attention of an order that goes on by itself or has ended, e.g. after a dispute:
 * it does not wait for the operator.
 * @throws order-not-found, conflict
 */
export function acknowledgeAttention(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  return decide(ctx, input, async (tx, order) => {
    if (order.attention === undefined) throw conflict('The order asks for no attention.');
    if (isParked(order))
      throw conflict(`The order is ${order.state}: it waits for a decision (hold, resolve).`);
    return noteOrder(ctx, tx, order, {
      event: 'acknowledged',
      set: { attention: undefined },
      note: `operator: ${input.note}`,
    });
  });
}

/**
 * Has the flow of an order ask acquirer, bank and chain at once, instead of at its next turn. It
 * changes nothing by itself.
 * @throws order-not-found, conflict of an order that waits for its operator
 */
export function lookNow(ctx: Ctx, input: OperatorInput): Promise<OrderRecord> {
  return decide(ctx, input, async (tx, order) => {
    if (isParked(order))
      throw conflict(`The order is ${order.state}: it waits for a decision (hold, resolve).`);
    await wakeOrder(ctx, tx, order);
    for (const refund of await selectRefundsOfOrder(tx, order.id))
      if (refund.status === 'pending') await wakeFlow(ctx, tx, orderRefundFlow, refund.id);
    return order;
  });
}

/** Tries a refund again that could not be sent. */
export async function resendRefund(
  ctx: Ctx,
  tx: Tx,
  refundId: string,
): Promise<ChainRefund | undefined> {
  const refund = await lockRefund(tx, { id: refundId });
  if (refund?.status !== 'failed') return refund;
  const pending = await retryRefund(ctx, tx, refund);
  await wakeFlow(ctx, tx, orderRefundFlow, refund.id);
  return pending;
}

async function decide(
  ctx: Ctx,
  { projectId, orderId, note, record }: OperatorInput,
  decision: (tx: Tx, order: OrderRecord) => Promise<OrderRecord>,
): Promise<OrderRecord> {
  if (note.trim() === '')
    throw new ServiceError('validation-error', {
      message: 'Say why: --note "…" is kept in the history of the order.',
    });
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: orderId });
    if (!order || order.projectId !== projectId)
      throw new ServiceError('order-not-found', { message: `There is no order ${orderId}.` });
    const decided = await decision(tx, order);
    await record?.(tx, {
      subject: `order:${orderId}`,
      changed: { state: [order.state, decided.state] },
    });
    return decided;
  });
}

async function move(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  event: OrderEvent,
  change: { readonly note: string; readonly facts?: Partial<OrderRecord['facts']> },
): Promise<OrderRecord> {
  if (tryMove(orderMachineOf(order.kind), order.state, event) === undefined)
    throw refusal(order, event);
  const { note, facts } = change;
  await releaseUnsent(ctx, tx, order);
  if (event !== 'operator-closes') await resendFailed(ctx, tx, order);
  return changeOrder(ctx, tx, order, {
    event,
    note: `operator: ${note}`,
    set: { attention: undefined },
    ...(facts && { facts }),
  });
}

/**
 * What could not go back beside the order, e.g. what was too much of a payer on a sanctions list:
 * the attention for it ends here.
 */
async function resendFailed(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<void> {
  for (const refund of await selectRefundsOfOrder(tx, order.id))
    if (refund.status === 'failed' && !isOwedByOrder(refund) && !isStopped(refund))
      await resendRefund(ctx, tx, refund.id);
}

/** Longer than a call of the vault that was under way when the order stopped can take. */
const askedWithinMs = 3 * 60_000;

/**
 * An order may have stopped before the vault was asked for its payout: where the vault knows none,
 * none is under way.
 * @throws provider-unavailable when the vault cannot say
 */
async function forgetUnasked(ctx: Ctx, { orderId }: OperatorInput): Promise<void> {
  const seen = await selectOrder(ctx.store, { by: 'id', id: orderId });
  const payout = seen && payoutOf(seen);
  if (!seen || payout?.status !== 'asked' || !needsOperator(seen)) return;
  if (ctx.clock.now().getTime() - seen.updatedAt.getTime() < askedWithinMs) return;
  if (await readPayout(ctx, { projectId: seen.projectId, payoutId: payout.id })) return;
  await ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: orderId });
    if (order?.version !== seen.version) return;
    await releaseCover(ctx, tx, order, payout.id);
    const facts = { payout: { ...payout, status: 'rejected', code: 'never-asked' } };
    await noteOrder(ctx, tx, order, {
      event: 'payout-never-asked',
      facts,
      note: `the vault knows no payout ${payout.id}`,
    });
  });
}

/** Money that a bank may still pay is neither sent back nor paid again. */
function requireNoPayout(order: OrderRecord): void {
  const payout = payoutOf(order);
  if (!payout || !isPaidOut(order)) return;
  throw conflict(
    `Payout ${payout.id} is ${payout.status}: a bank may pay it, or has. See purser payouts show ${payout.id}; what is marked there moves the order.`,
  );
}

async function requireCovered(tx: Tx, order: OrderRecord): Promise<void> {
  const { sumMinor } = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
  if (countDeposits(order.terms!, rulesOf(order), sumMinor).fit === 'short')
    throw conflict(
      'The deposits of the order are not there (any more): it cannot go on without them.',
    );
}

/**
 * Of an order that is paid by card: whether there is a payment to release, give back or deliver
 * for.
 */
function requireCardPayment(order: OrderRecord): void {
  if (order.kind === 'onramp' && order.cardReference === undefined)
    throw conflict('The order has no payment at the acquirer: nobody has paid anything. Close it.');
}

/**
 * At its end an order owes nobody anything: what is left is the operator's to look after, what is
 * overdrawn is lost.
 */
async function setAside(ctx: Ctx, tx: Tx, order: OrderRecord, note: string): Promise<void> {
  const account = clearingOf(order);
  const balances = await readBalances(tx, { projectId: order.projectId, account, limit: 100 });
  const postings = balances.flatMap(({ asset, postedMinor }) =>
    postedMinor === 0n
      ? []
      : leg(postedMinor < 0n ? heldAccount : lostAccount, account, {
          asset,
          amountMinor: -postedMinor,
        }),
  );
  if (postings.length === 0) return;
  const { projectId, id: orderId } = order;
  await postEntries(ctx, tx, [
    {
      projectId,
      orderId,
      reference: `order-closed:${orderId}`,
      kind: 'closed-by-operator',
      effectiveAt: ctx.clock.now(),
      postings,
      data: { note },
    },
  ]);
}

function refusal(order: OrderRecord, what: string): ServiceError {
  return conflict(`The order is ${order.state}: it cannot be ${what} there.`);
}

export function conflict(message: string): ServiceError {
  return new ServiceError('conflict', { message });
}
