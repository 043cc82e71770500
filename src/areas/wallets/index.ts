export { refuseRecoveryMethod } from './config.ts';
export {
  type DelegateChain,
  type DelegateOnChain,
  type DelegateWithChains,
  delegatesMax,
  isThere,
  readScope,
  selectDelegates,
  selectDelegatesOnChains,
  storeScope,
} from './delegates-store.ts';
export {
  chainAsStored,
  claimDueChains,
  claimDueSetUps,
  countDelegates,
  type DelegateChainUpdate,
  insertDelegate,
  lockDelegates,
  lockDelegatesOnChains,
  onChainKey,
  postponeChecks,
  renameDelegate,
  saveDelegateChains,
  updateAsked,
} from './delegates-write.ts';
export { listWalletLines, readWalletOf } from './operator/lines.ts';
export { mistakenFamily, recipientFinder } from './recipient.ts';
export {
  custodySignerOf,
  delegateKeyOf,
  recoveryMethodsOf,
  resolveActingSigner,
  termsOn,
} from './signer/acting-signer.ts';
export { custodyPurposeOf } from './signer/api-key-signer.ts';
export {
  emailSigner,
  type Identity,
  phoneSigner,
  readEmail,
  readPhone,
  signerOf,
} from './signer/contact-signer.ts';
export { liftTerms, readSigner } from './signer/read-signer.ts';
export { isSameSigner, keyIdOf, signerKeyOf } from './signer/signer-key.ts';
export {
  insertWallets,
  type NewWallet,
  sealedWallets,
  selectOwnAddresses,
  selectTreasuryAddresses,
  selectTreasuryWallet,
  selectWalletById,
  selectWalletsAt,
  type WalletRecord,
} from './store.ts';
export { readTerms } from './terms.ts';
export { ensureTreasuryWallet, makeTreasuries } from './treasury-wallet.ts';
export { actingSignerView, delegateView, signerView } from './view.ts';
export {
  findActingWallet,
  findWallet,
  planUserWallet,
  toFamilyWallet,
  usableChains,
} from './wallets.ts';
