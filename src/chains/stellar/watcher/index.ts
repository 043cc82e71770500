export { type FindTransfersInput, findTransfers } from './find-transfers.ts';
export { runWatcher, type SelectOperationIds, type WatcherDeps } from './history.ts';
export { memoPattern } from './movements.ts';
