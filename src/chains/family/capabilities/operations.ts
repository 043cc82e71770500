import type { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { Delegate, Signer, SubmittedApproval } from './signers.ts';
import type { TransferIntent } from './transfers.ts';
import type { FamilyWallet, WalletType } from './wallets.ts';

export interface PrepareOperationInput {
  readonly wallet: FamilyWallet;
  /**
   * The `params` of the create body, checked by the family's own schema (supplement, section 6).
   */
  readonly params: JsonObject;
  /** Who acts: a recovery method (a quorum as a whole) or a delegate. */
  readonly signer: Signer;
  /**
   * Present when a delegate acts: its scopes and expiry are checked here and enforced on the chain.
   */
  readonly delegate?: Delegate;
  readonly now: Date;
  /**
   * Present when `params` come from {@link Transfers.transferParams}: too little of the token is
   * then `insufficient-balance`.
   */
  readonly transfer?: TransferIntent;
  /** How long it may run at most, for those that nobody has to be waited for; less where it is. */
  readonly validSecondsMax?: number;
}

export interface PreparedOperation {
  /** The concrete network the operation runs on. */
  readonly chain: string;
  /** `params` as answered: defaults filled in, `signer` is added by the area. */
  readonly params: JsonObject;
  /**
   * Opaque; stored with the transaction, handed back to {@link Operations.checkApproval} and
   * `submitOperations`.
   */
  readonly operation: JsonObject;
  /** `onChain` of the answer. */
  readonly onChain: JsonObject;
  /** What a signer approves, as answered in `approvals.pending[].message`. */
  readonly message: string;
  /**
   * Of a quorum that acts, the members who approve, where they are fixed with the operation;
   * absent: any of them.
   */
  readonly members?: readonly Signer[];
  /** Who has to approve beside the one that acts, because the operation names them as signers. */
  readonly coSigners?: readonly Signer[];
  /** After this the chain itself refuses the operation. */
  readonly validUntil: Date;
  /** `fees.estimate` of the answer. */
  readonly feesEstimate: JsonObject;
  /** `preview` of the answer, from the same simulation: `{balanceChanges[], gas, sponsored}`. */
  readonly preview?: JsonObject;
  /** Every address that gets money or is called, for screening. */
  readonly counterparties: readonly string[];
  /**
   * The operation in the form that wallets show to people before they sign (EIP-712 on evm), where
   * the family has one.
   */
  readonly typedData?: JsonObject;
}

/** What signers are asked to sign, and where it counts. */
export interface SignedSubject {
  readonly chain: string;
  readonly walletAddress: string;
  /** As in `approvals.pending[].message`. */
  readonly message: string;
}

/** A fully approved operation on its way to the relay. */
export interface SubmitOperationInput {
  /** The transaction's id; comes back in the {@link OperationOutcome}. */
  readonly operationId: string;
  /**
   * What it is for, in the areas' own word: which of them hears of its end. Comes back in the
   * outcome.
   */
  readonly subject: string;
  readonly projectId: string;
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly operation: JsonObject;
  readonly approvals: readonly SubmittedApproval[];
}

/** From `params` to an operation that is approved and handed to the relay. */
export interface Operations {
  /**
   * Schemas of `params` by wallet type: validator and documentation of the create body (supplement,
   * section 6).
   */
  readonly transactionParams: Readonly<Partial<Record<WalletType, z.ZodType>>>;
  /**
   * Checks `params`, builds and simulates.
   * @throws validation-error, chain-not-supported, transaction-invalid, insufficient-balance,
   *   transaction-simulation-failed (details: `error {reason, message, revertData?, revert?}`)
   */
  prepareOperation(input: PrepareOperationInput): Promise<PreparedOperation>;
  /**
   * What an operation or a signature request is, computed anew from what it holds.
   * @throws Error when it contradicts itself
   */
  readSigned(signable: JsonObject): SignedSubject;
  /**
   * What it does, for people: "send 5 USDC to 0x… on base". At most 250 characters, and nothing
   * that a stranger wrote.
   */
  describeSigned(signable: JsonObject): string;
  /** True when the approval's signature by that signer verifies; bad shapes are false too. */
  checkApproval(operation: JsonObject, approval: SubmittedApproval): Promise<boolean>;
  /**
   * Durably hands fully approved operations to the relay, in the caller's transaction, with few
   * statements.
   */
  submitOperations(tx: Tx, inputs: readonly SubmitOperationInput[]): Promise<void>;
  /**
   * Gives back at once what an operation holds that ended before it was handed over; of one that
   * somebody changed nothing, without an error: many end together. Absent: it holds nothing.
   */
  dropOperation?(db: Db, operation: JsonObject): Promise<void>;
  /**
   * Keeps submitted operations from being sent (again), in the caller's transaction; a node that
   * has one may still run it.
   */
  withholdOperations(tx: Tx, operationIds: readonly string[]): Promise<void>;
  /** Lets withheld operations go on: the same ones, as long as they are valid. */
  releaseOperations(tx: Tx, operationIds: readonly string[]): Promise<void>;
  /**
   * Has the relay take operations up again that it ended by what a node said, and that no block has
   * an hour later. None runs twice. Answers which they are. Absent: what has ended stays.
   */
  resumeOperations?(tx: Tx, operationIds: readonly string[]): Promise<readonly string[]>;
}
