export {
  type PayoutAnswer,
  type PayoutEvent,
  payoutsPerPageMax,
} from '../../providers/vault/payout-wire.ts';
export { ownerKeysOfCaller } from './owner.ts';
export { askPayout, pullPayoutEvents, readPayout, readPayoutSwitch } from './payout-client.ts';
export { compareBankBooks, readPayoutPage, readUnreceivedPayouts } from './payout-page.ts';
