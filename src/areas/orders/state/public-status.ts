import { type OrderState, stateRow } from './states.ts';

/** What callers see of a state (supplement, sections 13 and 22). */
export interface PublicStatus {
  readonly phase: 'quote' | 'payment' | 'delivery' | 'completed';
  readonly quote:
    | 'valid'
    | 'expired'
    | 'requires-recipient'
    | 'requires-physical-address'
    | 'all-line-items-unavailable';
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
export const deliveryStatuses = [
  'draft',
  'awaiting-payment',
  'in-progress',
  'completed',
  'failed',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
/**
 * Of a whole order: of several line items some were delivered, and others were paid back. Each item
 * says which of both.
 */
export type OrderDeliveryStatus = DeliveryStatus | 'partial-delivery';

/**
 * What an order shows in `state`, coming from what it showed before.
 * @param over overrides what the state implies: why an order is incomplete; that some line items
 * were delivered
 */
export function publicStatusOf(
  state: OrderState,
  before: PublicStatus | undefined,
  over: Partial<Pick<PublicStatus, 'quote' | 'delivery'>> = {},
): PublicStatus {
  const { shows } = stateRow(state);
  if (typeof shows === 'function') return shows(before, over);
  const { phase, quote, payment, delivery } = shows;
  return { phase, quote: over.quote ?? quote ?? 'valid', payment, delivery };
}
