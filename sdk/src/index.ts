export {
  type AgentCheckout,
  type AgentCheckoutUpdate,
  type BuyOptions,
  type FollowOptions,
  type ProgressItem,
  type Question,
  type QuestionAnswer,
} from './agent-checkouts.ts';
export type {
  Answer,
  Body,
  CallOptions,
  Paged,
  Query,
  Schema,
  VaultAnswer,
  VaultBody,
} from './call-types.ts';
export { createPurser, type Eligibility, type Purser } from './client.ts';
export type { ErrorCode } from './error-codes.ts';
export * from './errors.ts';
export type { PurserEvent, StreamOptions } from './events.ts';
export type { ReviewedCall, ReviewedScope } from './evm/calls.ts';
export type { KnownToken, ReviewedToken } from './evm/chains.ts';
export { ApprovalRefusedError, type RefusalReason, WalletAddressError } from './evm/refusal.ts';
export type { MessageReview, OperationReview, Review, TypedDataReview } from './evm/review.ts';
export { hashTypedData, type TypedData } from './evm/typed-data.ts';
export { type WalletConfig, walletAddressOf } from './evm/wallet-address.ts';
export type { components, operations, paths } from './openapi.ts';
export type { Order, OrderWaitOptions } from './orders.ts';
export type { P256PublicKey, P256Signature } from './p256.ts';
export {
  formOfSchema,
  type QuestionField,
  type QuestionForm,
  type QuestionWay,
} from './questions.ts';
export type { PurserOptions } from './send.ts';
export { type CodeCalls, type CodeSignerOptions, codeSigner } from './signers/code.ts';
export { createDeviceKey, type DeviceSigner, deviceSigner } from './signers/device.ts';
export {
  type Ed25519Wallet,
  ed25519Signer,
  type SolanaWallet,
  solanaWalletSigner,
} from './signers/ed25519.ts';
export { externalWalletSigner, type MessageSigner } from './signers/external-wallet.ts';
export {
  type CreatePasskeyOptions,
  createPasskey,
  type Passkey,
  passkeySigner,
} from './signers/passkey.ts';
export { deriveServerKey, type ServerKeyInput, serverSigner } from './signers/server.ts';
export type { Approval, ApprovalRequest, PurserSigner } from './signers/signer.ts';
export { pause, type WaitOptions, waitUntil } from './wait.ts';
export type {
  ActOptions,
  ApproveOptions,
  DelegatedSigner,
  Signature,
  Transaction,
  Wallet,
} from './wallets.ts';
export {
  type VerifyWebhookInput,
  verifyWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookEventType,
  WebhookVerificationError,
} from './webhooks.ts';
