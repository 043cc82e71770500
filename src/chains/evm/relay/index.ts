export { forgetNextNonce } from './accounts.ts';
export { enqueueOperations } from './queue/queue.ts';
export { releaseWithheld, resumeOperations, withholdOperations } from './queue/withheld.ts';
export { runRelay } from './run.ts';
export { relayStatus } from './status.ts';
export { enqueueTreasuryCall, readTreasuryCall } from './treasury/treasury-calls.ts';
