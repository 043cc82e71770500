import type { Secret } from '../../../lib/sealing/secret.ts';
import {
  type CardPayment,
  type CardProvider,
  CardProviderError,
  type CardRefund,
  CardRefusedError,
  type CreateCardPaymentInput,
} from '../card.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts';
import { isStripeSignature, readStripeEvent } from './stripe-events.ts';
import {
  createStripeHttp,
  type StripeHttp,
  type StripeHttpOptions,
  type StripeOutcome,
  type StripeRefusal,
  stripeName,
} from './stripe-http.ts';
import {
  disputeListSchema,
  intentSchema,
  isPartlyCaptured,
  metadataNames,
  refundListSchema,
  refundSchema,
  type StripeIntent,
  type StripeRefund,
  toPayment,
  toRefund,
} from './stripe-shapes.ts';

export interface StripeOptions extends StripeHttpOptions {
  readonly publishableKey: string;
  readonly webhookSecrets: readonly Secret[];
}

const expand = ['latest_charge'];
const intentPattern = /^pi_[A-Za-z0-9_]{1,100}$/;
const keyPattern = /^[A-Za-z0-9_-]{1,100}$/;
const pageSize = 100;
const pagesMax = 10;

/** Stripe's PaymentIntents with manual capture; 3-D Secure is what `requires-action` is about. */
export function createStripeCard(options: StripeOptions): CardProvider {
  const http = createStripeHttp(options);
  return {
    name: stripeName,
    async createPayment(input) {
      const intent = await createIntent(http, input);
      if (!intent.client_secret)
        throw new CardProviderError(stripeName, 'its answer has no client secret.', {
          mayHaveHappened: true,
        });
      return {
        ...(await withExtras(http, intent)),
        preparation: {
          provider: stripeName,
          publicKey: options.publishableKey,
          clientSecret: intent.client_secret,
        },
      };
    },
    findPayment: (reference) => findPayment(http, reference),
    capture: (input) => capture(http, input),
    cancel: (input) => cancel(http, input),
    refund: (input) => refund(http, input),
    async findRefund({ reference, refundId }) {
      const found = await findRefund(http, { reference, refundId });
      return found && toRefund(found, refundId);
    },
    readCallback: (callback) =>
      isStripeSignature(callback, options.webhookSecrets)
        ? readStripeEvent(callback.body)
        : undefined,
  };
}

async function createIntent(
  http: StripeHttp,
  input: CreateCardPaymentInput,
): Promise<StripeIntent> {
  requireKey(input.paymentId);
  const currency = input.currency.toLowerCase();
  const amount = toStripeAmount(input.amountMinor, currency);
  const outcome = await http.write(`payment_${input.paymentId}`, intentSchema, (stripe, options) =>
    stripe.paymentIntents.create(
      {
        amount,
        currency,
        capture_method: 'manual',
        allowed_payment_method_types: ['card'],
        metadata: {
          [metadataNames.paymentId]: input.paymentId,
          [metadataNames.reference]: input.reference,
        },
        ...(input.description !== undefined && { description: input.description }),
        ...(input.receiptEmail !== undefined && { receipt_email: input.receiptEmail }),
        expand,
      },
      options,
    ),
  );
  if ('refusal' in outcome) throw refused('payment', outcome.refusal);
  // A repeated key answers what was true at first.
  return outcome.isReplayed
    ? ((await readIntent(http, outcome.value.id)) ?? outcome.value)
    : outcome.value;
}

async function readIntent(http: StripeHttp, reference: string): Promise<StripeIntent | undefined> {
  if (!intentPattern.test(reference)) return undefined;
  const outcome = await http.read(intentSchema, (stripe) =>
    stripe.paymentIntents.retrieve(reference, { expand }),
  );
  return 'value' in outcome ? outcome.value : ifMissing(outcome.refusal);
}

async function findPayment(http: StripeHttp, reference: string): Promise<CardPayment | undefined> {
  const intent = await readIntent(http, reference);
  return intent && withExtras(http, intent);
}

async function withExtras(http: StripeHttp, intent: StripeIntent): Promise<CardPayment> {
  const disputes = intent.latest_charge?.disputed ? await listDisputes(http, intent.id) : [];
  const refunds = isPartlyCaptured(intent) ? await listRefunds(http, intent.id) : [];
  return toPayment(intent, { disputes, refunds });
}

async function listDisputes(http: StripeHttp, reference: string) {
  const outcome = await http.read(disputeListSchema, (stripe) =>
    stripe.disputes.list({ payment_intent: reference, limit: pageSize }),
  );
  return 'value' in outcome ? outcome.value.data : (ifMissing(outcome.refusal) ?? []);
}

