export {
  type ActOptions,
  type Balances,
  type CallOptions,
  createPurser,
  type DelegatedSigner,
  type Purser,
  type PurserOptions,
  type Signature,
  type Transaction,
  type Wallet,
} from './client.ts';
export type { ErrorCode } from './error-codes.ts';
export * from './errors.ts';
export type { components, operations, paths } from './openapi.ts';
export type { P256PublicKey, P256Signature } from './p256.ts';
export { type CodeCalls, type CodeSignerOptions, codeSigner } from './signers/code.ts';
export { createDeviceKey, type DeviceSigner, deviceSigner } from './signers/device.ts';
export { externalWalletSigner, type MessageSigner } from './signers/external-wallet.ts';
export { type CreatePasskeyOptions, createPasskey, type Passkey, passkeySigner } from './signers/passkey.ts';
export { deriveServerKey, type ServerKeyInput, serverSigner } from './signers/server.ts';
export type { Approval, ApprovalRequest, PurserSigner } from './signers/signer.ts';
export { pause, type WaitOptions, waitUntil } from './wait.ts';
