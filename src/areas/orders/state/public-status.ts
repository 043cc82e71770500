import type { OrderKind, OrderState } from './machine.ts';

/** What callers see of a state (supplement, sections 13 and 22). */
export interface OuterStatus {
  readonly phase: 'quote' | 'payment' | 'delivery' | 'completed';
  readonly quote: 'valid' | 'expired' | 'requires-recipient' | 'requires-physical-address' | 'all-line-items-unavailable';
  readonly payment: PaymentStatus;
  readonly delivery: OrderDeliveryStatus;
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
/** Of a whole order: of several line items some were delivered, and others were paid back. Each item says which of both. */
export type OrderDeliveryStatus = DeliveryStatus | 'partial-delivery';

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
 * @param over overrides what the state implies: why an order is incomplete; that some line items were delivered
 */
export function outerOf(
  _kind: OrderKind,
  state: OrderState,
  before: OuterStatus | undefined,
  over: Partial<Pick<OuterStatus, 'quote' | 'delivery'>> = {},
): OuterStatus {
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
      if (!before) throw new Error(`an order cannot begin as ${state}`);
      return { ...before, phase: 'delivery', delivery: 'failed' };
    case 'refunding': {
      if (!before) throw new Error(`an order cannot begin as ${state}`);
      const delivery = over.delivery ?? deliveredOf(before) ?? 'failed';
      // What was delivered and is paid back by agreement stays completed.
      return { ...before, phase: before.phase === 'completed' ? 'completed' : 'delivery', delivery };
    }
    case 'refunded': {
      const { phase, payment, delivery } = outerOfState.refunded;
      return { phase, quote: 'valid', payment, delivery: (before && deliveredOf(before)) ?? delivery };
    }
    default: {
      const outer = outerOfState[state];
      return { phase: outer.phase, quote: over.quote ?? outer.quote ?? 'valid', payment: outer.payment, delivery: outer.delivery };
    }
  }
}

/** What was delivered remains so, whatever becomes of the money: only what failed is paid back by itself. */
function deliveredOf({ delivery }: OuterStatus): 'completed' | 'partial-delivery' | undefined {
  return delivery === 'completed' || delivery === 'partial-delivery' ? delivery : undefined;
}
