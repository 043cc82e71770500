import type { z } from 'zod';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Tx } from '../store/types.ts';
import type { Collections } from './collections.ts';
import type { ControlTools, DelegateTruth, PrepareSignerChangeInput } from './control.ts';
import type { DepositInstructions, DepositIntent, PayerState, PostedDeposit, RecordedDeposit } from './deposit.ts';
import type { ChainEntrances } from './entrances.ts';
import type { ChainRelayStatus, Running, WatchStatus } from './status.ts';

export { type CollectionStandard, type Collections, collectionStandards, type MintIntent } from './collections.ts';
export type { DelegateTruth, PrepareSignerChangeInput, SignerChange } from './control.ts';
export type { DepositInstructions, DepositIntent, PayerState, PostedDeposit, RecordedDeposit } from './deposit.ts';
export type { ChainEntrances, OperationError, OperationOutcome, SeenOperation, SeenTransfer } from './entrances.ts';
export type { ChainRelayStatus, RelayAccount, Running, WatchStatus } from './status.ts';

/**
 * What the service asks of a chain family. Nothing outside `src/chains/<family>` knows what a log, a nonce, gas, a
 * lamport or a ledger sequence is; what a family must remember about a wallet or an operation is an opaque JSON value
 * that the areas store and hand back. Every family passes `family.contract.ts`.
 */

export const chainTypes = ['aptos', 'evm', 'solana', 'stellar', 'sui'] as const;
export type ChainType = (typeof chainTypes)[number];
export const walletTypes = ['smart', 'mpc'] as const;
export type WalletType = (typeof walletTypes)[number];

/** A network as data. Finality is in the network's own terms, so that callers only ask `isFinal`. */
export interface Network {
  /** Chain name of the interface, e.g. `base-sepolia`. */
  readonly name: string;
  readonly chainType: ChainType;
  readonly testnet: boolean;
  /** Where wallets name the network by a number (EIP-155) in what they sign. */
  readonly chainId?: number;
  readonly native: { readonly symbol: string; readonly decimals: number };
  readonly explorerUrl?: string;
  /** True where delegated signers can be removed by this name; absent: on every network of the family. */
  readonly signerRemoval?: boolean;
  readonly tokens: readonly Token[];
}

export interface Token {
  /** Lower-case symbol, e.g. `usdc`. */
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Contract, mint or asset address; absent for the native token. */
  readonly address?: string;
}

export const signerTypes = ['external-wallet', 'server', 'api-key', 'passkey', 'email', 'phone', 'device', 'quorum'] as const;
export type SignerType = (typeof signerTypes)[number];

/** A signer as it is kept and answered. `locator` is what the caller sent, character by character (supplement, section 19). */
export interface Signer {
  readonly type: SignerType;
  readonly locator: string;
  readonly address?: string;
  readonly [field: string]: Json | undefined;
}

/** m of n signers that act together (supplement, section 21). Members may be any type but `device` and `quorum`. */
export interface QuorumSigner extends Signer {
  readonly type: 'quorum';
  readonly threshold: number;
  readonly members: readonly Signer[] & Json;
}

export function isQuorum(signer: Signer): signer is QuorumSigner {
  return signer.type === 'quorum';
}

/** What a delegated signer may do: plain transfers of one token (supplement, section 5). */
export interface TransferScope {
  readonly type: 'transfer';
  readonly token: ResolvedToken;
  /** Absent: to anybody. */
  readonly recipients?: readonly string[];
  /** `intervalSeconds` absent: for ever. */
  readonly spendingLimit?: { readonly amountMinor: bigint; readonly intervalSeconds?: number };
}

/** A delegated signer as the chain enforces it. No scopes: everything but managing signers. */
export interface Delegate {
  readonly signer: Signer;
  readonly expiresAt?: Date;
  readonly scopes: readonly TransferScope[];
}

export interface WalletPlanInput {
  readonly type: WalletType;
  /** The first of the recovery methods. */
  readonly adminSigner: Signer;
  /** All of them when there are several: each may act as the admin alone. */
  readonly recoveryMethods?: readonly Signer[];
  /** Registered when the wallet is deployed, on every chain, without an approval; unscoped on families with several chains. */
  readonly delegates?: readonly Delegate[];
  /** Any text; another seed gives another address. */
  readonly creationSeed: string;
}

