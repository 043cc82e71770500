export { forgetNextNonce } from './accounts.ts';
export { enqueueOperation, enqueueOperations } from './queue/queue.ts';
export { releaseWithheld, withholdOperations } from './queue/withheld.ts';
export { runRelay } from './run.ts';
export { readOwnBudgets, readSpentToday, writeBudget } from './spending/budgets.ts';
export { type ChainQueue, type RelayAccountStatus, type RelayStatus, relayStatus } from './status.ts';
export { enqueueTreasuryCall, readTreasuryCall, type TreasuryCall, type TreasuryCallState } from './treasury/treasury-calls.ts';
export type { KillPoint, RelayDeps, RelayItem } from './types.ts';
