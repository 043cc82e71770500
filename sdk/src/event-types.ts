// Generated from the service's list by `npm run docs`: do not edit.
/** Every `type` of event that webhooks and `listEvents` carry. */
export const webhookEventTypes = [
  'orders.quote.created',
  'orders.quote.updated',
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.payment.refunded',
  'orders.delivery.initiated',
  'orders.delivery.completed',
  'orders.delivery.failed',
  'wallets.transfer.in',
  'wallets.transfer.out',
  'wallets.signer.exported',
  'users.identity-verification.updated',
  'agent-checkouts.updated',
] as const;
