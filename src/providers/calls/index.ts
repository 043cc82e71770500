export {
  listProviderCalls,
  type ProviderCalls,
  pruneCallCounts,
  storeCallCounts,
} from './calls.ts';
