import type { Db } from '../../../store/types.ts';
import type { WatchStatus } from '../../family.ts';

const silentMaxMs = 60_000;

interface StatusRow {
  chain: string;
  head_slot: string | null;
  next_slot: string | null;
  silent_ms: string;
  followed: boolean;
  failure: string | null;
  failing_since: Date | null;
}

/** The chain, when it is in use; one that nobody reads shows as silent and stalled, so no watcher can stop quietly. */
export async function watcherStatus(db: Db, chain: string): Promise<WatchStatus[]> {
  const { rows } = await db.query<StatusRow>({
    name: 'solana-watcher-status',
    text: `select chain, head_slot, next_slot, failure, failing_since, coalesce(lease_until > now(), false) as followed,
        floor(extract(epoch from now() - coalesce(polled_at, first_used_at)) * 1000)::bigint as silent_ms
      from solana_watched_chains where chain = $1`,
    values: [chain],
  });
  return rows.map(toStatus);
}

function toStatus(row: StatusRow): WatchStatus {
  const lag = row.head_slot === null || row.next_slot === null ? 0n : BigInt(row.head_slot) + 1n - BigInt(row.next_slot);
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
