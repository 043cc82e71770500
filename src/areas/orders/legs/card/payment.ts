import type { Ctx } from '../../../../context.ts';
import { postEntries } from '../../../../ledger/index.ts';
import type { CardPayment } from '../../../../providers/card/card.ts';
import type { Tx } from '../../../../store/types.ts';
import { requireCard } from '../../kinds/onramp/onramp.ts';
import {
  type OrderEffect,
  type OrderStepResult,
  orderEffect,
  sleepByAge,
} from '../../kinds/steps.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import type { OrderFacts, OrderMoneyFact, OrderRecord } from '../../state/types.ts';
import { captureEntry } from '../ledger.ts';

/**
 * The acquirer's side of an order, from its payment page to the captured or released money. Each
 * step looks at the payment before it changes it, so callbacks, repetitions and lost answers make
 * no difference.
 */

/**
 * A payment that was authorised so long after the quote's end, as far as anybody saw, still counts
 * as in time.
 */
export const authorisationGraceMs = 60_000;
/** A payer who is in the middle of 3-D Secure when the quote ends is given this long. */
const busyGraceMs = 180_000;

const pollMsMax = 30_000;
const look: OrderStepResult = { goto: 'look' };

/** The acquirer's id of the order's payment. */
export function referenceOf(order: OrderRecord): string {
  return order.cardReference!.slice(order.cardReference!.indexOf('/') + 1);
}

function expiryOf(order: OrderRecord): number {
  return (order.quoteExpiresAt ?? order.updatedAt).getTime();
}

async function readPayment(ctx: Ctx, order: OrderRecord): Promise<CardPayment> {
  const payment = await requireCard(ctx).findPayment(referenceOf(order));
  if (!payment) throw new Error(`the acquirer does not know the payment of order ${order.id}`);
  return payment;
}

/** Waits for the payer. */
export const watchPayment = orderEffect<CardPayment>({
  turn: 'card',
  perform: readPayment,
  async record(ctx, tx, order, payment) {
    const isBusy = payment.status === 'requires-action' || payment.status === 'processing';
    if (isBusy || payment.status === 'requires-payment') {
      const noted = await noteDecline(ctx, tx, order, payment);
      const closesAt = new Date(expiryOf(order) + (isBusy ? busyGraceMs : 0));
      if (ctx.clock.now() >= closesAt) return { goto: 'closePayment' };
      return sleepByAge(ctx, noted, { maxMs: pollMsMax, until: closesAt });
    }
    await takePayment(ctx, tx, order, payment);
    return look;
  },
});

/** A try that the payer's bank refused, told once; another may succeed. */
async function noteDecline(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  payment: CardPayment,
): Promise<OrderRecord> {
  const { decline } = payment;
  if (!decline || order.facts.cardDecline === decline.code) return order;
  const facts = { failure: declined(payment), cardDecline: decline.code };
  return changeOrder(ctx, tx, order, { event: 'payment-declined', facts, note: decline.code });
}

/** The payer has paid, or never will. */
async function takePayment(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  payment: CardPayment,
): Promise<void> {
  if (payment.status === 'canceled' || payment.status === 'failed') {
    await changeOrder(ctx, tx, order, {
      event: 'payment-failed',
      facts: { failure: declined(payment), cardClosed: true },
    });
    return;
  }
  const facts = {
    authorizedAt: ctx.clock.now().toISOString(),
    failure: undefined,
    ...(payment.card && { card: { ...payment.card } }),
  };
  await changeOrder(ctx, tx, order, { event: 'payment-authorised', facts });
}

/** Why nothing was paid, and what the payer may do now. */
function declined(payment: CardPayment): OrderFailure {
  const { decline, status } = payment;
  const isOver = status === 'canceled' || status === 'failed';
  return {
    code: 'payment-declined',
    message: decline?.message ?? 'The payment was cancelled.',
    ...(decline?.code === 'authentication-failed' && { category: 'verification_error' }),
    retryPolicy: isOver ? 'new-order' : decline?.sameCard ? 'retry' : 'other-card',
  };
}

/** The quote is over: nobody may pay any more. Only then the order is. */
const closing: OrderEffect<CardPayment> = {
  turn: 'card',
  perform: cancelPayment,
  async record(ctx, tx, order, payment) {
    if (payment.status === 'canceled' || payment.status === 'failed')
      await changeOrder(ctx, tx, order, { event: 'expired', facts: { cardClosed: true } });
    else if (payment.status === 'authorized' || payment.status === 'captured')
      await takePayment(ctx, tx, order, payment);
    else return sleepByAge(ctx, order, { maxMs: pollMsMax });
    return look;
  },
};
export const closePayment = orderEffect(closing);

/**
 * The same for a caller who wants a new price now: a payer in the middle of 3-D Secure keeps the
 * time for it.
 */
export const closeAtQuoteEnd: OrderEffect<CardPayment> = {
  ...closing,
  perform: async (ctx, order) => {
    const payment = await readPayment(ctx, order);
    return payment.status === 'requires-payment' ? cancelPayment(ctx, order) : payment;
  },
};

/**
 * An order that somebody else ended while its payment was open: it is closed, and what was paid
 * meanwhile is released.
 */
