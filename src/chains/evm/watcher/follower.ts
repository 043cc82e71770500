import type { Logger } from 'pino';
import type { Store } from '../../../store/types.ts';
import { recordHeartbeat } from '../../family/following/leases.ts';
import type { StepResult } from '../../family/following/run-leased.ts';
import type { ChainEntrances, SeenOperation } from '../../family.ts';
import type { EvmNetwork } from '../config/networks.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { readFollowedTokens } from './followed-tokens.ts';
import { readFinalHeight } from './reading/finality.ts';
import { findTransfers } from './reading/find-transfers.ts';
import { operationExecutedTopic } from './reading/movements.ts';
import {
  type ChainLog,
  HistoryChangedError,
  isTooMuch,
  readChainId,
  readHead,
  readHeaders,
  readTransaction,
} from './reading/read-node.ts';
import { blocksByHashMax, readRange } from './reading/read-range.ts';
import { findAncestor } from './reorganisation.ts';
import {
  deleteBlocksFrom,
  insertBlocks,
  moveCursor,
  type NewestLease,
  type SeenBlock,
  selectBlocks,
  selectOperationIds,
  selectOperationItems,
  selectTreasuryIds,
} from './store.ts';

export type WatcherEntrances = Omit<ChainEntrances, 'settleOperations' | 'signBuilt'>;

export interface FollowerDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly rpc: RpcClient;
  readonly secondRpc?: (chain: string) => Promise<RpcClient | undefined>;
  readonly network: EvmNetwork;
  readonly entrances: WatcherEntrances;
  readonly moduleAddress: string;
  readonly blockRangeMax: number;
  readonly leaseMs: number;
  /** Block to start at on a chain never followed; otherwise the block of the chain's first use. */
  readonly startHeight?: bigint;
}

/** What a node says of its chain. */
interface NodeState {
  readonly head: bigint;
  /** Newest block that counts. */
  readonly readable: bigint;
  readonly final: bigint;
}

/** How far back the block of the first use is searched. */
const lookbackMax = 1_000n;
/** The chain's first use may have been a moment before its row, and clocks differ. */
const firstUseMarginMs = 60_000;
/** A node behind a balancer may lag for an answer or two; one that stays behind has lost blocks. */
const behindAnswersMax = 3;
/** The range is halved down to one block and doubled after this many good answers. */
const growAfter = 4;

/**
 * Follows one chain: each `step` reads at most one range of blocks and records what it found
 * together with its own progress. It keeps nothing that cannot be lost: the cursor in the database
 * decides.
 */
export class ChainFollower {
  readonly #deps: FollowerDeps;
  readonly #lease: NewestLease;
  #next: bigint | undefined;
  #last: SeenBlock | undefined;
  #head: bigint | undefined;
  /** What up to here was read has been told as final. */
  #final: bigint | undefined;
  #rangeMax: number;
  #goodReads = 0;
  #behindAnswers = 0;
  #chainId: number | undefined;

  constructor(deps: FollowerDeps, lease: NewestLease) {
    this.#deps = deps;
    this.#lease = lease;
    this.#next = lease.nextHeight;
    this.#final = lease.finalHeight;
    this.#rangeMax = Math.max(1, deps.blockRangeMax);
  }

  /** Height of the newest block the node told of. */
  get head(): bigint | undefined {
    return this.#head;
  }

