/** Addresses that every cluster has. */
export const systemProgram = '11111111111111111111111111111111';
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const lookupTableProgram = 'AddressLookupTab1e1111111111111111111111111';
export const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111';
export const upgradeableLoader = 'BPFLoaderUpgradeab1e11111111111111111111111';
export const memoPrograms: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);
/** Their signatures are paid for like those of the transaction. */
export const signaturePrecompiles: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
/** Instructions of these are counted with 3,000 units when a transaction names no limit. */
export const builtinPrograms: ReadonlySet<string> = new Set([
  systemProgram,
  computeBudgetProgram,
  upgradeableLoader,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]);
