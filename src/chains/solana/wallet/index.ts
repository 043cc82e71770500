export { readSolanaControl } from './control.ts';
export { prepareSolanaEnd, prepareSolanaSignerChange, readSolanaDelegates } from './delegates.ts';
export { claimNumbers } from './numbers.ts';
export {
  completeSolanaSigner,
  solanaAdminSignerTypes,
  solanaDelegatedSignerTypes,
} from './signer-keys.ts';
export { planSmartWallet } from './smart-plan.ts';
