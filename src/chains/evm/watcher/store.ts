import type { Db } from '../../../store/types.ts';
import * as leases from '../../family/following/leases.ts';
import { selectOperationIds as selectIntentIds } from '../../family/late/store.ts';
import { selectAccountOperationIds } from '../account/store.ts';
import { encodeOperationArguments } from '../operation/operation.ts';
import { treasurySubject } from '../relay/queue/queue.ts';
import {
  type SealedOperationRow,
  sealedOperationColumns,
  selectRelayed,
  splitBySeal,
} from '../relay/queue/seals.ts';
import { findOperations, readInput } from './operation-calls.ts';
import type { WatchedToken } from './watched-token.ts';

const watchedChains: leases.FollowedTable = {
  table: 'evm_watched_chains',
  ownColumns: 'final_height',
};

/** Of a chain that is read up to its newest block. */
export interface NewestLease extends leases.Lease {
  /** What up to here was read has been told as final; absent before the first time. */
  readonly finalHeight?: bigint;
}

export interface SeenBlock {
  readonly height: bigint;
  readonly hash: string;
}

/** As {@link leases.watchChain}. */
export const watchChain = (db: Db, chain: string): Promise<void> =>
  leases.watchChain(db, watchedChains, chain);

/** Bounds what callers can add by naming contracts: each token makes every log query longer. */
const tokensPerChainMax = 500;

/** Makes tokens beyond the network's own list ones whose transfers are followed from now on. */
export async function watchTokens(
  db: Db,
  chain: string,
  tokens: readonly WatchedToken[],
): Promise<void> {
  if (tokens.length === 0) return;
  await db.query({
    name: 'evm-watch-tokens',
    text: `insert into evm_watched_tokens (chain, address, symbol, name, decimals)
      select $1::text, t.address, t.symbol, t.name, t.decimals
      from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as t (address, symbol, name, decimals)
      where not exists (select 1 from evm_watched_tokens w where w.chain = $1::text and w.address = t.address)
        and (select count(*) from evm_watched_tokens w where w.chain = $1::text) < ${tokensPerChainMax}
      on conflict do nothing`,
    values: [
      chain,
      tokens.map((token) => token.address.toLowerCase()),
      tokens.map((token) => token.symbol ?? null),
      tokens.map((token) => token.name ?? null),
      tokens.map((token) => token.decimals),
    ],
  });
}

export async function selectWatchedTokens(db: Db, chain: string): Promise<WatchedToken[]> {
  const { rows } = await db.query<{
    address: string;
    symbol: string | null;
    name: string | null;
    decimals: number;
  }>({
    name: 'evm-watched-tokens',
    text: 'select address, symbol, name, decimals from evm_watched_tokens where chain = $1',
    values: [chain],
  });
  return rows.map((row) => ({
    address: row.address,
    decimals: row.decimals,
    ...(row.symbol === null ? {} : { symbol: row.symbol }),
    ...(row.name === null ? {} : { name: row.name }),
  }));
}

/**
 * Ids of the relay's operations by their hash; of accounts that send by themselves, by that of
 * their transaction. Reads the relay's tables: a second copy of the mapping could only be wrong.
 * What their seals do not vouch for is no operation of anybody, nor what has an id that is another
 * operation's: whoever is told of one ends it.
 */
export async function selectOperationIds(
  db: Db,
  chain: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await db.query<SealedOperationRow>({
    name: 'evm-watcher-operation-ids',
    text: `select ${sealedOperationColumns} from evm_operations where chain = $1 and operation_hash = any($2::text[])`,
    values: [chain, hashes],
  });
  const [ofAccounts, ofIntents] = await Promise.all([
    selectAccountOperationIds(db, chain, hashes),
    selectIntentIds(db, chain, hashes),
  ]);
  const others = await selectRelayed(db, [...ofAccounts.values(), ...ofIntents.values()]);
  const isAlone = ([, id]: readonly [string, string]) => !others.has(id);
  return new Map([
    ...[...ofIntents].filter(isAlone),
    ...[...ofAccounts].filter(isAlone),
    ...splitBySeal(db, rows).fit.map((row) => [row.operation_hash, row.operation_id] as const),
  ]);
}

/** Those of operations that left a treasury. */
export async function selectTreasuryIds(
  db: Db,
  operationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ operation_id: string }>({
    name: 'evm-watcher-treasury-ids',
    text: 'select operation_id from evm_operations where operation_id = any($1::uuid[]) and subject = $2',
    values: [operationIds, treasurySubject],
  });
  return new Set(rows.map((row) => row.operation_id));
}

/**
 * The relay's own copies of operations, ABI-encoded, as lower-case hex with `0x`, by hash: nothing
 * but what the hash stands for, whatever stands beside it.
 */
