import { z } from 'zod';
import type {
  CardDecline,
  CardDetails,
  CardDispute,
  CardPayment,
  CardPaymentStatus,
  CardRefund,
} from '../card.ts';
import { toDecline } from '../declines.ts';
import { fromStripeAmount } from './stripe-amounts.ts';

/** What is read of Stripe's objects, and what their words mean here. */

const amountSchema = z.int().min(0);
const cardSchema = z.looseObject({
  brand: z.string().nullish(),
  last4: z.string().nullish(),
  country: z.string().nullish(),
  funding: z.string().nullish(),
});
const chargeSchema = z.looseObject({
  id: z.string(),
  amount_refunded: amountSchema,
  disputed: z.boolean(),
  payment_method_details: z.looseObject({ card: cardSchema.nullish() }).nullish(),
});
export const intentSchema = z.looseObject({
  id: z.string().min(1).max(200),
  object: z.literal('payment_intent'),
  amount: amountSchema,
  amount_received: amountSchema,
  currency: z.string().regex(/^[a-z]{3}$/),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'requires_capture',
    'succeeded',
    'canceled',
  ]),
  client_secret: z.string().nullish(),
  cancellation_reason: z.string().nullish(),
  last_payment_error: z
    .looseObject({
      code: z.string().nullish(),
      decline_code: z.string().nullish(),
      payment_method: z.looseObject({ card: cardSchema.nullish() }).nullish(),
    })
    .nullish(),
  latest_charge: chargeSchema.nullish(),
  metadata: z.record(z.string(), z.string()),
});
export type StripeIntent = z.output<typeof intentSchema>;

