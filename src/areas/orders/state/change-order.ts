import type { Ctx } from '../../../context.ts';
import { appendEvents, type DomainEvent } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { move } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { wakeOrder } from '../kinds/flow-registry.ts';
import { releaseStockAtEnd } from '../legs/delivery/stock.ts';
import { completeRefundRequests, type RefundRequestStatus } from '../legs/refund/requests-store.ts';
import { releaseAtEnd } from '../limits/release-limits.ts';
import { type OrderEvent, orderMachineOf } from './machine.ts';
import { type PublicStatus, publicStatusOf } from './public-status.ts';
import { startReceipt } from './receipts.ts';
import { deadlineOf, isParked } from './states.ts';
import { insertMove, insertOrder, updateOrder } from './store.ts';
import type { OrderFacts, OrderRecord } from './types.ts';
import { orderView } from './view.ts';

type ChangeCtx = Pick<Ctx, 'clock' | 'ids' | 'log' | 'store'>;

/**
 * What a move writes beside the state. Absent fields stay; `undefined` in `facts` clears that fact.
 */
export interface OrderChange {
  readonly event: OrderEvent;
  readonly facts?: Partial<OrderFacts>;
  readonly set?: Partial<
    Pick<
      OrderRecord,
      | 'request'
      | 'terms'
      | 'quotedAt'
      | 'quoteExpiresAt'
      | 'userId'
      | 'userLocator'
      | 'payerKey'
      | 'recipientKey'
      | 'memo'
      | 'paidCurrency'
      | 'cardReference'
      | 'payoutId'
      | 'attention'
    >
  >;
  /** Why the order is incomplete, when it is. */
  readonly quote?: PublicStatus['quote'];
  /** Of an order of several line items: what the state alone does not tell. */
  readonly delivery?: PublicStatus['delivery'];
  /** For the history; no personal data. */
  readonly note?: string;
  /** The price was made (again): tells `orders.quote.created` or `.updated`. */
  readonly priced?: boolean;
}

export type NewOrder = Omit<
  OrderRecord,
  'state' | 'publicStatus' | 'deadlineAt' | 'version' | 'updatedAt' | 'resumeState'
>;

/**
 * Stores a new order in its first state and tells of it. Its flow is for the caller to start, in
 * the same transaction.
 */
export async function openOrder(
  ctx: ChangeCtx,
  tx: Tx,
  order: NewOrder,
  {
    event,
    quote,
  }: { readonly event: 'created' | 'created-incomplete'; readonly quote?: PublicStatus['quote'] },
): Promise<OrderRecord> {
  const state = move(orderMachineOf(order.kind), '*', event);
  const now = ctx.clock.now();
  const deadlineAt = deadlineOf(state, { now, quoteExpiresAt: order.quoteExpiresAt });
  const record: OrderRecord = {
    ...order,
    state,
    publicStatus: publicStatusOf(state, undefined, quote === undefined ? {} : { quote }),
    ...(deadlineAt && { deadlineAt }),
    version: 1,
    updatedAt: now,
  };
  await insertOrder(tx, record);
  await insertMove(tx, { orderId: record.id, nr: 1, event, to: state, at: now });
  await appendEvents(tx, order.terms ? [eventOf(record, 'orders.quote.created')] : [], ctx);
  return record;
}

/**
 * Moves a locked order: its state by its table, its history, its events, and its flow is woken.
 * Everything in the caller's transaction, beside the ledger entries that belong to the move.
 * @throws conflict when the order is not the one that was locked
 */
export async function changeOrder(
  ctx: ChangeCtx,
  tx: Tx,
  order: OrderRecord,
  change: OrderChange,
): Promise<OrderRecord> {
  const state = move(orderMachineOf(order.kind), order.state, change.event);
  return saveOrder(ctx, tx, order, { ...change, state });
}

/** Writes facts of a locked order that do not move it. */
export async function noteOrder(
  ctx: ChangeCtx,
  tx: Tx,
  order: OrderRecord,
  change: Pick<OrderChange, 'facts' | 'set' | 'note' | 'priced' | 'quote'> & {
    /** For the history, e.g. `deposit-second`; not an event of the table. */
    readonly event: string;
  },
): Promise<OrderRecord> {
  return saveOrder(ctx, tx, order, { ...change, state: order.state });
}