/** The address is a function of the set-up alone: nothing is deployed when a wallet is created. */
export interface WalletPlan {
  readonly address: string;
  /** What the family needs to deploy and operate the wallet later. */
  readonly setup: JsonObject;
}

/** A wallet as the family sees it. */
export interface FamilyWallet {
  readonly id: string;
  readonly type: WalletType;
  readonly address: string;
  readonly setup: JsonObject;
  readonly adminSigner: Signer;
  readonly recoveryMethods?: readonly Signer[];
  /** Whose share of what its project may spend for fees it takes; absent: its own. */
  readonly owner?: string;
}

/** One submitted approval of one signer. */
export interface SubmittedApproval {
  readonly signer: Signer;
  readonly signature: Json;
  readonly metadata?: JsonObject;
}

export interface PrepareOperationInput {
  readonly wallet: FamilyWallet;
  /** The `params` of the create body, checked by the family's own schema (supplement, section 6). */
  readonly params: JsonObject;
  /** Who acts: a recovery method (a quorum as a whole) or a delegate. */
  readonly signer: Signer;
  /** Present when a delegate acts: its scopes and expiry are checked here and enforced on the chain. */
  readonly delegate?: Delegate;
  readonly now: Date;
  /** Present when `params` come from {@link ChainFamily.transferParams}: too little of the token is then `insufficient-balance`. */
  readonly transfer?: TransferIntent;
}

export interface PreparedOperation {
  /** The concrete network the operation runs on. */
  readonly chain: string;
  /** `params` as answered: defaults filled in, `signer` is added by the area. */
  readonly params: JsonObject;
  /** Opaque; stored with the transaction, handed back to {@link ChainFamily.checkApproval} and `submitOperations`. */
  readonly operation: JsonObject;
  /** `onChain` of the answer. */
  readonly onChain: JsonObject;
  /** What a signer approves, as answered in `approvals.pending[].message`. */
  readonly message: string;
  /** After this the chain itself refuses the operation. */
  readonly validUntil: Date;
  /** `fees.estimate` of the answer. */
  readonly feesEstimate: JsonObject;
  /** `preview` of the answer, from the same simulation: `{balanceChanges[], gas, sponsored}`. */
  readonly preview?: JsonObject;
  /** Every address that gets money or is called, for screening. */
  readonly counterparties: readonly string[];
  /** The operation in the form that wallets show to people before they sign (EIP-712 on evm), where the family has one. */
  readonly typedData?: JsonObject;
}

export type SignatureType = 'message' | 'typed-data' | 'auth-entries';

export interface PrepareSignatureInput {
  readonly wallet: FamilyWallet;
  readonly type: SignatureType;
  /** `params` of the create body without `signer`, unchecked (supplement, section 8). */
  readonly params: JsonObject;
  readonly signer: Signer;
  /** Present when a delegate signs. */
  readonly delegate?: Delegate;
  readonly now: Date;
}

/** What signers are asked to sign, and where it counts. */
export interface SignedSubject {
  readonly chain: string;
  readonly walletAddress: string;
  /** As in `approvals.pending[].message`. */
  readonly message: string;
}

export interface PreparedSignature {
  readonly chain: string;
  /** `params` as answered, `signer` is added by the area. */
  readonly params: JsonObject;
  /** Opaque; handed back to {@link ChainFamily.checkApproval}, `custodyDigest` and `completeSignature`. */
  readonly request: JsonObject;
  /** What each signer approves. */
  readonly message: string;
  readonly validUntil: Date;
}

/** A fully approved operation on its way to the relay. */
export interface SubmitOperationInput {
  /** The transaction's id; comes back in the {@link OperationOutcome}. */
  readonly operationId: string;
  readonly projectId: string;
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly operation: JsonObject;
  readonly approvals: readonly SubmittedApproval[];
}

export interface TransferIntent {
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly token: ResolvedToken;
  /** Smallest unit; 1 for a token with an id, unless it is one of several alike. */
  readonly amountMinor: bigint;
  readonly recipientAddress: string;
  readonly memo?: { readonly type: string; readonly value: string };
}

/** A token locator resolved on its chain. */
export interface ResolvedToken {
  readonly chain: string;
  readonly locator: string;
  /** Absent for the native token. */
  readonly address?: string;
  readonly tokenId?: string;
  readonly symbol?: string;
  readonly name?: string;
  readonly decimals: number;
}

export interface TokenBalance {
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
}

/** Who verified a signed message: the key of the address, or the contract at it. */
export type MessageVerifier = 'key' | 'contract';

