export { type OrderGate, type Patience, type RunLog, RunStop } from './run.ts';
export { runCheckout } from './run-checkout.ts';
export type { Planner } from './stuck.ts';
