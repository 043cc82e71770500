import type { Db } from '../../../store/types.ts';
import { type StatusRow, statusColumns, watchStatusOf } from '../../family/following/status.ts';
import type { WatchStatus } from '../../family.ts';

interface WatchedRow extends StatusRow {
  alarm: string | null;
  alarm_at: Date | null;
}

/**
 * Every chain that is in use; one that nobody reads shows as silent and stalled, so no indexer can
 * stop quietly.
 */
export async function watcherStatus(db: Db): Promise<WatchStatus[]> {
  const { rows } = await db.query<WatchedRow>({
    name: 'evm-watcher-status',
    text: `select ${statusColumns}, alarm, alarm_at from evm_watched_chains order by chain limit 500`,
  });
  return rows.map(({ alarm, alarm_at: alarmAt, ...row }) => ({
    ...watchStatusOf(row),
    ...(alarm !== null && { alarm }),
    ...(alarmAt !== null && { alarmAt }),
  }));
}