export interface ChainFamily {
  readonly chainType: ChainType;
  /** Wallet types this family serves; the first is the default. */
  readonly walletTypes: readonly WalletType[];
  readonly adminSignerTypes: readonly SignerType[];
  readonly networks: readonly Network[];

  isAddress(text: string): boolean;
  /**
   * What is wrong with an address that a caller typed and that is to control or receive money, a mistyped checksum included,
   * as the rest of a sentence that begins with its field; undefined when nothing is.
   */
  checkAddress(text: string): string | undefined;
  /** An address that tokens may be sent to: with nothing wrong by {@link checkAddress}, not the zero address and its like. */
  isRecipient(text: string): boolean;
  /** The one form used for comparison and in the database. */
  canonicalAddress(address: string): string;
  /** The form in which the family writes an address, e.g. with its checksum (EIP-55) on evm. */
  formatAddress(address: string): string;
  /** Address of a custody public key, for api-key signers. */
  addressOfPublicKey(publicKey: Uint8Array): string;
  /** Curve of the family's custody keys. */
  readonly custodyCurve: 'secp256k1' | 'ed25519';

  /** Types that may be delegated signers. */
  readonly delegatedSignerTypes: readonly SignerType[];
  /** Fields of a passkey or device signer that the family adds when it is kept (e.g. `validatorContractVersion`). */
  completeSigner(signer: Signer): Signer;

  /** @throws signer-type-not-supported */
  planWallet(input: WalletPlanInput): WalletPlan;

  /**
   * The network for a chain name of a request.
   * @throws chain-not-supported unknown name, another environment, or no RPC configured (the message names the setting)
   */
  requireNetwork(chain: string): Network;
  /** How the watching of each network in use goes, for readiness and metrics. */
  watchStatus(): Promise<readonly WatchStatus[]>;
  /** How the relaying of operations goes, by chain. */
  relayStatus(): Promise<readonly ChainRelayStatus[]>;
  /** @throws token-not-supported unknown symbol, or no token contract at the address */
  resolveToken(chain: string, token: { symbol: string } | { address: string; tokenId?: string }): Promise<ResolvedToken>;
  /** Every balance asked for, zeros included, in few node calls. @throws upstream-error */
  readBalances(address: string, tokens: readonly ResolvedToken[]): Promise<TokenBalance[]>;
  /**
   * What an address held of tokens of one chain at the last height that was told as final: whatever moved until then has been told,
   * and nothing of it changes any more. Tokens that were not there at that height are left out; undefined where nothing was told as
   * final yet. @throws chain-not-supported, upstream-error, provider-unavailable; also when the node keeps no state of that height
   */
  readFinalBalances(input: {
    readonly chain: string;
    readonly address: string;
    readonly tokens: readonly ResolvedToken[];
  }): Promise<{ readonly height: bigint; readonly balances: readonly TokenBalance[] } | undefined>;

  /**
   * Where the metadata of tokens with an id stands, in their order; undefined where a contract names no place. Such an
   * address is a stranger's text. @throws upstream-error, provider-unavailable
   */
  readMetadataUris(tokens: readonly ResolvedToken[]): Promise<(string | undefined)[]>;

  /** Absent: this family sells no collectibles. */
  readonly collections?: Collections;

