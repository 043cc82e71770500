export { type ActingSigner, recoveryMethodsOf, resolveActingSigner } from './acting-signer.ts';
export { walletParamsSchema } from './schema.ts';
export { isSameSigner } from './signer-key.ts';
export { insertWallets, type NewWallet, selectOwnAddresses, selectWalletById, selectWalletsAt, type WalletRecord } from './store.ts';
export { signerView } from './view.ts';
export { findWallet, planUserWallet, toFamilyWallet } from './wallets.ts';
