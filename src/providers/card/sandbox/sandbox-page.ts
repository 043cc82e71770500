import type { CardSandbox, SandboxCardPage } from '../card.ts';
import {
  changed,
  decided,
  declined,
  type OpenBooks,
  openBooks,
  type SandboxCardDeps,
  viewPayment,
} from './sandbox-books.ts';
import { signSandboxCallback } from './sandbox-callbacks.ts';
import { readCard, sandboxTimes } from './sandbox-script.ts';
import { callbackSecrets, isClientSecret } from './sandbox-secrets.ts';
import {
  listDueEvents,
  listDuePayments,
  postponeEvent,
  type SandboxPayment,
  storeDelivered,
} from './sandbox-store.ts';

const paymentsPerAdvance = 100;
const eventsPerDelivery = 100;
/** Cards that may be tried on one payment. */
const triesMax = 10;
const deliveryTriesMax = 20;
const firstPauseMs = 30_000;
const pauseMaxMs = 60 * 60_000;

/** The sandbox's page for payers, and what happens there by itself. */
export function createSandboxPage(deps: SandboxCardDeps): CardSandbox {
  type Asked = { readonly reference: string; readonly clientSecret: string };
  const open = async (
    asked: Asked,
    work: (books: OpenBooks) => Promise<void>,
  ): Promise<SandboxCardPage | undefined> => {
    if (!isClientSecret(deps.keys, asked)) return undefined;
    return openBooks(deps, asked.reference, async (books) => {
      await work(books);
      const { description, disputeStatus } = books.payment;
      const hasOpenDispute = disputeStatus === 'open';
      return {
        payment: await viewPayment(books),
        hasOpenDispute,
        ...(description !== null && { description }),
      };
    });
  };
  return {
    readPage: (asked) => open(asked, async () => undefined),
    pay: ({ card, ...asked }) =>
      open(asked, async (books) => {
        if (books.payment.status === 'requires-payment')
          await books.save(tryCard(books, card), changed(books.payment));
      }),
    answerChallenge: ({ answer, ...asked }) =>
      open(asked, async (books) => {
        const { payment, now } = books;
        if (payment.status !== 'requires-action') return;
        await books.save(
          answer === 'approve' ? decided(payment, now) : declined('authentication-failed'),
          changed(payment),
        );
      }),
    async advance() {
      const references = await listDuePayments(deps.store, {
        now: deps.clock.now(),
        limit: paymentsPerAdvance,
      });
      for (const reference of references) await openBooks(deps, reference, async () => undefined);
      return references.length;
    },
    async decideDispute({ reference, decision }) {
      const isDone = await openBooks(deps, reference, (books) => endDispute(books, decision));
      return isDone ?? false;
    },
    deliverCallbacks: (deliver, shape) => deliverCallbacks(deps, deliver, shape),
  };
}

function tryCard(
  { payment, now }: OpenBooks,
  entered: Parameters<typeof readCard>[0],
): Partial<SandboxPayment> {
  const tries = payment.tries + 1;
  const card = readCard(entered, now);
  if (tries > triesMax) return { tries, ...declined('card-declined'), status: 'failed' };
  if ('mistake' in card) return { tries, ...declined(card.mistake) };
  const { script, details } = card;
  const chosen = { tries, script: script.name, card: details, declineCode: null };
  if (script.challenge) {
    const nextAt = new Date(now.getTime() + sandboxTimes.challengeMs);
    return { ...chosen, status: 'requires-action', nextStep: 'end-challenge', nextAt };
  }
  if (script.slow) {
    const nextAt = new Date(now.getTime() + sandboxTimes.slowMs);
    return { ...chosen, status: 'processing', nextStep: 'finish-processing', nextAt };
  }
  return { ...chosen, ...decided({ ...payment, ...chosen }, now) };
}

async function endDispute(books: OpenBooks, decision: 'won' | 'lost'): Promise<boolean> {
  const { payment } = books;
  if (payment.disputeStatus !== 'open' || payment.disputeId === null) return false;
  await books.save(
    { disputeStatus: decision },
    {
      type: decision === 'won' ? 'dispute-won' : 'dispute-lost',
      reference: payment.disputeId,
      paymentReference: payment.reference,
      amountMinor: payment.disputedMinor,
      currency: payment.currency,
      reason: 'fraudulent',
    },
  );
  return true;
}

async function deliverCallbacks(
  { store, clock, keys }: SandboxCardDeps,
  ...[deliver, shape = {}]: Parameters<CardSandbox['deliverCallbacks']>
): Promise<number> {
  const secret = callbackSecrets(keys)[0]!;
  const due = await listDueEvents(store, { now: clock.now(), limit: eventsPerDelivery });
  if (shape.order === 'reversed') due.reverse();
  let takenCount = 0;
  for (const event of due) {
    let isTaken = false;
    for (let time = 0; time < (shape.times ?? 1); time++)
      isTaken = await deliver(signSandboxCallback(event.body, { now: clock.now(), secret })).catch(
        () => false,
      );
    const now = clock.now();
    if (isTaken) {
      takenCount += 1;
      await storeDelivered(store, { id: event.id, now });
    } else {
      const pauseMs = Math.min(firstPauseMs * 2 ** event.tries, pauseMaxMs);
      const dueAt =
        event.tries + 1 >= deliveryTriesMax ? undefined : new Date(now.getTime() + pauseMs);
      await postponeEvent(store, { id: event.id, dueAt, now });
    }
  }
  return takenCount;
}