async function listRefunds(http: StripeHttp, reference: string): Promise<StripeRefund[]> {
  const refunds: StripeRefund[] = [];
  for (let page = 0; page < pagesMax; page++) {
    const after = refunds.at(-1)?.id;
    const outcome = await http.read(refundListSchema, (stripe) =>
      stripe.refunds.list({
        payment_intent: reference,
        limit: pageSize,
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    if ('refusal' in outcome) return ifMissing(outcome.refusal) ?? refunds;
    refunds.push(...outcome.value.data);
    if (!outcome.value.has_more) return refunds;
  }
  // Whether a refund was made cannot be told from a list that is not whole.
  throw new CardProviderError(stripeName, 'the payment has too many refunds to list.', {
    mayHaveHappened: false,
  });
}

async function capture(
  http: StripeHttp,
  input: Parameters<CardProvider['capture']>[0],
): Promise<CardPayment> {
  const before = await requireIntent(http, input.reference);
  const amount = toStripeAmount(input.amountMinor, before.currency);
  if (amount > before.amount)
    throw new CardRefusedError(stripeName, 'the amount to capture is more than was authorized.');
  if (before.status !== 'requires_capture') return withExtras(http, before);
  const outcome = await http.write(
    keyOf('capture', input.idempotencyKey),
    intentSchema,
    (stripe, options) =>
      stripe.paymentIntents.capture(before.id, { amount_to_capture: amount, expand }, options),
  );
  return settle(http, before.id, outcome);
}

async function cancel(
  http: StripeHttp,
  input: Parameters<CardProvider['cancel']>[0],
): Promise<CardPayment> {
  const before = await requireIntent(http, input.reference);
  if (['succeeded', 'canceled'].includes(before.status)) return withExtras(http, before);
  const outcome = await http.write(
    keyOf('cancel', input.idempotencyKey),
    intentSchema,
    (stripe, options) => stripe.paymentIntents.cancel(before.id, { expand }, options),
  );
  return settle(http, before.id, outcome);
}

/** Whatever Stripe said no to, the payment tells how it stands. */
async function settle(
  http: StripeHttp,
  reference: string,
  outcome: StripeOutcome<StripeIntent>,
): Promise<CardPayment> {
  if ('value' in outcome && !outcome.isReplayed) return withExtras(http, outcome.value);
  return withExtras(http, await requireIntent(http, reference));
}

/**
 * Stripe forgets idempotency keys after a day, and a refund may be tried for longer: so it is
 * looked for first.
 */
async function refund(
  http: StripeHttp,
  input: Parameters<CardProvider['refund']>[0],
): Promise<CardRefund> {
  const { refundId, amountMinor, reason } = input;
  const intent = await requireIntent(http, input.reference);
  const amount = toStripeAmount(amountMinor, intent.currency);
  const key = keyOf('refund', refundId);
  const known = await findRefund(http, { reference: intent.id, refundId });
  if (known && fromStripeAmount(known.amount, known.currency) !== amountMinor)
    throw new CardRefusedError(stripeName, 'the refund id was used for another amount.');
  if (known) return toRefund(known, refundId);
  const outcome = await http.write(key, refundSchema, (stripe, options) =>
    stripe.refunds.create(
      {
        payment_intent: intent.id,
        amount,
        metadata: {
          [metadataNames.refundId]: refundId,
          ...(reason !== undefined && { [metadataNames.reason]: reason.slice(0, 500) }),
        },
      },
      options,
    ),
  );
  if ('refusal' in outcome) return { refundId, reference: '', status: 'failed', amountMinor };
  return toRefund(outcome.value, refundId);
}

async function findRefund(
  http: StripeHttp,
  input: { readonly reference: string; readonly refundId: string },
): Promise<StripeRefund | undefined> {
  if (!intentPattern.test(input.reference)) return undefined;
  const refunds = await listRefunds(http, input.reference);
  return refunds.find((one) => one.metadata?.[metadataNames.refundId] === input.refundId);
}

async function requireIntent(http: StripeHttp, reference: string): Promise<StripeIntent> {
  const intent = await readIntent(http, reference);
  if (!intent) throw new CardRefusedError(stripeName, 'there is no such payment.');
  return intent;
}

/** One key space per account: what our callers name alike must not meet there. */
function keyOf(kind: string, key: string): string {
  requireKey(key);
  return `${kind}_${key}`;
}

function requireKey(key: string): void {
  if (!keyPattern.test(key))
    throw new CardRefusedError(stripeName, 'the key is not 1 to 100 characters A-Z a-z 0-9 _ -.');
}

/** Undefined where the thing is not there. @throws CardRefusedError */
function ifMissing(refusal: StripeRefusal): undefined {
  if (refusal.code !== 'resource_missing') throw refused('look-up', refusal);
  return undefined;
}

function refused(what: string, { type, code }: StripeRefusal): CardRefusedError {
  const words = [type, code].filter((word) => /^[a-z_]{1,60}$/.test(word)).join(', ');
  return new CardRefusedError(stripeName, `it does not take the ${what} (${words}).`);
}
