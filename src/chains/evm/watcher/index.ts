export type { WatcherEntrances } from './follower.ts';
export { readFinalHeight } from './reading/finality.ts';
export { type ReadDepositsDeps, readEvmDeposits } from './reading/read-deposits.ts';
export { readHead } from './reading/read-node.ts';
export { hasSeenHistory } from './reorganisation.ts';
export { runWatcher, type WatcherDeps } from './run-watcher.ts';
export { type WatchedChainStatus, watcherStatus } from './status.ts';
export { selectFinalHeight, watchChain, watchTokens } from './store.ts';
export type { WatchedToken } from './watched-token.ts';
