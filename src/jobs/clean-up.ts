import type { JobsCtx } from './flows/flow.ts';
import { count } from './metrics.ts';

/** How long finished work stays visible, in service time. */
export interface Retention {
  readonly doneMs: number;
  /** Failed, dead and cancelled flows: somebody may want to read or retry them. */
  readonly failedMs: number;
  /** Events that every reader has handled. */
  readonly eventsMs: number;
  /**
   * Events are removed at this age even when a reader has not handled them: a reader that is gone
   * must not fill the disk.
   */
  readonly unreadEventsMs: number;
}

const dayMs = 24 * 60 * 60_000;
export const defaultRetention: Retention = {
  doneMs: 7 * dayMs,
  failedMs: 90 * dayMs,
  eventsMs: 30 * dayMs,
  unreadEventsMs: 90 * dayMs,
};

const rowsPerDelete = 1_000;
const deletesPerRun = 50;

/**
 * Removes what is past its retention, in small deletes; what one run does not reach, the next one
 * does.
 * @returns the number of rows removed.
 */
export async function cleanUp(
  ctx: Pick<JobsCtx, 'store' | 'clock'>,
  retention: Retention,
): Promise<number> {
  const before = (ageMs: number) => new Date(ctx.clock.now().getTime() - ageMs);
  const deletes = [
    {
      text: `delete from flows where id in (select id from flows where finished_at < $1 and status = 'done'
             order by finished_at limit $2 for update skip locked)`,
      values: [before(retention.doneMs), rowsPerDelete],
    },
    {
      text: `delete from flows where id in (select id from flows where finished_at < $1 and status <> 'done'
             order by finished_at limit $2 for update skip locked)`,
      values: [before(retention.failedMs), rowsPerDelete],
    },
    {
      text: `delete from outbox where id in (select id from outbox where created_at < $1
               and (created_at < $3 or position <= (select coalesce(min(position), 0) from outbox_readers))
             order by created_at limit $2 for update skip locked)`,
      values: [before(retention.eventsMs), rowsPerDelete, before(retention.unreadEventsMs)],
    },
  ];
  let removed = 0;
  for (const statement of deletes) {
    for (let run = 0; run < deletesPerRun; run++) {
      const { rowCount } = await ctx.store.query(statement);
      removed += rowCount;
      if (rowCount < rowsPerDelete) break;
    }
  }
  count('rowsCleaned', removed);
  return removed;
}
