import type { Db } from '../../../store/types.ts';
import type { LastRead } from './history.ts';

/** The chain, followed by this process for as long as its lease and its fence hold. */
export interface Lease {
  readonly chain: string;
  readonly fence: string;
  readonly firstUsedAt: Date;
  /** Absent on a chain never followed. */
  readonly nextHeight?: bigint;
  readonly last?: LastRead;
}

/** Another worker follows the chain now: whatever was being done must not be recorded. */
export class LeaseLostError extends Error {
  constructor(chain: string) {
    super(`The lease of ${chain} was lost to another worker.`);
    this.name = 'LeaseLostError';
  }
}

/** Makes a chain one that is followed, from this moment on. Cheap when it is already. */
export async function watchChain(db: Db, chain: string): Promise<void> {
  await db.query({
    name: 'followed-chain-watch',
    text: `insert into followed_chains (chain)
      select $1::text where not exists (select 1 from followed_chains where chain = $1::text)
      on conflict do nothing`,
    values: [chain],
  });
}

/** Undefined: it is not in use, or somebody else follows it. */
export async function claimChain(
  db: Db,
  input: { chain: string; owner: string; leaseMs: number },
): Promise<Lease | undefined> {
  const { rows } = await db.query<{
    fence: string;
    first_used_at: Date;
    next_height: string | null;
    last_height: string | null;
    last_hash: string | null;
  }>({
    name: 'followed-chain-claim',
    text: `update followed_chains set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond', fence = fence + 1
      where chain = $1 and (lease_until is null or lease_until < now())
      returning fence, first_used_at, next_height, last_height, last_hash`,
    values: [input.chain, input.owner, input.leaseMs],
  });
  const row = rows[0];
  return (
    row && {
      chain: input.chain,
      fence: row.fence,
      firstUsedAt: row.first_used_at,
      ...(row.next_height !== null && { nextHeight: BigInt(row.next_height) }),
      ...(row.last_height !== null &&
        row.last_hash !== null && {
          last: { height: BigInt(row.last_height), hash: row.last_hash },
        }),
    }
  );
}

export interface Heartbeat {
  readonly leaseMs: number;
  /** Absent: the node has not answered since the last one. */
  readonly headHeight?: bigint;
  /** Why the chain cannot be read at the moment. */
  readonly failure?: string;
}

/** Prolongs the lease and tells how it goes. @throws LeaseLostError */
export async function recordHeartbeat(db: Db, lease: Lease, beat: Heartbeat): Promise<void> {
  const { rowCount } = await db.query({
    name: 'followed-chain-heartbeat',
    text: `update followed_chains set lease_until = now() + $3 * interval '1 millisecond',
        head_height = coalesce($4::bigint, head_height), polled_at = case when $4::bigint is null then polled_at else now() end,
        failure = $5::text, failing_since = case when $5::text is null then null else coalesce(failing_since, now()) end
      where chain = $1 and fence = $2`,
    values: [lease.chain, lease.fence, beat.leaseMs, beat.headHeight ?? null, beat.failure ?? null],
  });
  if (rowCount !== 1) throw new LeaseLostError(lease.chain);
}

/** Gives the chain back, so that another worker need not wait for the lease to end. */
export async function releaseChain(db: Db, lease: Lease): Promise<void> {
  await db.query({
    name: 'followed-chain-release',
    text: 'update followed_chains set lease_until = null, lease_owner = null where chain = $1 and fence = $2',
    values: [lease.chain, lease.fence],
  });
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
export async function moveCursor(db: Db, lease: Lease, progress: Progress): Promise<void> {
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
  if (rowCount !== 1) throw new LeaseLostError(lease.chain);
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
