import type { Clock } from '../../../lib/clock.ts';
import type { Ids } from '../../../lib/id.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { Store, Tx } from '../../../store/types.ts';
import { type CardEvent, type CardPayment, cardPaymentStatuses } from '../card.ts';
import { toDecline } from '../declines.ts';
import { writeEvent } from './sandbox-callbacks.ts';
import { findScript, sandboxTimes } from './sandbox-script.ts';
import {
  endRefund,
  insertEvent,
  listDueRefunds,
  lockPayment,
  type SandboxPayment,
  sumRefunds,
  updatePayment,
} from './sandbox-store.ts';

export interface SandboxCardDeps {
  /** The acquirer's books outlive a restart. */
  readonly store: Store;
  /** Movable in development: expiries and chargebacks come in days of this clock. */
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * What client secrets and signatures of callbacks are derived from, the same in every process:
   * the first makes them, all are accepted.
   */
  readonly keys: readonly Secret<Uint8Array>[];
  /**
   * Where this service shows the page, without the reference, e.g.
   * `http://127.0.0.1:3000/api/sandbox/card`.
   */
  readonly pageUrl: string;
}

const sandboxReferencePattern = /^cpay_[0-9a-f]{32}$/;

/** Makes an id of the acquirer, e.g. `cpay_…`. */
export function makeReference(ids: Ids, prefix: string): string {
  return `${prefix}_${ids.bytes(16).toString('hex')}`;
}

/** A payment in its books, up to date and locked to the end of the transaction. */
export interface OpenBooks {
  readonly tx: Tx;
  readonly now: Date;
  readonly payment: SandboxPayment;
  /** Stores what has become of the payment, and tells of it when `tell` says so. */
  save(change: Partial<SandboxPayment>, tell?: CardEventDraft): Promise<void>;
  tell(event: CardEventDraft): Promise<void>;
}

type WithoutId<T> = T extends unknown ? Omit<T, 'eventId'> : never;
export type CardEventDraft = WithoutId<CardEvent>;

/** Runs `work` over a payment as it stands now. Undefined: there is no such payment. */
export async function openBooks<T>(
  { store, clock, ids }: SandboxCardDeps,
  reference: string,
  work: (books: OpenBooks) => Promise<T>,
): Promise<T | undefined> {
  if (!sandboxReferencePattern.test(reference)) return undefined;
  return store.transaction(async (tx) => {
    const found = await lockPayment(tx, reference);
    if (!found) return undefined;
    const now = clock.now();
    const books = {
      tx,
      now,
      payment: found,
      async save(change: Partial<SandboxPayment>, tell?: CardEventDraft) {
        books.payment = { ...books.payment, ...change };
        await updatePayment(tx, books.payment);
        if (tell) await books.tell(tell);
      },
      async tell(draft: CardEventDraft) {
        const event = { ...draft, eventId: makeReference(ids, 'evt') } as CardEvent;
        await insertEvent(tx, { id: event.eventId, body: writeEvent(event), now });
      },
    };
    await bringUpToDate(books, ids);
    return work(books);
  });
}

/** Lets happen what the clock has reached. */
async function bringUpToDate(books: OpenBooks, ids: Ids): Promise<void> {
  const { tx, now } = books;
  for (const refund of await listDueRefunds(tx, {
    paymentReference: books.payment.reference,
    now,
  })) {
    const status =
      findScript(books.payment.script ?? undefined).refund === 'fails' ? 'failed' : 'succeeded';
    await endRefund(tx, { reference: refund.reference, status });
    await books.tell({
      type: 'refund-changed',
      reference: refund.reference,
      paymentReference: books.payment.reference,
    });
  }
  // A step may lead to the next one, each at its own time: never more than one of each kind.
  for (
    let steps = 0;
    steps < 4 && books.payment.nextAt !== null && books.payment.nextAt <= now;
    steps++
  )
    await takeStep(books, ids);
}

async function takeStep(books: OpenBooks, ids: Ids): Promise<void> {
  const { payment } = books;
  const at = payment.nextAt!;
  switch (payment.nextStep) {
    case 'finish-processing':
      return books.save(decided(payment, at), changed(payment));
    case 'end-challenge':
      return books.save(declined('authentication-failed'), changed(payment));
    case 'end-authorization':
      return books.save(
        { ...still, status: 'canceled', declineCode: 'authorization-expired' },
        changed(payment),
      );
    default:
      return dispute(books, ids);
  }
}

async function dispute(books: OpenBooks, ids: Ids): Promise<void> {
  const { payment, tx } = books;
  const disputedMinor = payment.capturedMinor - (await sumRefunds(tx, payment.reference));
  if (disputedMinor <= 0n) return books.save(still);
  const disputeId = makeReference(ids, 'cdsp');
  await books.save(
    { ...still, disputeId, disputeStatus: 'open', disputedMinor },
    {
      type: 'disputed',
      reference: disputeId,
      paymentReference: payment.reference,
      amountMinor: disputedMinor,
      currency: payment.currency,
      reason: 'fraudulent',
    },
  );
}

const still = { nextStep: null, nextAt: null } as const;

/** What the card's bank says once it has all it needs. */
export function decided(payment: SandboxPayment, at: Date): Partial<SandboxPayment> {
  const { decline } = findScript(payment.script ?? undefined);
  if (decline !== undefined) return declined(decline);
  const nextAt = new Date(at.getTime() + sandboxTimes.authorizationMs);
  return { status: 'authorized', declineCode: null, nextStep: 'end-authorization', nextAt };
}

/** After a final decline no card is taken any more. */
export function declined(code: string): Partial<SandboxPayment> {
  return {
    ...still,
    status: toDecline(code).final ? 'failed' : 'requires-payment',
    declineCode: code,
  };
}

export function changed(payment: SandboxPayment): CardEventDraft {
  return { type: 'payment-changed', reference: payment.reference, paymentId: payment.paymentId };
}

/** As callers see it. */
/** What disputes take back now: what was won came back. */
export function takenBackMinor({ disputeStatus, disputedMinor }: OpenBooks['payment']): bigint {
  return disputeStatus === 'won' ? 0n : disputedMinor;
}

export async function viewPayment({
  tx,
  payment,
}: Pick<OpenBooks, 'tx' | 'payment'>): Promise<CardPayment> {
  const status = cardPaymentStatuses.find((one) => one === payment.status)!;
  return {
    reference: payment.reference,
    paymentId: payment.paymentId,
    status,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    capturedMinor: payment.capturedMinor,
    refundedMinor: await sumRefunds(tx, payment.reference),
    disputedMinor: takenBackMinor(payment),
    disputes:
      payment.disputeId === null || payment.disputeStatus === null
        ? []
        : [
            {
              reference: payment.disputeId,
              status: payment.disputeStatus,
              amountMinor: payment.disputedMinor,
            },
          ],
    ...(payment.declineCode !== null && { decline: toDecline(payment.declineCode) }),
    ...(payment.card !== null && { card: payment.card }),
  };
}
