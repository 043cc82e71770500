import type { OrderEvent, OrderState } from './machine.ts';

/** Whom a state waits for. */
export type StateOwner = 'payer' | 'service' | 'chain' | 'acquirer' | 'bank' | 'identity-company' | 'operator';

export interface StateRule {
  readonly owner: StateOwner;
  /** How long it may take: a time, or until the quote expires. Absent: the state is an end. */
  readonly limit?: number | 'quote';
  /** How much longer than its quote the state may last, where somebody has to end it properly first. */
  readonly graceMs?: number;
  /** What happens then; `alarm` leaves the state and tells the operator again and again. */
  readonly atLimit?: OrderEvent | 'alarm';
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Who owns each state, for how long, and what follows. A sweep holds every order to it. */
export const stateRules: Readonly<Record<OrderState, StateRule>> = {
  incomplete: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  quoted: { owner: 'service', limit: 5 * minute, atLimit: 'attention-needed' },
  email_needed: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  payer_needed: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  payer_short: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  payer_short_of_gas: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  // Identity checks outlive a quote: the price is made anew when they pass.
  kyc_needed: { owner: 'payer', limit: 7 * day, atLimit: 'expired' },
  kyc_review: { owner: 'identity-company', limit: 30 * day, atLimit: 'expired' },
  kyc_manual: { owner: 'identity-company', limit: 30 * day, atLimit: 'expired' },
  kyc_failed: { owner: 'payer' },
  proof_needed: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  quote_expired: { owner: 'payer' },
  // The order's flow cancels the payment at the acquirer first, and lets a payer finish 3-D Secure.
  awaiting_payment: { owner: 'payer', limit: 'quote', graceMs: 10 * minute, atLimit: 'expired' },
  payment_authorised: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  capturing: { owner: 'acquirer', limit: day, atLimit: 'attention-needed' },
  releasing: { owner: 'acquirer', limit: day, atLimit: 'attention-needed' },
  payment_failed: { owner: 'payer' },
  awaiting_deposit: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  deposit_short: { owner: 'payer', limit: 'quote', atLimit: 'expired' },
  deposit_seen: { owner: 'chain', limit: day, atLimit: 'attention-needed' },
  deposit_over: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  deposit_late: { owner: 'chain', limit: day, atLimit: 'attention-needed' },
  deposit_final: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  screened: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  converting: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  payout_submitted: { owner: 'bank', limit: 10 * day, atLimit: 'attention-needed' },
  payout_rejected: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  payout_settled: { owner: 'bank', limit: 75 * day, atLimit: 'alarm' },
  payout_final: { owner: 'bank' },
  payout_returned: { owner: 'service', limit: hour, atLimit: 'attention-needed' },
  delivering: { owner: 'chain', limit: day, atLimit: 'attention-needed' },
  delivered: { owner: 'chain' },
  // A card refund may take the acquirer days.
  refunding: { owner: 'service', limit: 10 * day, atLimit: 'attention-needed' },
  refunded: { owner: 'payer' },
  on_hold: { owner: 'operator', limit: day, atLimit: 'alarm' },
  needs_operator: { owner: 'operator', limit: day, atLimit: 'alarm' },
  closed: { owner: 'operator' },
};

/** When the owner of `state` has to have moved; undefined for an end. */
export function deadlineOf(state: OrderState, at: { readonly now: Date; readonly quoteExpiresAt: Date | undefined }): Date | undefined {
  const { limit, graceMs = 0 } = stateRules[state];
  if (limit === undefined) return undefined;
  if (limit === 'quote') return new Date((at.quoteExpiresAt ?? at.now).getTime() + graceMs);
  return new Date(at.now.getTime() + limit);
}
