export { type FindTransfersInput, findTransfers, memoPattern } from './find-transfers.ts';
export type { SelectOperationIds, WatcherEntrances } from './follower.ts';
export { runWatcher, type WatcherDeps } from './run-watcher.ts';
export { watcherStatus } from './status.ts';
export { selectFinalSlot, selectOperationIds, watchChain } from './store.ts';
