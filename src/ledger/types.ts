import type { JsonObject } from '../lib/json/json.ts';

/**
 * One leg. Positive = debit, negative = credit. Within one entry the legs of each asset add up to
 * 0.
 */
export interface Posting {
  readonly account: string;
  readonly asset: string;
  readonly amountMinor: bigint;
}

export interface NewEntry {
  readonly projectId: string;
  /**
   * External reference, unique per project: the same again with the same content is nothing; with
   * other content throws LedgerConflict.
   */
  readonly reference: string;
  /** What happened, e.g. `deposit-final`, `conversion`, `fee`, `payout-submitted`. */
  readonly kind: string;
  readonly orderId?: string;
  /** The chain's or the bank's time; our own time is recorded beside it. */
  readonly effectiveAt: Date;
  readonly postings: readonly Posting[];
  readonly data?: JsonObject;
}

/** Names a hold, and says when the chain or the bank ended it. */
export interface HoldEnd {
  readonly projectId: string;
  readonly reference: string;
  readonly effectiveAt: Date;
}

/** `post` counts at once; `hold` is pending until a `settle` posts it or a `void` drops it. */
export type EntryPhase = 'post' | 'hold' | 'settle' | 'void';

/** A place in a list of entries: their order is that of recording. */
export interface EntryPosition {
  readonly recordedAt: Date;
  readonly written: bigint;
}

export interface LedgerPosting extends Posting {
  /** What the leg adds to the posted balance. */
  readonly postedMinor: bigint;
  /** What the leg adds to the pending balance: a hold adds, its settling or voiding takes back. */
  readonly pendingMinor: bigint;
}

export interface LedgerEntry {
  readonly id: string;
  readonly projectId: string;
  /** Of the hold, where the entry ends one. */
  readonly reference: string;
  readonly kind: string;
  readonly phase: EntryPhase;
  readonly orderId?: string;
  readonly effectiveAt: Date;
  readonly recordedAt: Date;
  readonly position: EntryPosition;
  /**
   * `amountMinor` is the amount of the leg as it was given: of a hold also in the entries that end
   * it.
   */
  readonly postings: readonly LedgerPosting[];
  readonly data: JsonObject;
}

export interface AccountBalance {
  readonly account: string;
  readonly asset: string;
  readonly postedMinor: bigint;
  readonly pendingMinor: bigint;
}
