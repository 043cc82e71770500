export { readSolanaControl } from './control.ts';
export { prepareSolanaEnd, prepareSolanaSignerChange, readSolanaDelegates } from './delegates.ts';
export { takeNumbers } from './numbers.ts';
export { completeSolanaSigner, isP256Signer, solanaAdminSignerTypes, solanaDelegatedSignerTypes } from './signer-keys.ts';
export { planSmartWallet, readSmartSetup, type SmartWallet } from './smart-plan.ts';
export { readSmartWallet } from './state.ts';
export type { ReadAccounts, SmartWalletState, WalletProgram, WrapInput, Wrapped } from './types.ts';
