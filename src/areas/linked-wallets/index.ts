export type { LinkedWallet } from './link.ts';
export { getLinkedWallet } from './linked-wallets.ts';
export { findWalletOwner, isProofNeeded, proofLimitUsd, pruneChallenges, type WalletOwner } from './ownership.ts';
