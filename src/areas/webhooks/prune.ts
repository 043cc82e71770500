import type { Ctx } from '../../context.ts';

type PruneCtx = Pick<Ctx, 'store' | 'clock'>;

/** Events are kept as long as in the outbox; their deliveries go with them. */
export const eventsKeptMs = 30 * 24 * 60 * 60_000;
const deletedKeptMs = 60 * 60_000;
const rowsPerDelete = 1_000;
const deletesPerRun = 50;

/**
 * Removes what is past its retention, what belongs to deleted endpoints, and secrets that have
 * ended; in small deletes.
 */
export async function pruneWebhooks(ctx: PruneCtx): Promise<number> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - eventsKeptMs);
  const gone = `(select id from webhook_endpoints where status = 'deleted')`;
  const deletes = [
    {
      text: `with old as (select id from events where created_at < $1 order by created_at limit $2 for update skip locked),
               gone as (delete from webhook_deliveries where event_id in (select id from old))
             delete from events where id in (select id from old)`,
      values: [before, rowsPerDelete],
    },
    {
      text: 'delete from webhook_secrets where (endpoint_id, version) in (select endpoint_id, version from webhook_secrets where expires_at < $1 limit $2)',
      values: [now, rowsPerDelete],
    },
    {
      text: `delete from webhook_replays where id in (select id from webhook_replays where finished_at < $1 or endpoint_id in ${gone} limit $2)`,
      values: [before, rowsPerDelete],
    },
    {
      text: `delete from webhook_lanes where (endpoint_id, object) in (select endpoint_id, object from webhook_lanes where endpoint_id in ${gone} limit $1)`,
      values: [rowsPerDelete],
    },
    {
      text: `delete from webhook_deliveries where id in (select id from webhook_deliveries where endpoint_id in ${gone} limit $1)`,
      values: [rowsPerDelete],
    },
    {
      // Not at once: an event that was being queued when the endpoint was deleted is still to be
      // found by it.
      text: `delete from webhook_endpoints e where e.status = 'deleted' and e.updated_at < $1
               and not exists (select 1 from webhook_replays r where r.endpoint_id = e.id)
               and not exists (select 1 from webhook_secrets s where s.endpoint_id = e.id)
               and not exists (select 1 from webhook_lanes l where l.endpoint_id = e.id)
               and not exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id)`,
      values: [new Date(now.getTime() - deletedKeptMs)],
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
  return removed;
}