  /**
   * @throws LeaseLostError, RpcError, RpcTransportError, HistoryChangedError; nothing of the step
   * is recorded then
   */
  async step(): Promise<StepResult> {
    this.#chainId ??= await this.#readChainId();
    const { rpc, network } = this.#deps;
    const head = await readHead(rpc);
    this.#head = head;
    if (this.#next === undefined) return this.#start(head);
    const final = await readFinalHeight(rpc, network.finality, head);
    if (this.#last === undefined && this.#next > 0n)
      [this.#last] = await selectBlocks(this.#deps.store, this.#lease.chain, {
        atMost: this.#next - 1n,
        limit: 1,
      });
    if (head < this.#next - 1n) return this.#fallBehind(head);
    this.#behindAnswers = 0;
    const readable = head - BigInt(network.confirmations - 1);
    if (readable < this.#next) return this.#checkTip(head, final);
    return this.#readOn(this.#next, this.#rangeEnd(this.#next, readable), {
      head,
      readable,
      final,
    });
  }

  /** A network without an established id takes the node's word for it. */
  async #readChainId(): Promise<number> {
    const { chainId, name } = this.#deps.network;
    const answered = Number(await readChainId(this.#deps.rpc));
    if (chainId !== undefined && answered !== chainId)
      throw new Error(
        `The node of ${name} answers for chain id ${answered}, not ${chainId}: correct its RPC address.`,
      );
    return answered;
  }

  async #start(head: bigint): Promise<StepResult> {
    const start = this.#deps.startHeight ?? (await this.#heightOfFirstUse(head));
    await this.#deps.store.transaction((tx) =>
      moveCursor(tx, this.#lease, {
        leaseMs: this.#deps.leaseMs,
        fromHeight: undefined,
        nextHeight: start,
        headHeight: head,
        finalHeight: undefined,
      }),
    );
    this.#next = start;
    this.#deps.log.info({ height: start.toString() }, 'following a chain for the first time');
    return 'behind';
  }

  /**
   * The first block that is not older than the chain's first use, so that nothing of that use is
   * missed.
   */
  async #heightOfFirstUse(head: bigint): Promise<bigint> {
    const since = BigInt(Math.floor((this.#lease.firstUsedAt.getTime() - firstUseMarginMs) / 1000));
    let low = head > lookbackMax ? head - lookbackMax : 0n;
    let high = head + 1n;
    while (low < high) {
      const middle = (low + high) / 2n;
      const [header] = await readHeaders(this.#deps.rpc, [middle]);
      if (!header) throw new HistoryChangedError();
      if (header.timestamp < since) low = middle + 1n;
      else high = middle;
    }
    return low;
  }

  /**
   * The node knows fewer blocks than were read: after a few answers that is a reorganisation like
   * any other.
   */
  async #fallBehind(head: bigint): Promise<StepResult> {
    this.#behindAnswers += 1;
    if (this.#behindAnswers < behindAnswersMax) return 'caught-up';
    this.#behindAnswers = 0;
    return this.#rewind(head);
  }

  /**
   * Nothing new; but the newest block that was read may have been replaced by another of its
   * height.
   */
  async #checkTip(head: bigint, final: bigint): Promise<StepResult> {
    if (!this.#last) return 'caught-up';
    const [header] = await readHeaders(this.#deps.rpc, [this.#last.height]);
    if (header && header.hash !== this.#last.hash) return this.#rewind(head);
    // Only a node that still has what was read may say what of it is final.
    if (header) await this.#finalize(head, final);
    return 'caught-up';
  }

  /** Blocks become final without a new one, as the node's `finalized` block moves on. */
  async #finalize(head: bigint, final: bigint): Promise<void> {
    const next = this.#next!;
    const finalHeight = this.#finalBelow(next, final);
    if (finalHeight === undefined || finalHeight === this.#final) return;
    const { store, entrances, leaseMs } = this.#deps;
    await store.transaction(async (tx) => {
      await moveCursor(tx, this.#lease, {
        leaseMs,
        fromHeight: next,
        nextHeight: next,
        headHeight: head,
        finalHeight,
      });
      await entrances.finalizeTransfers(tx, this.#lease.chain, finalHeight);
    });
    this.#final = finalHeight;
  }

  /** The final height among what will have been read; it never goes back by itself. */
  #finalBelow(next: bigint, final: bigint): bigint | undefined {
    const height = final < next ? final : next - 1n;
    if (height < 0n) return this.#final;
    return this.#final !== undefined && this.#final > height ? this.#final : height;
  }

  /**
   * A range never ends among the newest blocks, unless it is short enough to be asked for by hash.
   */
  #rangeEnd(from: bigint, readable: bigint): bigint {
    const shortEnd = from + BigInt(Math.min(blocksByHashMax, this.#rangeMax)) - 1n;
    if (readable <= shortEnd) return readable;
    const longEnd = from + BigInt(this.#rangeMax) - 1n;
    const settledEnd = readable - BigInt(blocksByHashMax);
    const end = longEnd < settledEnd ? longEnd : settledEnd;
    return end > shortEnd ? end : shortEnd;
  }

  async #readOn(from: bigint, to: bigint, node: NodeState): Promise<StepResult> {
    const { head, readable } = node;
    const tokens = await readFollowedTokens(this.#deps.store, this.#deps.network);
    const content = await this.#readOrHalve(from, to, [...tokens.keys()]);
    if (!content) return 'behind';
    const first = content.blocks[0]!;
    if (this.#last && first.parentHash !== this.#last.hash) return this.#rewind(head);
    const { store, network, rpc, moduleAddress, entrances } = this.#deps;
    const { transfers, operations } = await findTransfers(
      {
        network,
        chainId: this.#chainId!,
        rpc,
        moduleAddress,
        tokens,
        ownAddresses: (addresses) =>
          store.transaction((tx) => entrances.ownAddresses(tx, addresses)),
        depositAddresses: (addresses) =>
          store.transaction((tx) => entrances.depositAddresses(tx, addresses)),
        operationIds: (hashes) => selectOperationIds(store, network.name, hashes),
        operationItems: (hashes) =>
          selectOperationItems(store, { chain: network.name, chainId: this.#chainId! }, hashes),
        log: this.#deps.log,
      },
      content,
    );
    await this.#confirmReverts(content.logs, operations);
    const seen = content.blocks.map((block) => ({ height: block.number, hash: block.hash }));
    const finalHeight = this.#finalBelow(to + 1n, node.final);
    await store.transaction(async (tx) => {
      const progress = {
        leaseMs: this.#deps.leaseMs,
        fromHeight: from,
        nextHeight: to + 1n,
        headHeight: head,
        finalHeight,
      };
      await moveCursor(tx, this.#lease, progress);
      await insertBlocks(tx, this.#lease.chain, seen);
      if (transfers.length > 0) await entrances.recordTransfers(tx, transfers);
      if (operations.length > 0) await entrances.recordOperations(tx, operations);
      if (finalHeight !== undefined && finalHeight !== this.#final)
        await entrances.finalizeTransfers(tx, network.name, finalHeight);
    });
    this.#next = to + 1n;
    this.#final = finalHeight;
    this.#last = seen.at(-1);
    return to < readable ? 'behind' : 'caught-up';
  }

  /**
   * A transfer of a treasury that reverted is sent or paid back anew, so that a second node has to
   * say the same, where there is one.
   */
  async #confirmReverts(logs: readonly ChainLog[], seen: readonly SeenOperation[]): Promise<void> {
    const reverted = seen.filter(({ succeeded }) => !succeeded);
    if (reverted.length === 0) return;
    const { store, secondRpc, moduleAddress, network } = this.#deps;
    const ids = reverted.map(({ operationId }) => operationId);
    const ofTreasuries = await selectTreasuryIds(store, ids);
    const txIds = new Set(
      reverted.filter((one) => ofTreasuries.has(one.operationId)).map(({ txId }) => txId),
    );
    const second = txIds.size > 0 ? await secondRpc?.(network.name) : undefined;
    if (!second) return;
    const textsOf = (some: readonly ChainLog[]) =>
      some
        .filter(
          ({ address, topics }) =>
            address === moduleAddress.toLowerCase() && topics[0] === operationExecutedTopic,
        )
        .map(({ topics, data }) => `${topics.join()} ${data}`)
        .toSorted()
        .join();
    for (const txId of txIds) {
      const { receipt } =
        (await readTransaction(second, txId).catch((error: unknown) => {
          throw new Error(
            `The second node of "${network.name}" could not be asked whether a treasury's transfer reverted in ${txId}: nothing is read on until it answers. Look at EVM_RPC_SECOND_URL_*.`,
            { cause: error },
          );
        })) ?? {};
      const own = logs.filter(({ transactionHash }) => transactionHash === txId);
      if (!receipt || textsOf(receipt.logs) !== textsOf(own))
        throw new Error(
          `The second node of "${network.name}" does not say that a treasury's transfer reverted in ${txId}: nothing is read on until both say the same. Look at an explorer, then at EVM_RPC_SECOND_URL_* and EVM_RPC_URL_*.`,
        );
    }
  }

  async #readOrHalve(from: bigint, to: bigint, tokens: readonly string[]) {
    try {
      const content = await readRange(this.#deps.rpc, { from, to, tokens });
      this.#goodReads += 1;
      if (this.#goodReads % growAfter === 0)
        this.#rangeMax = Math.min(this.#rangeMax * 2, Math.max(1, this.#deps.blockRangeMax));
      return content;
    } catch (error) {
      const size = Number(to - from) + 1;
      if (size === 1 || !isTooMuch(error)) throw error;
      this.#goodReads = 0;
      this.#rangeMax = Math.floor(size / 2);
      this.#deps.log.info(
        { err: error, blocks: this.#rangeMax },
        'the range of blocks is too much for the node: halved',
      );
      await recordHeartbeat(this.#deps.store, this.#lease, {
        leaseMs: this.#deps.leaseMs,
        headHeight: this.#head,
      });
      return undefined;
    }
  }

  /**
   * Takes back everything above the last block that both histories share, and goes on from there.
   */
  async #rewind(head: bigint): Promise<StepResult> {
    const { store, rpc, entrances, log, leaseMs } = this.#deps;
    const { chain } = this.#lease;
    const from = this.#next!;
    const { block, deep } = await findAncestor(store, rpc, { chain, head, lastHeight: from - 1n });
    // Nothing remembered is left: another chain. Its whole history, or as much of it as is
    // searched, is read anew.
    const next = block ? block.height + 1n : head > lookbackMax ? head - lookbackMax : 0n;
    // The node took its answer back: it is no reorganisation, and the next step sees what it is.
    if (block && next === from) throw new HistoryChangedError();
    const alarm = deep ? describeDeep(block, from) : undefined;
    const finalHeight =
      this.#final === undefined || this.#final < next
        ? this.#final
        : next > 0n
          ? next - 1n
          : undefined;
    await store.transaction(async (tx) => {
      await moveCursor(tx, this.#lease, {
        leaseMs,
        fromHeight: from,
        nextHeight: next,
        headHeight: head,
        finalHeight,
        alarm,
      });
      await deleteBlocksFrom(tx, chain, block ? next : 0n);
      await entrances.retractTransfers(tx, chain, block ? next : 0n);
    });
    this.#next = next;
    this.#last = block;
    this.#final = finalHeight;
    const facts = { chain, fromHeight: next.toString(), blocks: (from - next).toString() };
    if (alarm)
      log.error({ ...facts, alarm }, 'a reorganisation went deeper than any that may happen');
    else log.warn(facts, 'a reorganisation was followed');
    return 'behind';
  }
}

function describeDeep(block: SeenBlock | undefined, from: bigint): string {
  return block
    ? `The chain was reorganised from block ${block.height + 1n} on, ${from - block.height - 1n} blocks deep.`
    : `None of the remembered blocks is on the chain any more: it was replaced. Reading starts anew.`;
}
