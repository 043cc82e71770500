import type { Db } from '../../../store/types.ts';
import type { LastRead } from './history.ts';
import * as leases from './leases.ts';

/** Of every family that reads its chain as far as it is final. */
const followedChains: leases.FollowedTable = {
  table: 'followed_chains',
  ownColumns: 'last_height, last_hash',
};

/** Of a chain that is read as far as it is final. */
export interface FinalLease extends leases.Lease {
  readonly last?: LastRead;
}

/** As {@link leases.watchChain}. */
export const watchChain = (db: Db, chain: string): Promise<void> =>
  leases.watchChain(db, followedChains, chain);

/** As {@link leases.claimChain}. */
export function claimChain(db: Db, input: leases.ClaimInput): Promise<FinalLease | undefined> {
  type OwnRow = { last_height: string | null; last_hash: string | null };
  return leases.claimChain(db, followedChains, input, ({ last_height, last_hash }: OwnRow) => ({
    ...(last_height !== null &&
      last_hash !== null && { last: { height: BigInt(last_height), hash: last_hash } }),
  }));
}

export interface Progress {
  readonly leaseMs: number;
  /**
   * Where this follower believes to stand; anything else in the database is a bug or a lost lease.
   */
  readonly fromHeight: bigint | undefined;
  readonly nextHeight: bigint;
  readonly last: LastRead | undefined;
  readonly headHeight: bigint;
}

/**
 * Moves the cursor, first of all in its transaction: it locks the row and proves the lease.
 * @throws LeaseLostError
 */
export async function moveCursor(db: Db, lease: FinalLease, progress: Progress): Promise<void> {
  const { rowCount } = await db.query({
    name: 'followed-chain-cursor',
    text: `update followed_chains set next_height = $4, last_height = $5, last_hash = $6, head_height = $7, polled_at = now(),
        failure = null, failing_since = null, lease_until = now() + $8 * interval '1 millisecond'
      where chain = $1 and fence = $2 and next_height is not distinct from $3::bigint`,
    values: [
      lease.chain,
      lease.fence,
      progress.fromHeight ?? null,
      progress.nextHeight,
      progress.last?.height ?? null,
      progress.last?.hash ?? null,
      progress.headHeight,
      progress.leaseMs,
    ],
  });
  if (rowCount !== 1) throw new leases.LeaseLostError(lease.chain);
}

/** Up to here what is final has been told; undefined for a chain that nobody has read so far. */
export async function selectFinalHeight(db: Db, chain: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ next_height: string | null }>({
    name: 'followed-chain-final-height',
    text: 'select next_height from followed_chains where chain = $1 and last_height is not null',
    values: [chain],
  });
  const next = rows[0]?.next_height ?? undefined;
  return next === undefined ? undefined : BigInt(next) - 1n;
}