export const refundSchema = z.looseObject({
  id: z.string().min(1).max(200),
  object: z.literal('refund'),
  amount: amountSchema,
  currency: z.string(),
  status: z.string().nullable(),
  balance_transaction: z.unknown(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
export type StripeRefund = z.output<typeof refundSchema>;
export const refundListSchema = z.looseObject({
  data: z.array(refundSchema).max(100),
  has_more: z.boolean(),
});

const disputeSchema = z.looseObject({
  id: z.string(),
  amount: amountSchema,
  currency: z.string(),
  status: z.string(),
});
export const disputeListSchema = z.looseObject({
  data: z.array(disputeSchema).max(100),
  has_more: z.boolean(),
});
type StripeDispute = z.output<typeof disputeSchema>;

/** Names of our ids in the metadata. */
export const metadataNames = {
  paymentId: 'payment_id',
  reference: 'reference',
  refundId: 'refund_id',
  reason: 'reason',
} as const;

const statuses: Readonly<Record<StripeIntent['status'], CardPaymentStatus>> = {
  requires_payment_method: 'requires-payment',
  requires_confirmation: 'requires-payment',
  requires_action: 'requires-action',
  processing: 'processing',
  requires_capture: 'authorized',
  succeeded: 'captured',
  canceled: 'canceled',
};

/**
 * Stripe's words for why, by `decline_code` first and `code` then; all others are `card-declined`.
 */
const declineWords: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficient-funds',
  expired_card: 'expired-card',
  lost_card: 'lost-card',
  stolen_card: 'stolen-card',
  do_not_honor: 'do-not-honor',
  fraudulent: 'fraudulent',
  merchant_blacklist: 'fraudulent',
  incorrect_cvc: 'incorrect-cvc',
  invalid_cvc: 'incorrect-cvc',
  incorrect_number: 'incorrect-number',
  invalid_number: 'incorrect-number',
  invalid_expiry_month: 'invalid-expiry',
  invalid_expiry_year: 'invalid-expiry',
  processing_error: 'processing-error',
  authentication_required: 'authentication-failed',
  payment_intent_authentication_failure: 'authentication-failed',
};

function declineOf(intent: StripeIntent): CardDecline | undefined {
  if (intent.status === 'canceled')
    return ['automatic', 'expired'].includes(intent.cancellation_reason ?? '')
      ? toDecline('authorization-expired')
      : undefined;
  if (!intent.last_payment_error || statuses[intent.status] !== 'requires-payment')
    return undefined;
  const { decline_code: why, code } = intent.last_payment_error;
  const known = [why, code].find(
    (word) => typeof word === 'string' && Object.hasOwn(declineWords, word),
  );
  return toDecline(known ? declineWords[known]! : 'card-declined');
}

/** What belongs to a payment beside the intent itself, where it is needed. */
export interface StripeExtras {
  /** Where its charge was disputed. */
  readonly disputes: readonly StripeDispute[];
  /** Where it was captured in part. */
  readonly refunds: readonly StripeRefund[];
}

export function toPayment(intent: StripeIntent, { disputes, refunds }: StripeExtras): CardPayment {
  const { currency } = intent;
  const decline = declineOf(intent);
  const card = readCard(intent);
  const ofMoney = (amount: number) => fromStripeAmount(amount, currency);
  // Inquiries take nothing back.
  const taken = disputes
    .filter(({ status }) => !status.startsWith('warning_') && status !== 'prevented')
    .map(toDispute);
  return {
    reference: intent.id,
    paymentId: intent.metadata[metadataNames.paymentId] ?? '',
    status: intent.status !== 'canceled' && decline?.final ? 'failed' : statuses[intent.status],
    amountMinor: ofMoney(intent.amount),
    currency,
    capturedMinor: intent.status === 'succeeded' ? ofMoney(intent.amount_received) : 0n,
    // Before capture Stripe counts what is released as refunded.
    refundedMinor: intent.status === 'succeeded' ? ofMoney(refundedOf(intent, refunds)) : 0n,
    disputedMinor: taken.reduce(
      (sum, { status, amountMinor }) => (status === 'won' ? sum : sum + amountMinor),
      0n,
    ),
    disputes: taken,
    ...(decline && { decline }),
    ...(card && { card }),
  };
}

function toDispute({ id, amount, currency, status }: StripeDispute): CardDispute {
  return {
    reference: id,
    status: status === 'won' || status === 'lost' ? status : 'open',
    amountMinor: fromStripeAmount(amount, currency),
  };
}

/**
 * After a partial capture the released rest looks refunded too, as a refund without a transaction:
 * then the refunds are counted.
 */
function refundedOf(intent: StripeIntent, refunds: readonly StripeRefund[]): number {
  if (!isPartlyCaptured(intent)) return intent.latest_charge?.amount_refunded ?? 0;
  const isOurs = (refund: StripeRefund) =>
    refund.metadata?.[metadataNames.refundId] !== undefined ||
    typeof refund.balance_transaction === 'string';
  return refunds
    .filter((refund) => isOurs(refund) && !['failed', 'canceled'].includes(refund.status ?? ''))
    .reduce((sum, refund) => sum + refund.amount, 0);
}

export function isPartlyCaptured(intent: StripeIntent): boolean {
  return intent.status === 'succeeded' && intent.amount_received < intent.amount;
}

function readCard({
  latest_charge: charge,
  last_payment_error: error,
}: StripeIntent): CardDetails | undefined {
  const card = charge?.payment_method_details?.card ?? error?.payment_method?.card;
  if (!card?.brand || !card.last4) return undefined;
  return {
    brand: card.brand,
    last4: card.last4,
    ...(card.country && { country: card.country }),
    ...(card.funding && { fundingType: card.funding }),
  };
}

export function toRefund(refund: StripeRefund, refundId: string): CardRefund {
  const status =
    refund.status === 'succeeded'
      ? 'succeeded'
      : ['failed', 'canceled'].includes(refund.status ?? '')
        ? 'failed'
        : 'pending';
  return {
    refundId,
    reference: refund.id,
    status,
    amountMinor: fromStripeAmount(refund.amount, refund.currency),
  };
}
