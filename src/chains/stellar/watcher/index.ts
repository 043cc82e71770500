export { findTransfers } from './find-transfers.ts';
export { runWatcher, type WatcherDeps } from './history.ts';
export { memoPattern } from './movements.ts';
