/**
 * A Soroban host on Node's WebAssembly: `createLocalHost` for tests of contracts, `runHostFunction`
 * for the local chain.
 */
export { describeError, HostFault } from './fault.ts';
export {
  archivedKeys,
  describeFailure,
  type HostInput,
  type HostOutcome,
  type LedgerInfo,
  networkSettings,
  runHostFunction,
} from './host.ts';
export {
  type ContractCall,
  type ContractCreation,
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
  type LocalLedger,
} from './local-host.ts';
