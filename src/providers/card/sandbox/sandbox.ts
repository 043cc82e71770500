import {
  type CardPayment,
  type CardProvider,
  CardProviderError,
  type CardRefund,
  CardRefusedError,
  type CreateCardPaymentInput,
} from '../card.ts';
import {
  changed,
  makeReference,
  type OpenBooks,
  openBooks,
  type SandboxCardDeps,
  takenBackMinor,
  viewPayment,
} from './sandbox-books.ts';
import { readSandboxCallback } from './sandbox-callbacks.ts';
import { createSandboxPage } from './sandbox-page.ts';
import { findScript, sandboxTimes, unreachableCalls } from './sandbox-script.ts';
import { callbackSecrets, clientSecrets } from './sandbox-secrets.ts';
import {
  countCall,
  insertPayment,
  insertRefund,
  selectPaymentById,
  selectRefund,
  sumRefunds,
} from './sandbox-store.ts';

const name = 'sandbox';
const keyPattern = /^[A-Za-z0-9_-]{1,100}$/;
const amountMinorMax = 99_999_999n;
const replayWindowMs = 5 * 60_000;

/** An acquirer inside the database, steered by card numbers (`sandboxCards`). It moves no money. */
export function createSandboxCard(deps: SandboxCardDeps): CardProvider {
  return {
    name,
    createPayment: (input) => createPayment(deps, input),
    findPayment: (reference) => openBooks(deps, reference, viewPayment),
    capture: (input) =>
      change(deps, { ...input, kind: 'capture' }, (books) => capture(books, input.amountMinor)),
    cancel: (input) => change(deps, { ...input, kind: 'cancel', amountMinor: 0n }, cancel),
    async refund({ reference, refundId, amountMinor }) {
      const refunded = change(
        deps,
        { kind: 'refund', reference, idempotencyKey: refundId, amountMinor },
        (books) => refund(deps, books, { refundId, amountMinor }),
      );
      return refunded;
    },
    async findRefund({ reference, refundId }) {
      const found = await openBooks(deps, reference, ({ tx }) => selectRefund(tx, refundId));
      return found?.paymentReference === reference ? toRefund(found) : undefined;
    },
    readCallback: ({ headers, body, now }) =>
      readSandboxCallback(
        { headers, body },
        { now, secrets: callbackSecrets(deps.keys), windowMs: replayWindowMs },
      ),
    sandbox: createSandboxPage(deps),
  };
}

async function createPayment(
  deps: SandboxCardDeps,
  input: CreateCardPaymentInput,
): ReturnType<CardProvider['createPayment']> {
  const { store, clock, ids } = deps;
  const currency = input.currency.toLowerCase();
  if (!keyPattern.test(input.paymentId))
    throw new CardRefusedError(name, 'the payment id is not of a form that it takes.');
  if (!/^[a-z]{3}$/.test(currency))
    throw new CardRefusedError(name, 'the currency is not three letters.');
  if (input.amountMinor <= 0n || input.amountMinor > amountMinorMax)
    throw new CardRefusedError(name, 'the amount is zero, or too large.');
  const payment = await store.transaction(async (tx) => {
    await insertPayment(tx, {
      ...input,
      currency,
      reference: makeReference(ids, 'cpay'),
      orderReference: input.reference,
      status: 'requires-payment',
      createdAt: clock.now(),
    });
    return (await selectPaymentById(tx, input.paymentId))!;
  });
  const isSame =
    payment.amountMinor === input.amountMinor &&
    payment.currency === currency &&
    payment.orderReference === input.reference;
  if (!isSame) throw new CardRefusedError(name, 'the payment id was used for another payment.');
  const clientSecret = clientSecrets(deps.keys, payment.reference)[0]!;
  const found = await openBooks(deps, payment.reference, viewPayment);
  return {
    ...found!,
    preparation: {
      provider: name,
      publicKey: 'pk_sandbox',
      clientSecret,
      url: `${deps.pageUrl}/${payment.reference}?key=${clientSecret}`,
    },
  };
}

interface ChangeInput {
  readonly kind: 'capture' | 'cancel' | 'refund';
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly amountMinor: bigint;
}

/**
 * One call under its key: refused when the key was for something else, and lost on the way where
 * the card says so.
 */
