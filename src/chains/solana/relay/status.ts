import type { Db } from '../../../store/types.ts';
import type { QueueStatus } from '../../family/spending/relay-status.ts';

/** What waits in the queue of the relay, and what is under way. */
export async function readSolanaQueue(db: Db, chain: string): Promise<QueueStatus> {
  const { rows } = await db.query<{ queued: string; in_flight: string; oldest_ms: string }>({
    name: 'solana-relay-status-queue',
    text: `
      select count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'sent') as in_flight,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')) * 1000, 0) as oldest_ms
      from solana_operations where chain = $1 and status <> 'settled'`,
    values: [chain],
  });
  const [row] = rows;
  return {
    queued: Number(row!.queued),
    inFlight: Number(row!.in_flight),
    oldestQueuedMs: Math.round(Number(row!.oldest_ms)),
  };
}
