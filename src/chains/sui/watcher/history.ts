import { inParallel } from '../../../lib/waiting/in-parallel.ts';
import type { Store } from '../../../store/types.ts';
import {
  BrokenHistoryError,
  type FinalHistory,
  type FollowingDeps,
  type LastRead,
  type LookUps,
  type ReadFrom,
  runFollower,
  type Stretch,
} from '../../family/following/index.ts';
import { selectOperationIds } from '../../family/late/store.ts';
import type { Running } from '../../family.ts';
import {
  type LinkedCheckpoint,
  readCheckpoint,
  readCheckpointTime,
  readHead,
} from '../rpc/checkpoints.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import type { SuiTokens } from '../tokens/tokens.ts';
import { findTransfers } from './find-transfers.ts';

interface HistoryDeps {
  readonly store: Store;
  readonly chain: string;
  readonly connect: (chain: string) => Promise<SuiConnection>;
  readonly tokens: SuiTokens;
  /** Read and recorded in one step. */
  readonly checkpointsMax: number;
}

export interface WatcherDeps extends HistoryDeps, Omit<FollowingDeps, 'history' | 'startHeight'> {
  /** Checkpoint to start at on a chain never followed; otherwise that of the chain's first use. */
  readonly startCheckpoint?: bigint;
}

/** About an hour: the network makes four in a second. */
const lookbackMax = 15_000n;
/** So many are asked for at once. */
const lanes = 4;

/** Follows the network by its checkpoints, which are final when they are told. */
export function runWatcher({ startCheckpoint, ...deps }: WatcherDeps): Promise<Running> {
  return runFollower({
    ...deps,
    history: createSuiHistory(deps),
    ...(startCheckpoint !== undefined && { startHeight: startCheckpoint }),
  });
}

/** Heights are numbers of checkpoints. Each names the one before it by its digest. */
function createSuiHistory(deps: HistoryDeps): FinalHistory {
  const { chain, connect } = deps;
  return {
    chain,
    lookbackMax,
    readHead: async () => (await readHead(await connect(chain))).checkpoint,
    async readTimeFrom({ from, upTo }) {
      if (from > upTo) return undefined;
      // What a node does not keep any more is older than all that it has.
      return (await readCheckpointTime(await connect(chain), from)) ?? new Date(0);
    },
    readOn: async (from, lookUps) => readStretch(deps, await connect(chain), from, lookUps),
  };
}

async function readStretch(
  { store, chain, tokens, checkpointsMax }: HistoryDeps,
  connection: SuiConnection,
  { next, head, last }: ReadFrom,
  lookUps: LookUps,
): Promise<Stretch> {
  const left = head - next + 1n;
  const count = left < BigInt(checkpointsMax) ? Number(left) : checkpointsMax;
  const numbers = Array.from({ length: count }, (_, index) => next + BigInt(index));
  const checkpoints = await inParallel(numbers, lanes, (number) => readWhole(connection, number));
  checkLinks(checkpoints, last);
  const operationIds = (digests: readonly string[]) => selectOperationIds(store, chain, digests);
  const found = await findTransfers(
    { ...lookUps, network: connection.network, tokens, operationIds },
    checkpoints,
  );
  const { sequence: height, digest: hash } = checkpoints.at(-1)!;
  return { ...found, last: { height, hash }, isBehind: left > BigInt(count) };
}

async function readWhole(connection: SuiConnection, number: bigint): Promise<LinkedCheckpoint> {
  const checkpoint = await readCheckpoint(connection, number);
  if (checkpoint) return checkpoint;
  throw new BrokenHistoryError(
    `The node does not have checkpoint ${number} any more: name one in SUI_RPC_URL that has older ones, until the watcher has caught up.`,
  );
}

/** @throws BrokenHistoryError */
function checkLinks(checkpoints: readonly LinkedCheckpoint[], last: LastRead | undefined): void {
  let before = last?.hash;
  for (const { sequence, digest, previousDigest } of checkpoints) {
    if (before !== undefined && previousDigest !== before)
      throw new BrokenHistoryError(
        `The node says that checkpoint ${sequence} follows ${previousDigest}, and what was read before it is ${before}.`,
      );
    before = digest;
  }
}
