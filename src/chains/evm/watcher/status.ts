import type { Db } from '../../../store/types.ts';
import type { WatchStatus } from '../../family.ts';

/** With the heights that the family keeps to itself. */
export interface WatchedChainStatus extends WatchStatus {
  /**
   * Newest block the node told of, and the first that is not read yet; absent before the first
   * answer.
   */
  readonly headHeight?: bigint;
  readonly nextHeight?: bigint;
}

const silentMaxMs = 60_000;

interface StatusRow {
  chain: string;
  head_height: string | null;
  next_height: string | null;
  silent_ms: string;
  followed: boolean;
  failure: string | null;
  failing_since: Date | null;
  alarm: string | null;
  alarm_at: Date | null;
}

/**
 * Every chain that is in use; one that nobody reads shows as silent and stalled, so no indexer can
 * stop quietly.
 */
export async function watcherStatus(db: Db): Promise<WatchedChainStatus[]> {
  const { rows } = await db.query<StatusRow>({
    name: 'evm-watcher-status',
    text: `select chain, head_height, next_height, failure, failing_since, alarm, alarm_at, coalesce(lease_until > now(), false) as followed,
        floor(extract(epoch from now() - coalesce(polled_at, first_used_at)) * 1000)::bigint as silent_ms
      from evm_watched_chains order by chain limit 500`,
  });
  return rows.map(toStatus);
}

function toStatus(row: StatusRow): WatchedChainStatus {
  const headHeight = row.head_height === null ? undefined : BigInt(row.head_height);
  const nextHeight = row.next_height === null ? undefined : BigInt(row.next_height);
  const lag =
    headHeight === undefined || nextHeight === undefined ? 0n : headHeight + 1n - nextHeight;
  const silentMs = Number(row.silent_ms);
  return {
    chain: row.chain,
    headHeight,
    nextHeight,
    lagBlocks: lag > 0n ? lag : 0n,
    silentMs,
    followed: row.followed,
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...(row.failing_since === null ? {} : { failingSince: row.failing_since }),
    ...(row.alarm === null ? {} : { alarm: row.alarm }),
    ...(row.alarm_at === null ? {} : { alarmAt: row.alarm_at }),
    stalled: silentMs > silentMaxMs,
  };
}
