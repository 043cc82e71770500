import type { ChainEntrances, SeenOperation, SeenTransfer } from '../capabilities/entrances.ts';

/** What a follower tells, and asks, while it reads. */
export type FollowerEntrances = Pick<
  ChainEntrances,
  'ownAddresses' | 'depositAddresses' | 'recordTransfers' | 'recordOperations' | 'finalizeTransfers'
>;

/** What the node says does not fit together: nothing of it is believed, and it is asked again. */
export class BrokenHistoryError extends Error {
  override readonly name = 'BrokenHistoryError';
}

/**
 * The last block, checkpoint, version or ledger that was read: the next one is checked to follow
 * it.
 */
export interface LastRead {
  readonly height: bigint;
  /** By which the network knows it: another one at this height is another history. */
  readonly hash: string;
}

/** Where to read on. */
export interface ReadFrom {
  /** The first height that is not read yet. */
  readonly next: bigint;
  /** The newest final height, as the node told; `next` or above it. */
  readonly head: bigint;
  /** Absent where nothing was read yet. */
  readonly last?: LastRead;
}

/**
 * What is asked about addresses in canonical form: each at most once for a stretch, all at a time.
 */
export interface LookUps {
  /** Which of these are wallets of ours. */
  ownAddresses(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these take deposits, so that memos are read for them. */
  depositAddresses(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A piece of history, small enough to be recorded in one transaction. */
export interface Stretch {
  /** Where it ends: the next one begins above. */
  readonly last: LastRead;
  /** True: more can be read at once. */
  readonly isBehind: boolean;
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

/**
 * The history of one network as far as it is final: what stands at a height is never replaced.
 * Heights only grow; whether each is used is the network's own business. Methods throw
 * `upstream-error` and `provider-unavailable` of their node.
 */
export interface FinalHistory {
  readonly chain: string;
  /** How far back the height of the chain's first use is searched. */
  readonly lookbackMax: bigint;
  /** The newest final height. */
  readHead(): Promise<bigint>;
  /** When the first thing at `from` or above was made; undefined: there is none up to `upTo`. */
  readTimeFrom(range: { readonly from: bigint; readonly upTo: bigint }): Promise<Date | undefined>;
  /**
   * What comes next, checked to follow `last` without a gap; undefined: nothing yet.
   * @throws BrokenHistoryError the node leaves something out, has another history, or does not keep
   * it any more
   */
  readOn(from: ReadFrom, lookUps: LookUps): Promise<Stretch | undefined>;
}
