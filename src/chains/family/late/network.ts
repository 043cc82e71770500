import type { JsonObject } from '../../../lib/json/json.ts';
import type { Tx } from '../../../store/types.ts';
import type { OperationError } from '../capabilities/entrances.ts';

/**
 * What the relay of intents asks of a family's network. **An operation has a mark that the chain
 * takes once** (a nonce with one expiry, one version of one coin): every transaction that is built
 * for it carries the mark, so the chain executes one of them at most, however often it is built,
 * signed and sent.
 */
export interface LateNetwork {
  /** Why an operation failed whose bytes are gone, where time alone does not end them. */
  readonly goneSentence?: string;
  /**
   * The bytes to be signed, as the family stores them; `done`: the chain has what it is for
   * already; `later`: something that it needs is taken at the moment; `refused`: the network would
   * not run it as it is, which said often enough is its end; `impossible`: nothing can be built for
   * it any more, in a sentence, and nothing that was built before can run.
   */
  build(operation: JsonObject, of: LateSubject): Promise<LateBuilt>;
  /** What was built, with the signature of the wallet's key and those of the service. */
  complete(
    operation: JsonObject,
    built: Uint8Array,
    signature: Uint8Array,
    of: LateSubject,
  ): Promise<LateTransaction>;
  /**
   * In the transaction that stores them as the operation's: what a family keeps of them itself. What
   * was completed and is not stored is forgotten.
   */
  readonly stored?: (tx: Tx, signed: LateTransaction, of: LateOperation) => Promise<void>;
  /**
   * Id of signed bytes.
   * @throws Error where they are not this operation's: the stored ones were changed
   */
  identify(operation: JsonObject, raw: Uint8Array): string;
  /**
   * Hands the bytes to the network. A refusal says nothing of what became of them: they may have
   * been taken before.
   */
  send(raw: Uint8Array): Promise<void>;
  /**
   * What became of them. @throws Error where the node contradicts what was signed
   */
  look(sent: LateTransaction, of: LateSent): Promise<LateLook>;
  /** In the transaction in which operations end: what was kept for them is given back. */
  readonly ended?: (tx: Tx, operationIds: readonly string[]) => Promise<void>;
}

/**
 * `pending`: they may still be taken. `watched`: as `pending`, and they are not sent again: a block
 * has them, or others are sent in their place. `gone`: they were not taken, and never will be.
 * `stale`: as `gone`, and others may be built for the operation.
 */
export type LateLook = LateEnd | 'pending' | 'watched' | 'gone' | 'stale';

/** Whose operation it is. */
export interface LateSubject {
  readonly operationId: string;
  readonly projectId: string;
  readonly owner: string;
  readonly walletId: string;
}

export interface LateOperation extends LateSubject {
  readonly operation: JsonObject;
}

/** Whose bytes were sent. */
export interface LateSent extends LateOperation {
  /** It is to go no further than where it is. */
  readonly withheld: boolean;
}

export type LateBuilt =
  | { readonly bytes: Uint8Array }
  | { readonly done: LateEnd }
  | { readonly refused: OperationError }
  | { readonly impossible: string }
  | 'later';

/** Signed, and so out of the service's hands. */
export interface LateTransaction {
  readonly txId: string;
  readonly raw: Uint8Array;
}

/** What became of a transaction that a block has. */
export type LateEnd = {
  readonly onChain: JsonObject;
  /** In the native token's smallest unit. */
  readonly costMinor: bigint;
  readonly fees: JsonObject;
} & (
  | { readonly status: 'success' }
  | {
      readonly status: 'failed';
      readonly error: OperationError;
      /** What the block has is another transaction, which used the operation's mark. */
      readonly notRun?: true;
    }
);
