export type { OrderGate, RunLog } from './run.ts';
export { type CheckoutInput, runCheckout } from './run-checkout.ts';
