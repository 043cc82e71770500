export { walletParamsSchema } from './schema.ts';
export { selectOwnAddresses, selectWalletById, selectWalletsAt, type WalletRecord } from './store.ts';
export { signerView } from './view.ts';
export { ensureUserWallet, findWallet, toFamilyWallet } from './wallets.ts';
