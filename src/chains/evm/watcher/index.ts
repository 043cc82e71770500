export { readTransactionInput } from './read-node.ts';
export { runWatcher, type WatcherDeps } from './run-watcher.ts';
export type { WatcherEntrances } from './follower.ts';
export type { WatchedToken } from './watched-token.ts';
export { watcherStatus, type WatchedChainStatus } from './status.ts';
export { watchChain, watchTokens } from './store.ts';
