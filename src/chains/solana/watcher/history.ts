import type { Clock } from '../../../lib/clock.ts';
import type { Db, Store } from '../../../store/types.ts';
import {
  type FinalHistory,
  type FollowingDeps,
  type LookUps,
  type ReadFrom,
  runFollower,
  type Stretch,
} from '../../family/following/index.ts';
import { selectOperationIds as readOperationIds } from '../../family/late/queue.ts';
import type { Running } from '../../family.ts';
import { solanaOperations } from '../relay/queue/store.ts';
import { readSlot } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SolanaTokens } from '../tokens/tokens.ts';
import { findTransfers } from './find-transfers.ts';
import { readBlocks, readSlots, readTimeFrom, readWhole } from './read-blocks.ts';

/**
 * Ids of operations by the signature that is their transaction's id: the relay stores it before it
 * sends.
 */
export type SelectOperationIds = (
  store: Store,
  chain: string,
  signatures: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface HistoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly chain: string;
  readonly connect: (chain: string) => Promise<SolanaConnection>;
  readonly tokens: Pick<SolanaTokens, 'describe'>;
  readonly selectOperationIds: SelectOperationIds;
  readonly blocksMax: number;
}

export interface WatcherDeps extends HistoryDeps, Omit<FollowingDeps, 'history' | 'startHeight'> {
  /** Slot to start at on a chain never followed; otherwise that of the chain's first use. */
  readonly startSlot?: bigint;
}

/** An hour of a cluster. */
const lookbackMax = 10_000n;

/** Follows the cluster by its final blocks. */
export function runWatcher({ startSlot, ...deps }: WatcherDeps): Promise<Running> {
  return runFollower({
    ...deps,
    history: createSolanaHistory(deps),
    ...(startSlot !== undefined && { startHeight: startSlot }),
  });
}

/**
 * Heights are slots: those without a block are passed with the next one that has one, which names
 * the block before it.
 */
function createSolanaHistory(deps: HistoryDeps): FinalHistory {
  const { chain, connect } = deps;
  return {
    chain,
    lookbackMax,
    readHead: async () => readSlot(await connect(chain), 'finalized'),
    async readTimeFrom(range) {
      const seconds = await readTimeFrom(await connect(chain), range);
      return seconds === undefined ? undefined : new Date(seconds * 1000);
    },
    readOn: async (from, lookUps) => readStretch(deps, await connect(chain), from, lookUps),
  };
}

async function readStretch(
  { store, clock, chain, tokens, selectOperationIds: idsOf, blocksMax }: HistoryDeps,
  connection: SolanaConnection,
  { next, head, last }: ReadFrom,
  lookUps: LookUps,
): Promise<Stretch | undefined> {
  const slots = await readSlots(connection, { from: next, upTo: head, limit: blocksMax });
  if (slots.length === 0) return undefined;
  const blocks = await readBlocks(connection, slots, last);
  const found = await findTransfers(
    {
      ...lookUps,
      network: connection.network,
      operationIds: (signatures) => idsOf(store, chain, signatures),
      describeMints: (mints) => tokens.describe(connection, mints),
      readWhole: (signature) => readWhole(connection, signature),
      now: () => clock.now(),
    },
    blocks,
  );
  const { slot, blockhash } = blocks.at(-1)!;
  return {
    ...found,
    last: { height: slot, hash: blockhash },
    isBehind: slots.length === blocksMax,
  };
}

/**
 * As {@link SelectOperationIds}: from the relay's table, which has the signature before anything is
 * sent.
 */
export const selectOperationIds = (
  db: Db,
  chain: string,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  readOperationIds(db, solanaOperations, chain, signatures);
