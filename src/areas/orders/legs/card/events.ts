import type { Ctx } from '../../../../context.ts';
import { defineFlow, effectStep, startFlow } from '../../../../jobs/index.ts';
import type { CardDispute, CardEvent } from '../../../../providers/card/card.ts';
import type { Tx } from '../../../../store/types.ts';
import { wakeOrder } from '../../kinds/flow-registry.ts';
import { requireCard } from '../../kinds/onramp/onramp.ts';
import { lockOrder, selectOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type DisputeEvent, followDispute } from './disputes.ts';
import { referenceOf } from './payment.ts';

/**
 * News of the acquirer. Of payments and refunds only that there is news is used: the order's flow
 * looks by itself. Disputes have no such flow: what is told of them is stored with a flow of its
 * own, and booked by the worker. When it throws, the acquirer tells again.
 */
export async function followCard(ctx: Ctx, events: readonly CardEvent[]): Promise<void> {
  for (const event of events) await ctx.store.transaction((tx) => followEvent(ctx, tx, event));
}

async function followEvent(ctx: Ctx, tx: Tx, event: CardEvent): Promise<void> {
  const order = await findOrder(ctx, tx, event);
  if (!order) {
    ctx.log.info(
      { type: event.type, reference: event.reference },
      'a callback is about a payment that no order has',
    );
    return;
  }
  if (isDispute(event)) {
    const { amountMinor, ...rest } = event;
    const state = {
      orderId: order.id,
      provider: ctx.providers.card!.name,
      event: { ...rest, amountMinor: amountMinor.toString() },
    };
    await startFlow(ctx, tx, cardDisputeFlow, {
      projectId: order.projectId,
      key: `${state.provider}/${event.reference}/${event.type}`,
      state,
    });
  }
  await wakeOrder(ctx, tx, order);
}

function isDispute(event: CardEvent): event is DisputeEvent {
  return event.type === 'disputed' || event.type === 'dispute-won' || event.type === 'dispute-lost';
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** By the acquirer's id of the payment; by ours while that is not stored yet. */
async function findOrder(ctx: Ctx, tx: Tx, event: CardEvent): Promise<OrderRecord | undefined> {
  const reference = 'paymentReference' in event ? event.paymentReference : event.reference;
  const known = await lockOrder(tx, {
    by: 'card_reference',
    cardReference: `${ctx.providers.card!.name}/${reference}`,
  });
  if (
    known ||
    event.type !== 'payment-changed' ||
    event.paymentId === undefined ||
    !uuidPattern.test(event.paymentId)
  )
    return known;
  return lockOrder(tx, { by: 'id', id: event.paymentId });
}

type KnownDispute = Pick<DisputeEvent, 'amountMinor' | 'currency'>;
type DisputeState = {
  readonly orderId: string;
  readonly provider: string;
  readonly event: Omit<DisputeEvent, 'amountMinor'> & { readonly amountMinor: string };
};

/** About a day: what the acquirer does not know by then was not told by it. */
const askRetry = { attemptsMax: 14, baseMs: 5_000, delayMsMax: 4 * 60 * 60_000 };

const heldBy: Readonly<Record<DisputeEvent['type'], readonly CardDispute['status'][]>> = {
  disputed: ['open', 'won', 'lost'],
  'dispute-won': ['won'],
  'dispute-lost': ['lost'],
};

/**
 * Books a dispute that was told of, as the acquirer has it: whoever heard it may not write the
 * books, and whoever can write this flow can write anything into it.
 */
export const cardDisputeFlow = defineFlow<DisputeState, Ctx>({
  kind: 'card-dispute',
  version: 1,
  firstStep: 'book',
  steps: {
    book: effectStep<DisputeState, Record<string, never>, KnownDispute, Ctx>({
      retry: askRetry,
      prepare: async (_ctx, tx, { state: { orderId } }) =>
        (await lockOrder(tx, { by: 'id', id: orderId }))
          ? { intent: {} }
          : { fail: 'there is no such order' },
      perform: async (ctx, { state: { orderId, event } }) => {
        const order = await selectOrder(ctx.store, { by: 'id', id: orderId });
        const payment =
          order?.cardReference === undefined
            ? undefined
            : await requireCard(ctx).findPayment(referenceOf(order));
        const known = payment?.disputes.find(({ reference }) => reference === event.reference);
        if (!payment || !known || !heldBy[event.type].includes(known.status))
          throw new Error(
            `the acquirer knows of no ${event.type} ${event.reference} of order ${orderId}`,
          );
        return { amountMinor: known.amountMinor, currency: payment.currency };
      },
      record: async (ctx, tx, { state: { orderId, provider, event } }, known) => {
        const order = (await lockOrder(tx, { by: 'id', id: orderId }))!;
        await followDispute(ctx, tx, order, { provider, event: { ...event, ...known } });
        await wakeOrder(ctx, tx, order);
        return { done: true };
      },
    }),
  },
});
