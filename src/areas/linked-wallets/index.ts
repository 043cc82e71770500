export { getLinkedWallet } from './linked-wallets.ts';
export { findWalletOwner, isProofNeeded, pruneChallenges } from './ownership.ts';
