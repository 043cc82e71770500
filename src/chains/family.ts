import { ServiceError } from '../lib/errors.ts';
import type { Addresses } from './family/capabilities/addresses.ts';
import type { Collections } from './family/capabilities/collections.ts';
import type { CustodyKeys } from './family/capabilities/custody.ts';
import type { ControlTools, Delegates } from './family/capabilities/delegates.ts';
import type { Deposits } from './family/capabilities/deposits.ts';
import type { Networks } from './family/capabilities/networks.ts';
import type { Operations } from './family/capabilities/operations.ts';
import type { Messages, Signatures } from './family/capabilities/signatures.ts';
import type { Tokens } from './family/capabilities/tokens.ts';
import type { Funding, Transfers } from './family/capabilities/transfers.ts';
import type { Wallets } from './family/capabilities/wallets.ts';
import type { Worker } from './family/capabilities/worker.ts';

export type { Addresses } from './family/capabilities/addresses.ts';
export {
  type CollectionStandard,
  type Collections,
  collectionStandards,
} from './family/capabilities/collections.ts';
export type { CustodyKeys } from './family/capabilities/custody.ts';
export type {
  ControlTools,
  DelegateTruth,
  LimitUse,
  PrepareSignerChangeInput,
  ReadLimitsInput,
  SignerChange,
  WalletControl,
} from './family/capabilities/delegates.ts';
export type {
  DepositInstructions,
  DepositIntent,
  Deposits,
  PayerState,
  PostedDeposit,
  RecordedDeposit,
} from './family/capabilities/deposits.ts';
export type {
  ChainEntrances,
  OperationError,
  OperationOutcome,
  OperationResult,
  SeenOperation,
  SeenTransfer,
} from './family/capabilities/entrances.ts';
export {
  type ChainType,
  chainTypes,
  type Network,
  type Networks,
  type Token,
} from './family/capabilities/networks.ts';
export type {
  Operations,
  PreparedOperation,
  PrepareOperationInput,
  SignedSubject,
  SubmitOperationInput,
} from './family/capabilities/operations.ts';
export type {
  MessageVerifier,
  PreparedSignature,
  PrepareSignatureInput,
  SignatureType,
} from './family/capabilities/signatures.ts';
export {
  type Delegate,
  isQuorum,
  type QuorumSigner,
  type Signer,
  type SignerType,
  type SubmittedApproval,
  signerTypes,
  type TransferScope,
} from './family/capabilities/signers.ts';
export type { ChainRelayStatus, Running, WatchStatus } from './family/capabilities/status.ts';
export type {
  FinalBalances,
  ResolvedToken,
  TokenBalance,
  Tokens,
} from './family/capabilities/tokens.ts';
export type {
  FindRecipient,
  Funding,
  Recipient,
  TransferIntent,
  Transfers,
} from './family/capabilities/transfers.ts';
export {
  type FamilyWallet,
  type MpcWalletInput,
  type SmartWalletInput,
  type WalletPlan,
  type WalletPlanInput,
  type WalletType,
  walletTypes,
} from './family/capabilities/wallets.ts';
export type { LateSignInput } from './family/late/signing.ts';

/**
 * What every family does: a caller names those of these capabilities that it uses, not the whole.
 */
export interface BaseFamily
  extends Networks,
    Addresses,
    Wallets,
    CustodyKeys,
    Tokens,
    Transfers,
    Operations,
    Worker {}

/** What only some families do; `family.contract.ts` has a part for each. */
export interface FamilyExtras {
  readonly delegates: Delegates;
  /** Absent where wallets are moved by their keys alone. */
  readonly control: ControlTools;
  readonly signatures: Signatures;
  readonly messages: Messages;
  readonly deposits: Deposits;
  /** Absent where collectibles are not sold. */
  readonly collections: Collections;
  readonly funding: Funding;
}

/** What a family tells of its chain, without a wallet of its own. */
export type FamilyReads = Pick<
  BaseFamily,
  | 'networks'
  | 'requireNetwork'
  | 'resolveToken'
  | 'readBalances'
  | 'readFinalBalances'
  | 'readMetadataUris'
  | 'watchStatus'
>;

/**
 * What the service asks of a chain family. Nothing outside `src/chains/<family>` knows what a log,
 * a nonce, gas, a lamport or a ledger sequence is; what a family must remember about a wallet or an
 * operation is an opaque JSON value that the areas store and hand back. Every family passes
 * `family.contract.ts`.
 */
export type ChainFamily = BaseFamily & Partial<FamilyExtras>;

const refusals: { readonly [Name in keyof FamilyExtras]: string } = {
  delegates: 'have no delegated signers',
  control: 'are moved by their keys alone',
  signatures: 'give no signatures without a transaction',
  messages: 'have no signed messages',
  deposits: 'take no deposits of orders',
  collections: 'sell no collectibles',
  funding: 'get no test tokens',
};

/**
 * What a request needs and its family may lack.
 * @throws chain-not-supported, signature-type-not-supported
 */
export function requireExtra<Name extends keyof FamilyExtras>(
  family: Pick<Networks, 'chainType'> & { readonly [Extra in Name]?: FamilyExtras[Name] },
  name: Name,
): FamilyExtras[Name] {
  const extra = family[name];
  if (extra) return extra;
  const code = name === 'signatures' ? 'signature-type-not-supported' : 'chain-not-supported';
  throw new ServiceError(code, { message: `Wallets on ${family.chainType} ${refusals[name]}.` });
}