  /** `params` of the transaction that makes this transfer. Families that pick coins or accounts ask their node here. */
  transferParams(intent: TransferIntent): Promise<JsonObject>;
  /**
   * Checks `params`, builds and simulates.
   * @throws validation-error, chain-not-supported, transaction-invalid, insufficient-balance,
   *   transaction-simulation-failed (details: `error {reason, message, revertData?, revert?}`)
   */
  prepareOperation(input: PrepareOperationInput): Promise<PreparedOperation>;
  /**
   * The operation that registers or removes a delegated signer on one network; submitted like any other.
   * @throws chain-not-supported, signer-type-not-supported, transaction-simulation-failed, validation-error
   */
  prepareSignerChange(input: PrepareSignerChangeInput): Promise<PreparedOperation>;
  readonly control?: ControlTools;
  /** The network's own word on these delegates, in their order. Of a wallet that is not deployed: what its set-up registers. */
  readDelegates(wallet: FamilyWallet, chain: string, delegates: readonly Delegate[]): Promise<DelegateTruth[]>;
  /** @throws signature-type-not-supported, chain-not-supported, validation-error, signer-scope-violation (a scoped delegate) */
  prepareSignature(input: PrepareSignatureInput): Promise<PreparedSignature>;
  /** `outputSignature` of a request whose approvals are complete. */
  completeSignature(wallet: FamilyWallet, request: JsonObject, approvals: readonly SubmittedApproval[]): Promise<string>;
  /** What an operation or a signature request is, computed anew from what it holds. @throws Error when it contradicts itself */
  readSigned(signable: JsonObject): SignedSubject;
  /** What it does, for people: "send 5 USDC to 0x… on base". At most 250 characters, and nothing that a stranger wrote. */
  describeSigned(signable: JsonObject): string;
  /**
   * Bytes that a custody key signs for its own approval of an operation or a signature request, and the approval made of that
   * signature. Computed anew too: a hash is never signed because it is stored.
   */
  custodyDigest(operation: JsonObject): Uint8Array;
  custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval;
  /** True when the approval's signature by that signer verifies; bad shapes are false too. */
  checkApproval(operation: JsonObject, approval: SubmittedApproval): Promise<boolean>;
  /** Durably hands fully approved operations to the relay, in the caller's transaction, with few statements. */
  submitOperations(tx: Tx, inputs: readonly SubmitOperationInput[]): Promise<void>;
  /** Keeps submitted operations from being sent (again), in the caller's transaction; a node that has one may still run it. */
  withholdOperations(tx: Tx, operationIds: readonly string[]): Promise<void>;
  /** Lets withheld operations go on: the same ones, as long as they are valid. */
  releaseOperations(tx: Tx, operationIds: readonly string[]): Promise<void>;

  /**
   * Who says that `signature` by `address` is over this text: its key, which holds on every chain, or the smart wallet that stands
   * there on `chain`, which holds on that chain only. Undefined: nobody.
   * @throws chain-not-supported, provider-unavailable, upstream-error when only a node can tell, and it cannot be asked
   */
  verifyMessage(input: {
    readonly address: string;
    readonly message: string;
    readonly signature: string;
    readonly chain: string;
  }): Promise<MessageVerifier | undefined>;

  /** Test funding (supplement, section 10): mints `amountMinor` of the test token. @throws token-not-supported */
  fund(input: {
    chain: string;
    token: ResolvedToken;
    amountMinor: bigint;
    recipientAddress: string;
    reference: string;
  }): Promise<{ txId: string }>;

  /** A new memo: random, in the one form in which {@link SeenTransfer} has it. */
  newMemo(): string;
  /**
   * How to make a deposit, for an ordinary account of the payer. Nothing is reserved: it holds for as long as the payer sends
   * nothing else. @throws chain-not-supported, token-not-supported, invalid-recipient, provider-unavailable, upstream-error
   */
  depositInstructions(input: DepositIntent): Promise<DepositInstructions>;
  /**
   * Whether the payer has enough of the token, and of the native token for the fees unless `sponsored` (wallets of this service).
   * @throws chain-not-supported, token-not-supported, provider-unavailable, upstream-error
   */
  payerState(
    input: Pick<DepositIntent, 'chain' | 'token' | 'amountMinor' | 'payerAddress'> & { readonly sponsored?: boolean },
  ): Promise<PayerState>;
  /**
   * Looks at a transaction that was posted as a deposit; what is recorded is the watcher's. Text that is no transaction id is
   * `unknown`. @throws chain-not-supported, provider-unavailable, upstream-error
   */
  readDeposits(input: { readonly chain: string; readonly txId: string; readonly recipientAddress: string }): Promise<PostedDeposit>;
  /**
   * Looks once more, and at another node where one is configured, whether the chain has these final deposits of one chain and their
   * recipient holds them. Answers why money must not leave for them as the rest of a sentence about them; undefined when it may.
   * @param input.worthUsd what they are worth together; undefined when nobody knows
   * @throws chain-not-supported, provider-unavailable, upstream-error: nobody can say at the moment
   */
  proveDeposits(input: {
    readonly chain: string;
    readonly deposits: readonly RecordedDeposit[];
    readonly worthUsd: string | undefined;
  }): Promise<string | undefined>;

  /** Schemas of `params` by wallet type: validator and documentation of the create body (supplement, section 6). */
  readonly transactionParams: Readonly<Partial<Record<WalletType, z.ZodType>>>;

  /** Relay and watchers, for the worker process. */
  run(entrances: ChainEntrances): Promise<Running>;
}
