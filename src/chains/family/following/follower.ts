import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import {
  BrokenHistoryError,
  type FinalHistory,
  type FollowerEntrances,
  type LastRead,
  type LookUps,
  type Stretch,
} from './history.ts';
import type { StepResult } from './run-leased.ts';
import { type FinalLease, moveCursor } from './store.ts';

export interface FollowerDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly history: FinalHistory;
  readonly entrances: FollowerEntrances;
  readonly leaseMs: number;
  /** Where to start on a chain never followed; otherwise at the height of the chain's first use. */
  readonly startHeight?: bigint;
}

/** The chain's first use may have been a moment before its row, and clocks differ. */
const firstUseMarginMs = 60_000;
/**
 * A node behind a balancer may lag for an answer or two; one that stays behind is another chain, or
 * has lost blocks.
 */
const behindAnswersMax = 20;

/**
 * Follows a chain by what is final: each `step` reads a stretch and records what it found together
 * with its own progress. It keeps nothing that cannot be lost: the cursor in the database decides.
 */
export class Follower {
  readonly #deps: FollowerDeps;
  readonly #lease: FinalLease;
  readonly #lookUps: LookUps;
  #next: bigint | undefined;
  #last: LastRead | undefined;
  #head: bigint | undefined;
  #behindAnswers = 0;

  constructor(deps: FollowerDeps, lease: FinalLease) {
    const { store, entrances } = deps;
    this.#deps = deps;
    this.#lease = lease;
    this.#lookUps = {
      ownAddresses: (addresses) => store.transaction((tx) => entrances.ownAddresses(tx, addresses)),
      depositAddresses: (addresses) =>
        store.transaction((tx) => entrances.depositAddresses(tx, addresses)),
    };
    this.#next = lease.nextHeight;
    this.#last = lease.last;
  }

  /** Newest final height that the node told of. */
  get head(): bigint | undefined {
    return this.#head;
  }

  /**
   * @throws LeaseLostError, BrokenHistoryError, ServiceError; nothing of the step is recorded then
   */
  async step(): Promise<StepResult> {
    const { history } = this.#deps;
    const head = await history.readHead();
    this.#head = head;
    if (this.#next === undefined) return this.#start(head);
    if (head < this.#next) return this.#checkBehind(head, this.#next);
    this.#behindAnswers = 0;
    const stretch = await history.readOn(
      { next: this.#next, head, ...(this.#last && { last: this.#last }) },
      this.#lookUps,
    );
    if (!stretch) return 'caught-up';
    if (stretch.last.height < this.#next)
      throw new BrokenHistoryError(
        `What was read ends at ${stretch.last.height}, below ${this.#next}: nothing of it is new.`,
      );
    await this.#record(head, stretch);
    return stretch.isBehind ? 'behind' : 'caught-up';
  }

  #checkBehind(head: bigint, next: bigint): StepResult {
    this.#behindAnswers = head < next - 1n ? this.#behindAnswers + 1 : 0;
    if (this.#behindAnswers < behindAnswersMax) return 'caught-up';
    throw new BrokenHistoryError(
      `The node's newest final height is ${head}, and everything below ${next} was read: it is behind, or of another chain.`,
    );
  }

  async #start(head: bigint): Promise<StepResult> {
    const nextHeight = this.#deps.startHeight ?? (await this.#heightOfFirstUse(head));
    const { store, leaseMs, log } = this.#deps;
    await store.transaction((tx) =>
      moveCursor(tx, this.#lease, {
        leaseMs,
        fromHeight: undefined,
        nextHeight,
        last: undefined,
        headHeight: head,
      }),
    );
    this.#next = nextHeight;
    log.info({ height: nextHeight.toString() }, 'following a chain for the first time');
    return 'behind';
  }

  /**
   * The first height that is not older than the chain's first use, so that nothing of that use is
   * missed.
   */
  async #heightOfFirstUse(head: bigint): Promise<bigint> {
    const { history } = this.#deps;
    const since = this.#lease.firstUsedAt.getTime() - firstUseMarginMs;
    let low = head > history.lookbackMax ? head - history.lookbackMax : 0n;
    let high = head + 1n;
    while (low < high) {
      const middle = (low + high) / 2n;
      const time = await history.readTimeFrom({ from: middle, upTo: head });
      if (time !== undefined && time.getTime() < since) low = middle + 1n;
      else high = middle;
    }
    return low;
  }

  async #record(head: bigint, { last, transfers, operations }: Stretch): Promise<void> {
    const { store, entrances, leaseMs } = this.#deps;
    const { chain } = this.#lease;
    const nextHeight = last.height + 1n;
    await store.transaction(async (tx) => {
      await moveCursor(tx, this.#lease, {
        leaseMs,
        fromHeight: this.#next,
        nextHeight,
        last,
        headHeight: head,
      });
      if (transfers.length > 0) await entrances.recordTransfers(tx, transfers);
      if (operations.length > 0) await entrances.recordOperations(tx, operations);
      await entrances.finalizeTransfers(tx, chain, last.height);
    });
    this.#next = nextHeight;
    this.#last = last;
  }
}
