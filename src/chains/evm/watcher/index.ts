export type { WatcherEntrances } from './follower.ts';
export { readTransactionInput } from './read-node.ts';
export { runWatcher, type WatcherDeps } from './run-watcher.ts';
export { type WatchedChainStatus, watcherStatus } from './status.ts';
export { watchChain, watchTokens } from './store.ts';
export type { WatchedToken } from './watched-token.ts';