async function saveOrder(
  ctx: ChangeCtx,
  tx: Tx,
  order: OrderRecord,
  change: Omit<OrderChange, 'event'> & {
    readonly event: string;
    readonly state: OrderRecord['state'];
  },
): Promise<OrderRecord> {
  const { state } = change;
  const now = ctx.clock.now();
  const { deadlineAt: _, resumeState: __, ...rest } = order;
  const stays = state === order.state;
  const merged = { ...rest, ...change.set };
  const deadlineAt =
    stays && change.set?.quoteExpiresAt === undefined
      ? order.deadlineAt
      : deadlineOf(state, { now, quoteExpiresAt: merged.quoteExpiresAt });
  const resumeState = stays ? order.resumeState : isParked({ state }) ? order.state : undefined;
  const changed: OrderRecord = {
    ...merged,
    state,
    publicStatus:
      stays && change.quote === undefined
        ? order.publicStatus
        : publicStatusOf(state, order.publicStatus, overOf(change)),
    facts: { ...order.facts, ...change.facts },
    ...(deadlineAt && { deadlineAt }),
    ...(resumeState && { resumeState }),
    version: order.version + 1,
    updatedAt: now,
  };
  if (!(await updateOrder(tx, changed, order))) throw new ServiceError('conflict');
  await insertMove(tx, {
    orderId: order.id,
    nr: changed.version,
    from: order.state,
    event: change.event,
    to: state,
    ...(change.note !== undefined && { note: change.note }),
    at: now,
  });
  await appendEvents(tx, eventsOf(order, changed, change.priced === true), ctx);
  if (!stays) await wakeOrder(ctx, tx, changed);
  if (!stays) await startReceipt(ctx, tx, changed);
  if (!stays && state === 'refunded')
    await completeRefundRequests(tx, { orderId: order.id, from: answeredBy(order), at: now });
  // Last: counters stay locked until the transaction ends.
  if (!stays) await releaseAtEnd(ctx, tx, changed);
  if (!stays) await releaseStockAtEnd(tx, changed);
  return changed;
}

/**
 * An offramp goes back as a whole, whoever asked for it; elsewhere other line items may wait for
 * their decision.
 */
function answeredBy({ kind }: OrderRecord): readonly RefundRequestStatus[] {
  return kind === 'offramp' ? ['initiated', 'accepted'] : ['accepted'];
}

function overOf({
  quote,
  delivery,
}: Pick<OrderChange, 'quote' | 'delivery'>): Parameters<typeof publicStatusOf>[2] {
  return { ...(quote && { quote }), ...(delivery && { delivery }) };
}

/** What receivers of events are told: a change of what callers see, each once. */
function eventsOf(before: OrderRecord, after: OrderRecord, priced: boolean): DomainEvent[] {
  const types: string[] = [];
  if (priced) types.push(before.terms ? 'orders.quote.updated' : 'orders.quote.created');
  const { payment, delivery } = after.publicStatus;
  if (payment !== before.publicStatus.payment) {
    if (payment === 'completed') types.push('orders.payment.succeeded');
    if (payment === 'failed' || payment === 'failed-kyc') types.push('orders.payment.failed');
    if (payment === 'refunded') types.push('orders.payment.refunded');
  }
  if (isInitiation(before, after)) types.push('orders.delivery.initiated');
  if (delivery !== before.publicStatus.delivery) {
    if (delivery === 'completed') types.push('orders.delivery.completed');
    const failed =
      delivery === 'failed' ||
      (delivery === 'partial-delivery' && before.publicStatus.delivery === 'in-progress');
    if (failed) types.push('orders.delivery.failed');
  }
  return types.map((type) => eventOf(after, type));
}

/**
 * A payout is initiated when the bank is asked for it first, a delivery of tokens when its transfer
 * is stored.
 */
function isInitiation(before: OrderRecord, after: OrderRecord): boolean {
  if (before.state === after.state) return false;
  return after.kind === 'offramp'
    ? before.state === 'converting' && after.state === 'payout_submitted'
    : after.state === 'delivering';
}

function eventOf(order: OrderRecord, type: string): DomainEvent {
  return { projectId: order.projectId, type, object: `order:${order.id}`, data: orderView(order) };
}
