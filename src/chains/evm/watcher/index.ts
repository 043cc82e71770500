export type { WatcherEntrances } from './follower.ts';
export { findOperations, readInput } from './operation-calls.ts';
export { readFinalHeight } from './reading/finality.ts';
export { type ReadDepositsDeps, readEvmDeposits } from './reading/read-deposits.ts';
export { readHead, readHeaders, toHex } from './reading/read-node.ts';
export { hasSeenHistory } from './reorganisation.ts';
export { runWatcher } from './run-watcher.ts';
export { watcherStatus } from './status.ts';
export { selectFinalHeight, watchChain, watchTokens } from './store.ts';
