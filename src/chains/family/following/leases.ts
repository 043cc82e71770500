import type { Db } from '../../../store/types.ts';

/**
 * Who follows a chain: one process at a time. Leases run by the database's clock, which all workers
 * share.
 */

/** A table of followed chains: how far each is read, and by whom. */
export interface FollowedTable {
  readonly table: string;
  /** What a lease has beside, of the table's own columns. */
  readonly ownColumns: string;
}

/** A chain that this process follows for as long as its lease and its fence hold. */
export interface Lease {
  readonly of: FollowedTable;
  readonly chain: string;
  readonly fence: string;
  readonly firstUsedAt: Date;
  /** The first height that is not read yet; absent on a chain never followed. */
  readonly nextHeight?: bigint;
}

/** Another worker follows the chain now: whatever was being done must not be recorded. */
export class LeaseLostError extends Error {
  constructor(chain: string) {
    super(`The lease of ${chain} was lost to another worker.`);
    this.name = 'LeaseLostError';
  }
}

/** Makes a chain one that is followed, from this moment on. Cheap when it is already. */
export async function watchChain(db: Db, { table }: FollowedTable, chain: string): Promise<void> {
  await db.query({
    name: `${table}-watch`,
    text: `insert into ${table} (chain)
      select $1::text where not exists (select 1 from ${table} where chain = $1::text)
      on conflict do nothing`,
    values: [chain],
  });
}

export interface ClaimInput {
  readonly chains: readonly string[];
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Takes one chain that is in use and that nobody follows.
 * @param readOwn reads the table's own columns
 */
export async function claimChain<OwnRow, Own>(
  db: Db,
  of: FollowedTable,
  { chains, owner, leaseMs }: ClaimInput,
  readOwn: (row: OwnRow) => Own,
): Promise<(Lease & Own) | undefined> {
  const { table, ownColumns } = of;
  const { rows } = await db.query<
    OwnRow & { chain: string; fence: string; first_used_at: Date; next_height: string | null }
  >({
    name: `${table}-claim`,
    text: `update ${table} set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond', fence = fence + 1
      where chain = (
        select chain from ${table} where chain = any($1::text[]) and (lease_until is null or lease_until < now())
        order by lease_until nulls first limit 1 for update skip locked)
      returning chain, fence, first_used_at, next_height, ${ownColumns}`,
    values: [chains, owner, leaseMs],
  });
  const [row] = rows;
  return (
    row && {
      of,
      chain: row.chain,
      fence: row.fence,
      firstUsedAt: row.first_used_at,
      ...(row.next_height !== null && { nextHeight: BigInt(row.next_height) }),
      ...readOwn(row),
    }
  );
}

export interface Heartbeat {
  readonly leaseMs: number;
  /** Absent: the node has not answered since the last one. */
  readonly headHeight?: bigint | undefined;
  /** Why the chain cannot be read at the moment. */
  readonly failure?: string | undefined;
}

/** Prolongs the lease and tells how it goes. @throws LeaseLostError */
export async function recordHeartbeat(
  db: Db,
  { of: { table }, chain, fence }: Lease,
  { leaseMs, headHeight, failure }: Heartbeat,
): Promise<void> {
  const { rowCount } = await db.query({
    name: `${table}-heartbeat`,
    text: `update ${table} set lease_until = now() + $3 * interval '1 millisecond',
        head_height = coalesce($4::bigint, head_height), polled_at = case when $4::bigint is null then polled_at else now() end,
        failure = $5::text, failing_since = case when $5::text is null then null else coalesce(failing_since, now()) end
      where chain = $1 and fence = $2`,
    values: [chain, fence, leaseMs, headHeight ?? null, failure ?? null],
  });
  if (rowCount !== 1) throw new LeaseLostError(chain);
}

/** Gives the chain back, so that another worker need not wait for the lease to end. */
export async function releaseChain(db: Db, { of: { table }, chain, fence }: Lease): Promise<void> {
  await db.query({
    name: `${table}-release`,
    text: `update ${table} set lease_until = null, lease_owner = null where chain = $1 and fence = $2`,
    values: [chain, fence],
  });
}
