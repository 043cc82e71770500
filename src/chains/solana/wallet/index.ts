export type {
  AccountBytes,
  CompleteP256Input,
  P256Request,
  ReadAccounts,
  SmartWalletState,
  WalletProgram,
  WrapInput,
  Wrapped,
} from './types.ts';
// Functions that follow, by these types:
// planSmartWallet(deps: WalletProgram, input: WalletPlanInput): WalletPlan
// readSmartWallet(read: ReadAccounts, input: {wallet, delegate?, now}): Promise<SmartWalletState>
// allocateNumbers(db, {wallet, signer, above, count}): Promise<bigint>   (only for device and passkey)
// wrapInstructions(input: WrapInput): Wrapped                             @throws transaction-invalid, signer-scope-violation, signer-expired
// hashOf(transaction: Uint8Array): Uint8Array                              keccak-256 that device and passkey sign; message = 0x hex
// completeP256(input: CompleteP256Input): Uint8Array                       the wire transaction to be signed by fee payer and authority
// signerChangeInstructions(input): Instructions for prepareSolanaSignerChange; readSolanaDelegates; readSolanaControl; prepareSolanaEnd
