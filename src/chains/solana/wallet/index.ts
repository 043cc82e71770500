export { readSolanaControl } from './control.ts';
export {
  prepareSolanaEnd,
  prepareSolanaSignerChange,
  readSolanaDelegates,
  readSolanaLimits,
} from './delegates.ts';
export { claimNumbers } from './numbers.ts';
export { planSmartWallet } from './smart-plan.ts';
