export { type PayoutAnswer, type PayoutEvent, payoutStatuses, payoutsPerPageMax } from '../../providers/vault/payout-wire.ts';
export { ownerKeysOfCaller } from './owner.ts';
export { type AskPayoutInput, askPayout, pullPayoutEvents, readPayout, readPayoutRails, readPayoutSwitch } from './payout-client.ts';
export { compareBankBooks, type PayoutPageInput, readPayoutPage, readUnheardPayouts } from './payout-page.ts';
export { paymentMethodRoutes } from './routes.ts';
