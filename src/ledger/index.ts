export { isAccount, isAsset } from './accounts.ts';
export { type Asset, readAssets, registerAsset } from './assets.ts';
export { balancesPerReadMax, readBalances } from './balances.ts';
export { checkLedger } from './check.ts';
export { ledgerCommand } from './command.ts';
export { entriesPerReadMax, readEntries } from './entries.ts';
export {
  LedgerConflict,
  LedgerError,
  LedgerInvalid,
  LedgerOverdrawn,
  LedgerUnknownHold,
} from './errors.ts';
export { foldLedger } from './fold.ts';
export { readHold, settleHolds, voidHolds } from './holds.ts';
export { holdEntries, postEntries } from './post.ts';
export { type AssetTrialBalance, trialBalance } from './trial-balance.ts';
export type { AccountBalance, LedgerEntry, LedgerPosting, NewEntry, Posting } from './types.ts';
