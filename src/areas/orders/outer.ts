import type { OrderKind, OrderState } from './machine.ts';

/** What callers see of a state (supplement, sections 13 and 22). */
export interface OuterStatus {
  readonly phase: 'quote' | 'payment' | 'delivery' | 'completed';
  readonly quote: 'valid' | 'expired' | 'requires-recipient' | 'requires-physical-address' | 'all-line-items-unavailable';
  readonly payment: PaymentStatus;
  readonly delivery: DeliveryStatus;
}

export const paymentStatuses = [
  'draft',
  'requires-quote',
  'requires-email',
  'requires-kyc',
  'pending-kyc-review',
  'manual-kyc',
  'failed-kyc',
  'requires-recipient-verification',
  'requires-crypto-payer-address',
  'crypto-payer-insufficient-funds',
  'crypto-payer-insufficient-funds-for-gas',
  'awaiting-payment',
  'in-progress',
  'completed',
  'failed',
  'refunded',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const deliveryStatuses = ['draft', 'awaiting-payment', 'in-progress', 'completed', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

type Outer = Omit<OuterStatus, 'quote'> & { readonly quote?: OuterStatus['quote'] };

const waiting = (payment: PaymentStatus): Outer => ({ phase: 'payment', payment, delivery: 'awaiting-payment' });

/** `unchanged` states show what the order showed before. */
const outerOfState: Readonly<
  Record<Exclude<OrderState, 'on_hold' | 'needs_operator' | 'closed' | 'payout_returned' | 'refunding'>, Outer>
> = {
  incomplete: { phase: 'quote', payment: 'requires-quote', delivery: 'awaiting-payment', quote: 'requires-recipient' },
  quoted: { phase: 'quote', payment: 'requires-quote', delivery: 'awaiting-payment' },
  quote_expired: { phase: 'quote', payment: 'requires-quote', delivery: 'awaiting-payment', quote: 'expired' },
  email_needed: waiting('requires-email'),
  kyc_needed: waiting('requires-kyc'),
  kyc_review: waiting('pending-kyc-review'),
  kyc_manual: waiting('manual-kyc'),
  kyc_failed: { phase: 'completed', payment: 'failed-kyc', delivery: 'awaiting-payment' },
  proof_needed: waiting('requires-recipient-verification'),
  payer_needed: waiting('requires-crypto-payer-address'),
  payer_short: waiting('crypto-payer-insufficient-funds'),
  payer_short_of_gas: waiting('crypto-payer-insufficient-funds-for-gas'),
  awaiting_payment: waiting('awaiting-payment'),
  awaiting_deposit: waiting('awaiting-payment'),
  deposit_short: waiting('awaiting-payment'),
  deposit_seen: waiting('in-progress'),
  deposit_over: waiting('in-progress'),
  deposit_late: waiting('in-progress'),
  deposit_final: waiting('in-progress'),
  payment_authorised: waiting('in-progress'),
  capturing: waiting('in-progress'),
  releasing: waiting('in-progress'),
  payment_failed: { phase: 'completed', payment: 'failed', delivery: 'awaiting-payment' },
  screened: { phase: 'delivery', payment: 'completed', delivery: 'in-progress' },
  converting: { phase: 'delivery', payment: 'completed', delivery: 'in-progress' },
  payout_submitted: { phase: 'delivery', payment: 'completed', delivery: 'in-progress' },
  payout_rejected: { phase: 'delivery', payment: 'completed', delivery: 'in-progress' },
  payout_settled: { phase: 'completed', payment: 'completed', delivery: 'completed' },
  payout_final: { phase: 'completed', payment: 'completed', delivery: 'completed' },
  delivering: { phase: 'delivery', payment: 'completed', delivery: 'in-progress' },
  delivered: { phase: 'completed', payment: 'completed', delivery: 'completed' },
  refunded: { phase: 'completed', payment: 'refunded', delivery: 'failed' },
};

/**
 * What an order shows in `state`, coming from what it showed before.
 * @param quote overrides the quote status that the state implies, e.g. why an order is incomplete
 */
export function outerOf(_kind: OrderKind, state: OrderState, before: OuterStatus | undefined, quote?: OuterStatus['quote']): OuterStatus {
  switch (state) {
    case 'closed':
      if (!before) throw new Error(`an order cannot begin as ${state}`);
      // Settled by hand: nothing more will come, and whoever polls may stop.
      return { ...before, phase: 'completed' };
    case 'on_hold':
    case 'needs_operator':
      if (!before) throw new Error(`an order cannot begin as ${state}`);
      return before;
    case 'payout_returned':
    case 'refunding':
      if (!before) throw new Error(`an order cannot begin as ${state}`);
      return { phase: 'delivery', quote: before.quote, payment: before.payment, delivery: 'failed' };
    default: {
      const outer = outerOfState[state];
      return { phase: outer.phase, quote: quote ?? outer.quote ?? 'valid', payment: outer.payment, delivery: outer.delivery };
    }
  }
}