export const closeLate: OrderEffect<CardPayment> = {
  turn: 'expired',
  perform: async (ctx, order) => {
    const payment = await readPayment(ctx, order);
    return payment.status === 'authorized' ? payment : cancelPayment(ctx, order);
  },
  async record(ctx, tx, order, payment) {
    if (payment.status === 'authorized' || payment.status === 'captured')
      await changeOrder(ctx, tx, order, { event: 'payment-late', facts: { failure: quoteOver } });
    else if (payment.status === 'canceled' || payment.status === 'failed')
      await noteOrder(ctx, tx, order, { event: 'payment-closed', facts: { cardClosed: true } });
    else return sleepByAge(ctx, order, { maxMs: pollMsMax });
    return look;
  },
};
export const closeLatePayment = orderEffect(closeLate);

export const quoteOver: OrderFailure = {
  code: 'payment-declined',
  message: 'The card was authorised after the quote had expired. Nothing was charged.',
  retryPolicy: 'new-order',
};

/**
 * Cancelling is the same however often it is asked; an answer that says no must not be remembered,
 * so no key is used twice.
 */
async function cancelPayment(ctx: Ctx, order: OrderRecord): Promise<CardPayment> {
  return requireCard(ctx).cancel({
    reference: referenceOf(order),
    idempotencyKey: `cancel-${ctx.ids.uuid()}`,
  });
}

/** Gives the authorisation back. */
export const releasePayment = orderEffect<CardPayment>({
  turn: 'release',
  perform: cancelPayment,
  async record(ctx, tx, order, payment) {
    if (payment.status === 'canceled' || payment.status === 'failed')
      await changeOrder(ctx, tx, order, {
        event: 'payment-released',
        facts: { cardClosed: true, failure: order.facts.failure ?? declined(payment) },
      });
    else if (payment.status === 'captured')
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: {
          attention: 'The payment was to be released, and the acquirer says that it is captured.',
        },
      });
    else return sleepByAge(ctx, order, { maxMs: pollMsMax });
    return look;
  },
});

/**
 * Takes the money. The order has the key: the same call however often it is made, and only while
 * the payment is still authorised.
 */
export const capturePayment = orderEffect<CardPayment>({
  turn: 'capture',
  async perform(ctx, order) {
    const payment = await readPayment(ctx, order);
    if (payment.status !== 'authorized') return payment;
    const { amountMinor } = order.terms!.pay;
    return requireCard(ctx).capture({
      reference: payment.reference,
      amountMinor,
      idempotencyKey: order.facts.captureKey as string,
    });
  },
  async record(ctx, tx, order, payment) {
    if (payment.status === 'canceled' || payment.status === 'failed')
      await changeOrder(ctx, tx, order, {
        event: 'payment-failed',
        facts: { failure: declined(payment), cardClosed: true },
      });
    else if (payment.status !== 'captured') return sleepByAge(ctx, order, { maxMs: pollMsMax });
    else if (payment.capturedMinor !== order.terms!.pay.amountMinor)
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: {
          attention: `The acquirer captured ${payment.capturedMinor} instead of ${order.terms!.pay.amountMinor}.`,
        },
      });
    else {
      const { set, facts } = await bookCapture(ctx, tx, order);
      await changeOrder(ctx, tx, order, {
        event: 'captured',
        set,
        facts: { ...facts, deliveryTransferId: ctx.ids.uuid() },
      });
    }
    return look;
  },
});

/**
 * An operator sent an order on whose capture nobody had seen: whether the money is there decides.
 */
export const reconcilePayment = orderEffect<CardPayment>({
  turn: ['deliver', 'refund'],
  perform: readPayment,
  async record(ctx, tx, order, payment) {
    if (isBooked(order)) return look;
    if (payment.status !== 'captured' || payment.capturedMinor !== order.terms!.pay.amountMinor) {
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: {
          attention: `The acquirer has captured ${payment.capturedMinor} of ${order.terms!.pay.amountMinor}: there is nothing to go on with.`,
        },
      });
      return look;
    }
    await noteCapture(ctx, tx, order);
    return look;
  },
});

/**
 * Books a capture that nobody has seen being made; what becomes of the order is decided elsewhere.
 */
export async function noteCapture(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderRecord> {
  const { set, facts } = await bookCapture(ctx, tx, order);
  const deliveryTransferId = order.facts.deliveryTransferId ?? ctx.ids.uuid();
  return noteOrder(ctx, tx, order, {
    event: 'capture-found',
    set,
    facts: { ...facts, deliveryTransferId },
  });
}

/** True once the ledger has what the payer paid. */
export function isBooked(order: OrderRecord): boolean {
  return order.facts.totalPaid !== undefined;
}

/** The ledger's side of a capture, and what the order shows of it. */
async function bookCapture(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
): Promise<{
  readonly set: { readonly paidCurrency: string };
  readonly facts: Partial<OrderFacts>;
}> {
  const { pay } = order.terms!;
  await postEntries(ctx, tx, [
    captureEntry(order, { provider: requireCard(ctx).name, paid: pay, at: ctx.clock.now() }),
  ]);
  const paid = moneyFact(order);
  return { set: { paidCurrency: pay.currency }, facts: { totalPaid: paid, received: paid } };
}

/** What the payer pays, as a fact. */
export function moneyFact(order: OrderRecord): OrderMoneyFact {
  const { currency, decimals, amountMinor } = order.terms!.pay;
  return { currency, decimals, amountMinor: amountMinor.toString() };
}
