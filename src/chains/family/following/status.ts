import type { Db } from '../../../store/types.ts';
import type { WatchStatus } from '../capabilities/status.ts';

const silentMaxMs = 60_000;

/** Of a table of followed chains, as {@link watchStatusOf} reads them. */
export const statusColumns = `chain, head_height, next_height, failure, failing_since, coalesce(lease_until > now(), false) as followed,
  floor(extract(epoch from now() - coalesce(polled_at, first_used_at)) * 1000)::bigint as silent_ms`;

export interface StatusRow {
  chain: string;
  head_height: string | null;
  next_height: string | null;
  silent_ms: string;
  followed: boolean;
  failure: string | null;
  failing_since: Date | null;
}

/**
 * The chain, when it is in use; one that nobody reads shows as silent and stalled, so no watcher
 * can stop quietly.
 */
export async function followerStatus(db: Db, chain: string): Promise<WatchStatus[]> {
  const { rows } = await db.query<StatusRow>({
    name: 'followed-chain-status',
    text: `select ${statusColumns} from followed_chains where chain = $1`,
    values: [chain],
  });
  return rows.map(watchStatusOf);
}

export function watchStatusOf(row: StatusRow): WatchStatus {
  const lag =
    row.head_height === null || row.next_height === null
      ? 0n
      : BigInt(row.head_height) + 1n - BigInt(row.next_height);
  const silentMs = Number(row.silent_ms);
  return {
    chain: row.chain,
    lagBlocks: lag > 0n ? lag : 0n,
    silentMs,
    followed: row.followed,
    ...(row.failure !== null && { failure: row.failure }),
    ...(row.failing_since !== null && { failingSince: row.failing_since }),
    stalled: silentMs > silentMaxMs,
  };
}
