export {
  type AccountCorrection,
  correctAccount,
  type OpenedPaymentMethod,
  type OpenInput,
  openPaymentMethod,
  recordPayout,
} from './open.ts';
export { ownerKeysOfCaller } from './owner.ts';
export { type AskPayoutInput, askPayout, pullPayoutEvents, readPayout, readPayoutRails } from './payout-client.ts';
export { compareBankBooks, type PayoutPageInput, readPayoutPage, readUnheardPayouts } from './payout-page.ts';
export { type PayoutAnswer, type PayoutEvent, payoutStatuses, payoutsPerPageMax } from './payout-wire.ts';
export { paymentMethodRoutes } from './routes.ts';
export { type AccountSecrets, type PaymentMethodType, railsOfType } from './types.ts';
