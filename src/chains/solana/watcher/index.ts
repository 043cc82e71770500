export { findTransfers, memoPattern } from './find-transfers.ts';
export { runWatcher, selectOperationIds, type WatcherDeps } from './history.ts';
