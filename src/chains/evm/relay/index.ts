export { forgetNextNonce } from './accounts.ts';
export { readOwnBudgets, readSpentToday, writeBudget } from './budgets.ts';
export { enqueueOperation, enqueueOperations } from './queue.ts';
export { runRelay } from './run.ts';
export { type ChainQueue, type RelayAccountStatus, type RelayStatus, relayStatus } from './status.ts';
export { enqueueTreasuryCall, readTreasuryCall, type TreasuryCall, type TreasuryCallState } from './treasury-calls.ts';
export type { KillPoint, RelayDeps, RelayItem } from './types.ts';
export { releaseWithheld, withholdOperations } from './withheld.ts';
