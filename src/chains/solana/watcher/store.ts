import type { Db } from '../../../store/types.ts';

/** The chain, followed by this process for as long as its lease and its fence hold. */
export interface Lease {
  readonly chain: string;
  readonly fence: string;
  readonly firstUsedAt: Date;
  /** Absent on a chain never followed. */
  readonly nextSlot?: bigint;
  readonly last?: LastBlock;
}

/** The last block that was read. */
export interface LastBlock {
  readonly slot: bigint;
  readonly hash: string;
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
    name: 'solana-watch-chain',
    text: `insert into solana_watched_chains (chain)
      select $1::text where not exists (select 1 from solana_watched_chains where chain = $1::text)
      on conflict do nothing`,
    values: [chain],
  });
}

/** Undefined: it is not in use, or somebody else follows it. */
export async function claimChain(db: Db, input: { chain: string; owner: string; leaseMs: number }): Promise<Lease | undefined> {
  const { rows } = await db.query<{
    fence: string;
    first_used_at: Date;
    next_slot: string | null;
    last_slot: string | null;
    last_hash: string | null;
  }>({
    name: 'solana-watcher-claim',
    text: `update solana_watched_chains set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond', fence = fence + 1
      where chain = $1 and (lease_until is null or lease_until < now())
      returning fence, first_used_at, next_slot, last_slot, last_hash`,
    values: [input.chain, input.owner, input.leaseMs],
  });
  const row = rows[0];
  return (
    row && {
      chain: input.chain,
      fence: row.fence,
      firstUsedAt: row.first_used_at,
      ...(row.next_slot !== null && { nextSlot: BigInt(row.next_slot) }),
      ...(row.last_slot !== null && row.last_hash !== null && { last: { slot: BigInt(row.last_slot), hash: row.last_hash } }),
    }
  );
}

export interface Heartbeat {
  readonly leaseMs: number;
  /** Absent: the node has not answered since the last one. */
  readonly headSlot?: bigint;
  /** Why the chain cannot be read at the moment. */
  readonly failure?: string;
}

/** Prolongs the lease and tells how it goes. @throws LeaseLostError */
export async function recordHeartbeat(db: Db, lease: Lease, beat: Heartbeat): Promise<void> {
  const { rowCount } = await db.query({
    name: 'solana-watcher-heartbeat',
    text: `update solana_watched_chains set lease_until = now() + $3 * interval '1 millisecond',
        head_slot = coalesce($4::bigint, head_slot), polled_at = case when $4::bigint is null then polled_at else now() end,
        failure = $5::text, failing_since = case when $5::text is null then null else coalesce(failing_since, now()) end
      where chain = $1 and fence = $2`,
    values: [lease.chain, lease.fence, beat.leaseMs, beat.headSlot ?? null, beat.failure ?? null],
  });
  if (rowCount !== 1) throw new LeaseLostError(lease.chain);
}

/** Gives the chain back, so that another worker need not wait for the lease to end. */
export async function releaseChain(db: Db, lease: Lease): Promise<void> {
  await db.query({
    name: 'solana-watcher-release',
    text: 'update solana_watched_chains set lease_until = null, lease_owner = null where chain = $1 and fence = $2',
    values: [lease.chain, lease.fence],
  });
}

export interface Progress {
  readonly leaseMs: number;
  /** Where this follower believes to stand; anything else in the database is a bug or a lost lease. */
  readonly fromSlot: bigint | undefined;
  readonly nextSlot: bigint;
  readonly last: LastBlock | undefined;
  readonly headSlot: bigint;
}

/** Moves the cursor, first of all in its transaction: it locks the row and proves the lease. @throws LeaseLostError */
export async function moveCursor(db: Db, lease: Lease, progress: Progress): Promise<void> {
  const { rowCount } = await db.query({
    name: 'solana-watcher-cursor',
    text: `update solana_watched_chains set next_slot = $4, last_slot = $5, last_hash = $6, head_slot = $7, polled_at = now(),
        failure = null, failing_since = null, lease_until = now() + $8 * interval '1 millisecond'
      where chain = $1 and fence = $2 and next_slot is not distinct from $3::bigint`,
    values: [
      lease.chain,
      lease.fence,
      progress.fromSlot ?? null,
      progress.nextSlot,
      progress.last?.slot ?? null,
      progress.last?.hash ?? null,
      progress.headSlot,
      progress.leaseMs,
    ],
  });
  if (rowCount !== 1) throw new LeaseLostError(lease.chain);
}

/** Up to here what is final has been told; undefined for a chain that nobody has read so far. */
export async function selectFinalSlot(db: Db, chain: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ next_slot: string | null }>({
    name: 'solana-watcher-final-slot',
    text: 'select next_slot from solana_watched_chains where chain = $1 and last_slot is not null',
    values: [chain],
  });
  const next = rows[0]?.next_slot ?? undefined;
  return next === undefined ? undefined : BigInt(next) - 1n;
}

/** As {@link SelectOperationIds}: from the relay's table, which has the signature before anything is sent. */
export async function selectOperationIds(db: Db, chain: string, signatures: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ signature: string; operation_id: string }>({
    name: 'solana-watcher-operations',
    text: 'select signature, operation_id from solana_operations where chain = $1 and signature = any($2::text[])',
    values: [chain, signatures],
  });
  return new Map(rows.map((row) => [row.signature, row.operation_id]));
}
