export { walletParamsSchema } from './schema.ts';
export { insertWallets, type NewWallet, selectOwnAddresses, selectWalletById, selectWalletsAt, type WalletRecord } from './store.ts';
export { signerView } from './view.ts';
export { findWallet, planUserWallet, toFamilyWallet } from './wallets.ts';