async function change<T extends CardPayment | CardRefund>(
  deps: SandboxCardDeps,
  input: ChangeInput,
  work: (books: OpenBooks) => Promise<T>,
): Promise<T> {
  const { kind, reference, idempotencyKey, amountMinor } = input;
  if (!keyPattern.test(idempotencyKey))
    throw new CardRefusedError(name, 'the idempotency key is not of a form that it takes.');
  const outcome = await openBooks(
    deps,
    reference,
    async (books): Promise<T | CardProviderError> => {
      const call = await countCall(books.tx, {
        key: idempotencyKey,
        kind,
        paymentReference: reference,
        amountMinor,
      });
      if (
        call.kind !== kind ||
        call.paymentReference !== reference ||
        call.amountMinor !== amountMinor
      )
        return new CardRefusedError(name, 'the idempotency key was used for another call.');
      const script = findScript(books.payment.script ?? undefined);
      if (script.capture === 'unreachable' && call.calls <= unreachableCalls)
        return new CardProviderError(name, 'it cannot be reached (ECONNREFUSED).', {
          mayHaveHappened: false,
        });
      const done = await work(books);
      if (script.capture === 'lost-answer' && kind === 'capture' && call.calls === 1)
        return new CardProviderError(name, 'no complete answer came (TimeoutError).', {
          mayHaveHappened: true,
        });
      return done;
    },
  );
  if (outcome === undefined) throw new CardRefusedError(name, 'there is no such payment.');
  if (outcome instanceof CardProviderError) throw outcome;
  return outcome;
}

async function capture(books: OpenBooks, amountMinor: bigint): Promise<CardPayment> {
  const { payment, now } = books;
  if (amountMinor <= 0n || amountMinor > payment.amountMinor)
    throw new CardRefusedError(name, 'the amount to capture is zero, or more than was authorized.');
  if (payment.status !== 'authorized') return viewPayment(books);
  const script = findScript(payment.script ?? undefined);
  const ended = { nextStep: null, nextAt: null };
  if (script.capture === 'declined')
    await books.save(
      { ...ended, status: 'failed', declineCode: 'capture-declined' },
      changed(payment),
    );
  else
    await books.save(
      {
        ...ended,
        status: 'captured',
        capturedMinor: amountMinor,
        ...(script.dispute && {
          nextStep: 'dispute',
          nextAt: new Date(now.getTime() + sandboxTimes.disputeAfterMs),
        }),
      },
      changed(payment),
    );
  return viewPayment(books);
}

async function cancel(books: OpenBooks): Promise<CardPayment> {
  const { payment } = books;
  if (['requires-payment', 'requires-action', 'authorized'].includes(payment.status))
    await books.save({ status: 'canceled', nextStep: null, nextAt: null }, changed(payment));
  return viewPayment(books);
}

async function refund(
  { ids }: SandboxCardDeps,
  { tx, payment, now, tell }: OpenBooks,
  { refundId, amountMinor }: { readonly refundId: string; readonly amountMinor: bigint },
): Promise<CardRefund> {
  const found = await selectRefund(tx, refundId);
  if (found) return toRefund(found);
  if (amountMinor <= 0n) throw new CardRefusedError(name, 'the amount to refund is zero.');
  const { refund: script } = findScript(payment.script ?? undefined);
  const leftMinor =
    payment.capturedMinor - takenBackMinor(payment) - (await sumRefunds(tx, payment.reference));
  const isRefused = script === 'refused' || amountMinor > leftMinor;
  const isSlow = !isRefused && (script === 'pending' || script === 'fails');
  const row = {
    reference: makeReference(ids, 'cref'),
    refundId,
    paymentReference: payment.reference,
    amountMinor,
    status: isRefused
      ? ('failed' as const)
      : isSlow
        ? ('pending' as const)
        : ('succeeded' as const),
    nextAt: isSlow ? new Date(now.getTime() + sandboxTimes.refundMs) : null,
  };
  await insertRefund(tx, { ...row, createdAt: now });
  await tell({
    type: 'refund-changed',
    reference: row.reference,
    paymentReference: payment.reference,
  });
  return toRefund(row);
}

function toRefund({ refundId, reference, status, amountMinor }: CardRefund): CardRefund {
  return { refundId, reference, status, amountMinor };
}
