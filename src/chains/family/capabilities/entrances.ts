import type { Json, JsonObject } from '../../../lib/json/json.ts';
import type { Tx } from '../../../store/types.ts';
import type { LateSignInput } from '../late/signing.ts';
import type { ResolvedToken } from './tokens.ts';

/** What a family learns, and where it tells it. */

/** How an operation ended, and whose it is, as it was handed over. */
export type OperationOutcome = OperationResult & { readonly subject: string };

/**
 * How an operation ended, or that a reorganisation took its end back (the relay sends it again by
 * itself).
 */
export type OperationResult = OperationEnd &
  ({ readonly status: 'success' } | { readonly status: 'failed'; readonly error: OperationError });

interface OperationEnd {
  readonly operationId: string;
  readonly onChain: JsonObject;
  /** Merged into `fees` of the answer, e.g. `{actual}`. */
  readonly fees?: JsonObject;
  /** A block has it: it ran there, whatever came of it. Absent: no block that is known has. */
  readonly executed?: true;
  /**
   * What it cost the service, in the native token's smallest unit; 0 when it never reached the
   * chain, absent when nobody knows.
   */
  readonly costMinor?: bigint;
  readonly at: Date;
}

/** `error` of a failed transaction (supplement, section 6). */
export interface OperationError {
  readonly reason:
    | 'build_failed'
    | 'failed_to_land_on_chain'
    | 'sanctioned_wallet_address'
    | 'unknown'
    | 'program_error'
    | 'execution_reverted';
  readonly message: string;
  readonly [field: string]: Json | undefined;
}

/** A token movement seen on a chain. `id` is the same however often it is seen. */
export interface SeenTransfer {
  readonly id: string;
  readonly chain: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly txId: string;
  readonly explorerLink?: string;
  readonly at: Date;
  /** Height of the block, for taking back what a reorganisation removed. */
  readonly height: bigint;
  readonly succeeded: boolean;
  /**
   * The operation of this service that made it, as handed to {@link Operations.submitOperations};
   * absent for others.
   */
  readonly operationId?: string;
  /**
   * What the payer wrote on it ({@link Deposits.newMemo}); read for recipients that take deposits,
   * absent when there is none.
   */
  readonly memo?: string;
}

/** An operation of this service that a chain executed. */
export interface SeenOperation {
  readonly operationId: string;
  readonly chain: string;
  readonly txId: string;
  /** False: it was refused or reverted, and moved nothing. */
  readonly succeeded: boolean;
  readonly height: bigint;
  readonly at: Date;
}

/**
 * The entrances of what a family learns. The composition root gives them to `run`; each call is
 * made inside the transaction in which the family records its own progress, so that nothing is seen
 * twice or lost.
 */
export interface ChainEntrances {
  settleOperations(tx: Tx, outcomes: readonly OperationOutcome[]): Promise<void>;
  /**
   * Has the key in custody of a wallet sign what the relay built for an approved operation, and
   * nothing else: what is signed is computed from both.
   * @throws SigningRefusedError when the operation is not of this wallet, or, marked so, when the
   *   bytes are not the operation's; anything else may be asked for again
   */
  signBuilt(input: LateSignInput): Promise<Uint8Array>;
  /**
   * Which of these addresses are wallets of this service (any project). Addresses in canonical
   * form.
   */
  ownAddresses(tx: Tx, addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these take deposits: memos are read for them. Addresses in canonical form. */
  depositAddresses(tx: Tx, addresses: readonly string[]): Promise<ReadonlySet<string>>;
  recordTransfers(tx: Tx, transfers: readonly SeenTransfer[]): Promise<void>;
  /**
   * Operations of this service that stand in the blocks just read, whether they moved anything or
   * not.
   */
  recordOperations(tx: Tx, operations: readonly SeenOperation[]): Promise<void>;
  /**
   * By the network's own rule no block up to this height is replaced any more. What was told before
   * lies in them, or above.
   */
  finalizeTransfers(tx: Tx, chain: string, height: bigint): Promise<void>;
  /**
   * A reorganisation removed every block of `chain` from `height` on; against the network's rule
   * also blocks that were final.
   */
  retractTransfers(tx: Tx, chain: string, fromHeight: bigint): Promise<void>;
}
