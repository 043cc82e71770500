import type { Store } from '../../../store/types.ts';
import {
  type FinalHistory,
  type FollowingDeps,
  type LookUps,
  type ReadFrom,
  runFollower,
  type Stretch,
} from '../../family/following/index.ts';
import type { Running } from '../../family.ts';
import { readLatestLedger } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import { findTransfers } from './find-transfers.ts';
import { readLedgers, readTimeFrom } from './read-ledgers.ts';

/**
 * Ids of operations by the hash that is their transaction's id: the relay stores it before it
 * sends.
 */
export type SelectOperationIds = (
  store: Store,
  chain: string,
  hashes: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface HistoryDeps {
  readonly store: Store;
  readonly chain: string;
  readonly connect: (chain: string) => Promise<StellarConnection>;
  readonly tokens: Pick<StellarTokens, 'describe'>;
  readonly selectOperationIds: SelectOperationIds;
  readonly ledgersMax: number;
}

export interface WatcherDeps extends HistoryDeps, Omit<FollowingDeps, 'history' | 'startHeight'> {
  /** Ledger to start at on a chain never followed; otherwise that of the chain's first use. */
  readonly startLedger?: number;
}

/** An hour and more of a network. */
const lookbackMax = 1_000n;

/** Follows the network by its ledgers, which are final when they close. */
export function runWatcher({ startLedger, ...deps }: WatcherDeps): Promise<Running> {
  const startHeight = startLedger === undefined ? {} : { startHeight: BigInt(startLedger) };
  return runFollower({ ...deps, history: createStellarHistory(deps), ...startHeight });
}

function createStellarHistory(deps: HistoryDeps): FinalHistory {
  const { chain, connect } = deps;
  return {
    chain,
    lookbackMax,
    readHead: async () => BigInt((await readLatestLedger(await connect(chain))).sequence),
    readTimeFrom: async (range) => readTimeFrom(await connect(chain), range),
    readOn: async (from, lookUps) => readStretch(deps, await connect(chain), from, lookUps),
  };
}

async function readStretch(
  { store, chain, tokens, selectOperationIds: idsOf, ledgersMax }: HistoryDeps,
  connection: StellarConnection,
  from: ReadFrom,
  lookUps: LookUps,
): Promise<Stretch | undefined> {
  const read = await readLedgers(connection, from, ledgersMax);
  if (!read) return undefined;
  const { transactions, ...place } = read;
  const found = await findTransfers(
    {
      ...lookUps,
      network: connection.network,
      operationIds: (hashes) => idsOf(store, chain, hashes),
      describeContracts: (contracts) => tokens.describe(connection, contracts),
    },
    transactions,
  );
  return { ...found, ...place };
}
