import type { Ctx } from '../../../../context.ts';
import { LedgerError } from '../../../../ledger/index.ts';
import { tryMove } from '../../../../machine/machine.ts';
import { withSavepoint } from '../../../../store/tx.ts';
import type { Tx } from '../../../../store/types.ts';
import { type PayoutEvent, pullPayoutEvents } from '../../../payment-methods/index.ts';
import { changeOrder, noteOrder, type OrderChange } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import { type OrderEvent, orderMachineOf } from '../../state/machine.ts';
import { needsOperator } from '../../state/states.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { releaseCover } from '../cover.ts';
import { lostAccount } from '../deposit/postings.ts';
import { clearingOf } from '../ledger.ts';
import { lastingAttention } from '../refund/follow.ts';
import { explainWait, type PayoutFact, type PayoutFactStatus, payoutOf } from './fact.ts';
import { type HeldPayout, holdPayout, postReturn, settlePayout, voidPayout } from './ledger.ts';

/**
 * Takes from the vault what banks said of payouts. For the worker, every second and after each
 * payout; several at once share the work.
 */
export function receivePayoutEvents(ctx: Ctx): Promise<number> {
  return pullPayoutEvents(ctx, { handle: (tx, events) => followPayouts(ctx, tx, events) });
}

const soonMs = 100;
const soonTriesMax = 4;
const listening = new WeakMap<Ctx['store'], NodeJS.Timeout>();

/**
 * Hears a moment after a payout was asked for, and again a little later while there is nothing:
 * instead of at the next turn of the scheduled job, which alone would be enough. However many ask, one
 * listens.
 */
export function receiveSoon(ctx: Ctx, tries = 0): void {
  if (listening.has(ctx.store) || tries >= soonTriesMax) return;
  const timer = setTimeout(
    () => {
      receivePayoutEvents(ctx)
        .catch((error: unknown) => {
          ctx.log.warn({ err: error }, 'payouts could not be heard of at once');
          return 0;
        })
        .then((count) => {
          listening.delete(ctx.store);
          if (count === 0) receiveSoon(ctx, tries + 1);
        });
    },
    soonMs * 2 ** tries,
  );
  timer.unref();
  listening.set(ctx.store, timer);
}

const orderObject = /^order:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export async function followPayouts(
  ctx: Ctx,
  tx: Tx,
  events: readonly PayoutEvent[],
): Promise<void> {
  for (const event of events) {
    const id = orderObject.exec(event.data.object)?.[1];
    const order = id === undefined ? undefined : await lockOrder(tx, { by: 'id', id });
    if (order) await followBookable(ctx, tx, order, event);
  }
}

/**
 * What the ledger refuses is told to the operator: one payout that contradicts itself keeps no
 * other waiting.
 */
async function followBookable(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  event: PayoutEvent,
): Promise<void> {
  try {
    await withSavepoint(tx, 'payout_event', (inner) => followPayout(ctx, inner, order, event));
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    ctx.log.error(
      { err: error, orderId: order.id, event: event.id },
      'news of a payout cannot be booked',
    );
    await contradict(
      ctx,
      tx,
      order,
      `${event.type} of payout ${event.data.payoutId} cannot be booked`,
    );
  }
}

async function followPayout(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { type, data }: PayoutEvent,
): Promise<void> {
  const payout = payoutOf(order);
  if (payout?.id !== data.payoutId) {
    // Of the first of two: it was rejected, and says nothing new. The vault asks for attention when
    // its bank pays all the same.
    if (
      type === 'payouts.settled' ||
      type === 'payouts.returned' ||
      type === 'payouts.attention-needed'
    )
      await contradict(
        ctx,
        tx,
        order,
        [`${type} of an earlier payout ${data.payoutId}`, data.attention]
          .filter(Boolean)
          .join(': '),
      );
    return;
  }
  const held: HeldPayout = { ...payout, provider: payout.provider ?? data.provider };
  const news: News = { payout: held, at: new Date(data.at), ...reasonOf(data) };
  switch (type) {
    case 'payouts.held':
      if (data.held && (payout.status === 'asked' || payout.status === 'held'))
        await waits(ctx, tx, order, { ...payout, waitsFor: data.held });
      return;
    case 'payouts.submitted':
      if (payout.status === 'asked' || payout.status === 'held')
        await submitted(ctx, tx, order, news);
      return;
    case 'payouts.settled':
      await settled(ctx, tx, order, news);
      return;
    case 'payouts.final':
      await final(ctx, tx, order, news);
      return;
    case 'payouts.rejected':
      await rejected(ctx, tx, order, news);
      return;
    case 'payouts.canceled':
      // The vault's operator ended it: it is not asked for again.
      await rejected(ctx, tx, order, { ...news, accountUnusable: true });
      return;
    case 'payouts.returned':
      await returned(ctx, tx, order, news);
      return;
    case 'payouts.attention-needed':
      await move(ctx, tx, order, {
        event: 'attention-needed',
        set: { attention: `payout: ${data.attention ?? 'attention needed'}` },
      });
      return;
    case 'payouts.notice-of-change':
      return;
  }
}

interface News {
  readonly payout: HeldPayout;
  /** The bank's time. */
  readonly at: Date;
  readonly code?: string;
  readonly reason?: string;
  readonly accountUnusable?: boolean;
}

function reasonOf(data: PayoutEvent['data']): Pick<News, 'code' | 'reason' | 'accountUnusable'> {
  const { code, reason, accountUnusable } = data;
  return {
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(accountUnusable !== undefined && { accountUnusable }),
  };
}

