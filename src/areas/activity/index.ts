export { selectTransferChains } from './chains.ts';
export { recordTransfers, retractTransfers } from './record.ts';
export { recordFailedTransfers } from './record-failed.ts';
export { type Holding, selectHoldings } from './store.ts';
