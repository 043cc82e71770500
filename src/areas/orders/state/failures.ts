/**
 * What an app may do after a failure. `retry`: this order may be paid as it is, with the same card
 * too. `other-card`: this order, with another card. `new-order`: this order can no longer be paid,
 * and a new one may. `none`: a new one would fail alike.
 */
export const retryPolicies = ['retry', 'other-card', 'new-order', 'none'] as const;
export type RetryPolicy = (typeof retryPolicies)[number];

/** Why an order was not paid or not delivered: `payment.failureReason`. */
export interface OrderFailure {
  /**
   * A code of the supplement, section 17: `payment-declined`, `deposit-short`, `deposit-late`,
   * `kyc-rejected`, … Of payouts `payout-rejected` and `payout-returned`.
   */
  readonly code: string;
  readonly message: string;
  /**
   * `verification_error`: somebody could not be shown to be who they are, at the identity company
   * or at the card's bank.
   */
  readonly category?: 'verification_error';
  /** As of the failure; see {@link shownFailure}. */
  readonly retryPolicy: RetryPolicy;
}

export const identityRefused: OrderFailure = {
  code: 'kyc-rejected',
  message: 'The identity check was refused.',
  category: 'verification_error',
  retryPolicy: 'none',
};

export const undelivered: OrderFailure = {
  code: 'unknown',
  message: 'The tokens could not be delivered; the payment goes back.',
  retryPolicy: 'new-order',
};

/**
 * A failure as callers see it: what could be tried again cannot be any more once the order is not
 * to be paid.
 */
export function shownFailure(failure: OrderFailure, phase: string): OrderFailure {
  const isPayable = phase === 'payment' || failure.retryPolicy === 'none';
  return isPayable ? failure : { ...failure, retryPolicy: 'new-order' };
}