/**
 * The bank has it; what it has of an order that had given its money back is lost. Whoever learns it
 * first writes it down: the answer to the asking, or the first event.
 */
export async function recordHold(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  payout: HeldPayout,
): Promise<OrderRecord> {
  const isCovered = await releaseCover(ctx, tx, order, payout.id);
  await holdPayout(ctx, tx, order, payout, isCovered ? clearingOf(order) : lostAccount);
  return noteOrder(ctx, tx, order, {
    event: 'payout-held',
    facts: { payout: { ...payout, status: 'held' } },
    note: `payout ${payout.id} by ${payout.rail} at ${payout.provider}`,
  });
}

/** The order stays as it is: what it waits for is written down, for whoever looks. */
async function waits(ctx: Ctx, tx: Tx, order: OrderRecord, payout: PayoutFact): Promise<void> {
  await noteOrder(ctx, tx, order, {
    event: 'payout-waits',
    facts: { payout },
    note: `payout ${payout.id} ${explainWait(payout)}`,
  });
}

async function submitted(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { payout: { waitsFor: _, ...payout }, at }: News,
): Promise<void> {
  const known = payout.status === 'asked' ? await recordHold(ctx, tx, order, payout) : order;
  const facts = { payout: { ...payout, status: 'held', submittedAt: at.toISOString() } };
  await noteOrder(ctx, tx, known, {
    event: 'payout-submitted',
    facts,
    note: `payout ${payout.id}: the bank has it`,
  });
}

async function settled(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { payout, at }: News,
): Promise<OrderRecord> {
  if (payout.status === 'rejected')
    return contradict(
      ctx,
      tx,
      order,
      `the bank has paid payout ${payout.id}, which it had rejected`,
    );
  if (payout.status !== 'asked' && payout.status !== 'held') return order;
  const known = payout.status === 'asked' ? await recordHold(ctx, tx, order, payout) : order;
  await settlePayout(ctx, tx, known, payout, at);
  const facts = { payout: { ...payout, status: 'settled' }, deliveredAt: at.toISOString() };
  return move(ctx, tx, known, {
    event: 'payout-settled',
    facts,
    set: { attention: lastingAttention(known) },
  });
}

async function final(ctx: Ctx, tx: Tx, order: OrderRecord, news: News): Promise<void> {
  const known = await settled(ctx, tx, order, news);
  if (payoutOf(known)?.status === 'settled')
    await move(ctx, tx, known, {
      event: 'payout-final',
      facts: { payout: { ...news.payout, status: 'final' } },
    });
}

async function rejected(ctx: Ctx, tx: Tx, order: OrderRecord, news: News): Promise<void> {
  const { payout, at } = news;
  if (payout.status === 'held') await voidPayout(ctx, tx, order, payout, at);
  else if (payout.status === 'asked') await releaseCover(ctx, tx, order, payout.id);
  else {
    if (payout.status !== 'rejected')
      await contradict(ctx, tx, order, `the bank rejected a payout that is ${payout.status}`);
    return;
  }
  await move(ctx, tx, order, {
    event: 'payout-rejected',
    facts: { payout: ended(news, 'rejected') },
    note: noteOf(news),
  });
}

async function returned(ctx: Ctx, tx: Tx, order: OrderRecord, news: News): Promise<void> {
  const known = await settled(ctx, tx, order, news);
  const status = payoutOf(known)?.status;
  if (status !== 'settled' && status !== 'final') return;
  const payout = ended(news, 'returned');
  await postReturn(ctx, tx, known, payout, news.at);
  await move(ctx, tx, known, {
    event: 'payout-returned',
    facts: { payout, failure: returnFailure },
    note: noteOf(news),
  });
}

const returnFailure: OrderFailure = {
  code: 'payout-returned',
  message: 'The bank of the recipient returned the payout.',
  retryPolicy: 'new-order',
};

function ended(
  { payout: { waitsFor: _, ...payout }, code, reason, accountUnusable }: News,
  status: PayoutFactStatus,
): HeldPayout {
  return {
    ...payout,
    status,
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(accountUnusable !== undefined && { accountUnusable }),
  };
}

const noteOf = ({ payout, code, reason }: News): string =>
  `payout ${payout.id}: ${[code, reason].filter(Boolean).join(' ')}`;

/**
 * Moves the order where its table allows it; news that fit no state are written down, and an
 * operator is told.
 */
async function move(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  change: OrderChange,
): Promise<OrderRecord> {
  if (tryMove(orderMachineOf(order.kind), order.state, change.event))
    return changeOrder(ctx, tx, order, change);
  const { event, facts, note } = change;
  const isAsked = needsOperator(order);
  if (!isAsked)
    ctx.log.error(
      { orderId: order.id, state: order.state, event },
      'a bank says what does not fit the order',
    );
  // Also of an order that has ended: a bank may pay what went back to the payer long ago.
  const attention =
    change.set?.attention ??
    (isAsked ? undefined : `the bank says ${event} of an order that is ${order.state}`);
  return noteOrder(ctx, tx, order, {
    event: event satisfies OrderEvent,
    ...(facts && { facts }),
    ...(note !== undefined && { note }),
    ...(attention !== undefined && { set: { attention } }),
  });
}

async function contradict(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  attention: string,
): Promise<OrderRecord> {
  ctx.log.error({ orderId: order.id, state: order.state }, attention);
  return noteOrder(ctx, tx, order, {
    event: 'payout-contradiction',
    set: { attention },
    note: attention,
  });
}