export async function selectOperationItems(
  db: Db,
  { chain, chainId }: { readonly chain: string; readonly chainId: number },
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ operation_hash: string; wallet: string; item: Buffer }>({
    name: 'evm-watcher-operation-items',
    text: 'select operation_hash, wallet, item from evm_operations where chain = $1 and operation_hash = any($2::text[])',
    values: [chain, hashes],
  });
  return new Map(
    rows.flatMap(({ operation_hash: hash, wallet, item }) => {
      const input = readInput(`0x${item.toString('hex')}`);
      const operationHashes = new Set([hash]);
      const operation = findOperations(input, { chainId, wallet, operationHashes }).get(hash);
      return operation ? [[hash, `0x${encodeOperationArguments(operation, '0x')}`] as const] : [];
    }),
  );
}

/** As {@link leases.claimChain}. */
export function claimChain(db: Db, input: leases.ClaimInput): Promise<NewestLease | undefined> {
  return leases.claimChain(db, watchedChains, input, (row: { final_height: string | null }) => ({
    ...(row.final_height !== null && { finalHeight: BigInt(row.final_height) }),
  }));
}

export interface Progress {
  readonly leaseMs: number;
  /**
   * Where this follower believes to stand; anything else in the database is a bug or a lost lease.
   */
  readonly fromHeight: bigint | undefined;
  readonly nextHeight: bigint;
  readonly headHeight: bigint;
  /** Below `nextHeight`; absent: none yet. */
  readonly finalHeight: bigint | undefined;
  readonly alarm?: string;
}

/**
 * Moves the cursor, first of all in its transaction: it locks the row and proves the lease.
 * @throws LeaseLostError
 */
export async function moveCursor(db: Db, lease: NewestLease, progress: Progress): Promise<void> {
  const { rowCount } = await db.query({
    name: 'evm-watcher-cursor',
    text: `update evm_watched_chains set next_height = $4, head_height = $5, polled_at = now(), failure = null, failing_since = null,
        lease_until = now() + $6 * interval '1 millisecond', final_height = $8,
        alarm = coalesce($7::text, alarm), alarm_at = case when $7::text is null then alarm_at else now() end
      where chain = $1 and fence = $2 and next_height is not distinct from $3::bigint`,
    values: [
      lease.chain,
      lease.fence,
      progress.fromHeight ?? null,
      progress.nextHeight,
      progress.headHeight,
      progress.leaseMs,
      progress.alarm ?? null,
      progress.finalHeight ?? null,
    ],
  });
  if (rowCount !== 1) throw new leases.LeaseLostError(lease.chain);
}

/**
 * Up to here what was read has been told as final; undefined for a chain that nobody has read so
 * far.
 */
export async function selectFinalHeight(db: Db, chain: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ final_height: string | null }>({
    name: 'evm-watcher-final-height',
    text: 'select final_height from evm_watched_chains where chain = $1',
    values: [chain],
  });
  const height = rows[0]?.final_height ?? undefined;
  return height === undefined ? undefined : BigInt(height);
}

/**
 * Hashes of this many last blocks are kept one by one; before them every {@link checkpointEvery}th.
 */
export const recentBlocks = 256;
const checkpointEvery = 256;
const checkpointsReach = 1_000_000;

/** Remembers the hashes of blocks that were read, and forgets the old ones. */
export async function insertBlocks(
  db: Db,
  chain: string,
  blocks: readonly SeenBlock[],
): Promise<void> {
  const last = blocks.at(-1);
  if (!last) return;
  const kept = blocks.filter(
    (block) =>
      block.height > last.height - BigInt(recentBlocks) ||
      block.height % BigInt(checkpointEvery) === 0n,
  );
  await db.query({
    name: 'evm-watcher-blocks',
    text: `insert into evm_watched_blocks (chain, height, hash) select $1::text, * from unnest($2::bigint[], $3::text[])
      on conflict (chain, height) do update set hash = excluded.hash`,
    values: [chain, kept.map((block) => block.height), kept.map((block) => block.hash)],
  });
  // Only heights that this very step pushed out: the checkpoints below are not looked at again.
  const lowest = blocks[0]!.height - BigInt(recentBlocks);
  await db.query({
    name: 'evm-watcher-prune',
    text: `delete from evm_watched_blocks where chain = $1 and (
        (height >= $2::bigint and height <= $3::bigint and height % ${checkpointEvery} <> 0)
        or (height >= $2::bigint - ${checkpointsReach} and height <= $3::bigint - ${checkpointsReach}))`,
    values: [chain, lowest, last.height - BigInt(recentBlocks)],
  });
}

export async function deleteBlocksFrom(db: Db, chain: string, height: bigint): Promise<void> {
  await db.query({
    name: 'evm-watcher-forget',
    text: 'delete from evm_watched_blocks where chain = $1 and height >= $2',
    values: [chain, height],
  });
}

/** Remembered blocks at or below a height, newest first. */
export async function selectBlocks(
  db: Db,
  chain: string,
  input: { atMost: bigint; limit: number },
): Promise<SeenBlock[]> {
  const { rows } = await db.query<{ height: string; hash: string }>({
    name: 'evm-watcher-select-blocks',
    text: 'select height, hash from evm_watched_blocks where chain = $1 and height <= $2 order by height desc limit $3',
    values: [chain, input.atMost, input.limit],
  });
  return rows.map((row) => ({ height: BigInt(row.height), hash: row.hash }));
}
