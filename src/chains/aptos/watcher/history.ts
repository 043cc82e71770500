import { z } from 'zod';
import type { FinalHistory } from '../../family/following/index.ts';
import { type AptosNode, refusedByNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import type { AptosTokens } from '../tokens/tokens.ts';
import { findTransfers } from './find-transfers.ts';
import { type LastVersion, readPlace, readVersions } from './read-versions.ts';

export interface HistoryDeps {
  readonly chain: string;
  readonly connect: () => Promise<AptosNode>;
  readonly tokens: AptosTokens;
  /** Ids of this service's operations by the hash that is the transaction's id. */
  readonly operationIds: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Versions that are read and recorded in one step. */
  readonly versionsMax: number;
}

/**
 * About five hours of a busy network; nothing older is searched for the moment of the chain's first
 * use.
 */
const lookbackMax = 2_000_000n;
const timedSchema = z
  .array(
    z.object({
      timestamp: z
        .string()
        .regex(/^\d{1,20}$/)
        .optional(),
    }),
  )
  .max(100);

/**
 * Versions as the follower reads them: a node tells of committed ones alone, and none is ever
 * replaced.
 */
export function createAptosHistory({
  chain,
  connect,
  tokens,
  operationIds,
  versionsMax,
}: HistoryDeps): FinalHistory {
  /**
   * Fewer where the node could not answer: what strangers write into a hundred versions may be more
   * than one answer holds.
   */
  let limit = versionsMax;
  return {
    chain,
    lookbackMax,
    async readHead() {
      return (await readPlace(await connect())).version;
    },
    async readTimeFrom({ from, upTo }) {
      if (from > upTo) return undefined;
      const node = await connect();
      const { value } = await node
        .get(`/transactions?start=${from}&limit=25`, timedSchema)
        .catch((error: unknown) => {
          // What was pruned is older than anything that is asked for.
          if (error instanceof RestRefusal && error.status === 410)
            return { value: [{ timestamp: '0' }] };
          throw refusedByNode(error, node.network);
        });
      const first = value.find(({ timestamp }) => timestamp !== undefined)?.timestamp;
      return first === undefined ? undefined : new Date(Number(BigInt(first) / 1_000n));
    },
    async readOn({ next, head, last }, { ownAddresses }) {
      if (head < next) return undefined;
      const node = await connect();
      const place: LastVersion = last
        ? { version: last.height, hash: last.hash }
        : await readPlace(node, next > 0n ? next - 1n : 0n);
      const read = await readVersions(node, place, limit).catch((error: unknown) => {
        limit = Math.max(1, Math.floor(limit / 2));
        throw error;
      });
      limit = Math.min(versionsMax, limit * 2);
      if (read.last.version === place.version) return undefined;
      const found = await findTransfers(
        { network: node.network, tokens, ownAddresses, operationIds },
        read.transactions,
      );
      return {
        ...found,
        last: { height: read.last.version, hash: read.last.hash },
        isBehind: read.last.version < read.head,
      };
    },
  };
}
