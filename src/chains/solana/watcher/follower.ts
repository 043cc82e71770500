import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Store } from '../../../store/types.ts';
import type { ChainEntrances } from '../../family.ts';
import { readSlot } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SolanaTokens } from '../tokens/tokens.ts';
import { findTransfers } from './find-transfers.ts';
import { BrokenHistoryError, readBlocks, readSlots, readTimeFrom } from './read-blocks.ts';
import { type LastBlock, type Lease, moveCursor } from './store.ts';

export type WatcherEntrances = Omit<ChainEntrances, 'settleOperations' | 'signBuilt'>;

/** Ids of operations by the signature that is their transaction's id: the relay stores it before it sends. */
export type SelectOperationIds = (store: Store, chain: string, signatures: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface FollowerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly connect: (chain: string) => Promise<SolanaConnection>;
  readonly tokens: Pick<SolanaTokens, 'describe'>;
  readonly entrances: WatcherEntrances;
  readonly selectOperationIds: SelectOperationIds;
  readonly blocksMax: number;
  readonly leaseMs: number;
  /** Slot to start at on a chain never followed; otherwise that of the chain's first use. */
  readonly startSlot?: bigint;
}

/** What a step came to: more can be read at once, or the follower stands at the newest final block. */
export type StepResult = 'behind' | 'caught-up';

/** How far back the slot of the first use is searched: an hour of a cluster. */
const lookbackMax = 10_000n;
/** The chain's first use may have been a moment before its row, and clocks differ. */
const firstUseMarginMs = 60_000;
/** A node behind a balancer may lag for an answer or two; one that stays behind is another chain, or has lost blocks. */
const behindAnswersMax = 20;

/**
 * Follows the chain by its final blocks, which are never replaced: each `step` reads at most so many and records what it found
 * together with its own progress. It keeps nothing that cannot be lost: the cursor in the database decides.
 */
export class SolanaFollower {
  readonly #deps: FollowerDeps;
  readonly #lease: Lease;
  #next: bigint | undefined;
  #last: LastBlock | undefined;
  #head: bigint | undefined;
  #behindAnswers = 0;

  constructor(deps: FollowerDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
    this.#next = lease.nextSlot;
    this.#last = lease.last;
  }

  /** Newest final slot that the node told of. */
  get head(): bigint | undefined {
    return this.#head;
  }

  /** @throws LeaseLostError, BrokenHistoryError, ServiceError; nothing of the step is recorded then */
  async step(): Promise<StepResult> {
    const connection = await this.#deps.connect(this.#lease.chain);
    const head = await readSlot(connection, 'finalized');
    this.#head = head;
    if (this.#next === undefined) return this.#start(connection, head);
    if (head < this.#next) return this.#checkBehind(head);
    this.#behindAnswers = 0;
    const slots = await readSlots(connection, { from: this.#next, upTo: head, limit: this.#deps.blocksMax });
    // Slots without a block are passed with the next one that has one, which names the block before it.
    if (slots.length === 0) return 'caught-up';
    await this.#record(connection, head, await readBlocks(connection, slots, this.#last));
    return slots.length === this.#deps.blocksMax ? 'behind' : 'caught-up';
  }

  #checkBehind(head: bigint): StepResult {
    if (head >= this.#next! - 1n) {
      this.#behindAnswers = 0;
      return 'caught-up';
    }
    this.#behindAnswers += 1;
    if (this.#behindAnswers >= behindAnswersMax)
      throw new BrokenHistoryError(
        `The node's newest final slot is ${head}, and everything below ${this.#next} was read: it is behind, or of another chain.`,
      );
    return 'caught-up';
  }

  async #start(connection: SolanaConnection, head: bigint): Promise<StepResult> {
    const nextSlot = this.#deps.startSlot ?? (await this.#slotOfFirstUse(connection, head));
    const { store, leaseMs, log } = this.#deps;
    await store.transaction((tx) =>
      moveCursor(tx, this.#lease, { leaseMs, fromSlot: undefined, nextSlot, last: undefined, headSlot: head }),
    );
    this.#next = nextSlot;
    log.info({ chain: this.#lease.chain, slot: nextSlot.toString() }, 'following a chain for the first time');
    return 'behind';
  }

  /** The first slot that is not older than the chain's first use, so that nothing of that use is missed. */
  async #slotOfFirstUse(connection: SolanaConnection, head: bigint): Promise<bigint> {
    const since = Math.floor((this.#lease.firstUsedAt.getTime() - firstUseMarginMs) / 1000);
    let low = head > lookbackMax ? head - lookbackMax : 0n;
    let high = head + 1n;
    while (low < high) {
      const middle = (low + high) / 2n;
      const time = await readTimeFrom(connection, { from: middle, upTo: head });
      if (time !== undefined && time < since) low = middle + 1n;
      else high = middle;
    }
    return low;
  }

  async #record(connection: SolanaConnection, head: bigint, blocks: Awaited<ReturnType<typeof readBlocks>>): Promise<void> {
    const { store, entrances, tokens, selectOperationIds, clock, leaseMs } = this.#deps;
    const { chain } = this.#lease;
    const { transfers, operations } = await findTransfers(
      {
        network: connection.network,
        ownAddresses: (addresses) => store.transaction((tx) => entrances.ownAddresses(tx, addresses)),
        depositAddresses: (addresses) => store.transaction((tx) => entrances.depositAddresses(tx, addresses)),
        operationIds: (signatures) => selectOperationIds(store, chain, signatures),
        describeMints: (mints) => tokens.describe(connection, mints),
        now: () => clock.now(),
      },
      blocks,
    );
    const { slot, blockhash: hash } = blocks.at(-1)!;
    const last = { slot, hash };
    await store.transaction(async (tx) => {
      await moveCursor(tx, this.#lease, { leaseMs, fromSlot: this.#next, nextSlot: slot + 1n, last, headSlot: head });
      if (transfers.length > 0) await entrances.recordTransfers(tx, transfers);
      if (operations.length > 0) await entrances.recordOperations(tx, operations);
      await entrances.finalizeTransfers(tx, chain, slot);
    });
    this.#next = slot + 1n;
    this.#last = last;
  }
}
