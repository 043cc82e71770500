import type { JsonObject } from '../../lib/json/json.ts';
import type { Db, Store } from '../../store/types.ts';
import { flowsChannel, ring } from '../notify.ts';
import type { Intent } from './flow.ts';
import type { FlowStatus, HistoryEntry } from './flow-store.ts';

export const flowStatuses = [
  'active',
  'done',
  'failed',
  'dead',
  'canceled',
] as const satisfies readonly FlowStatus[];

export interface FlowSummary {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly status: FlowStatus;
  readonly step: string;
  readonly attempts: number;
  readonly key: string | null;
  readonly runAt: Date;
  readonly updatedAt: Date;
  readonly lastError: string | null;
}

export interface FlowDetails extends FlowSummary {
  readonly version: number;
  readonly state: JsonObject;
  readonly intent: Intent | null;
  readonly history: readonly HistoryEntry[];
  readonly worker: string | null;
  readonly leaseUntil: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const summaryColumns = `id, project_id as "projectId", kind, status, step, attempts, key, run_at as "runAt",
  updated_at as "updatedAt", last_error as "lastError"`;
const listSizeMax = 500;

export interface ListFilter {
  readonly status?: FlowStatus;
  readonly kind?: string;
  readonly projectId?: string;
  /** At most 500; default 50. */
  readonly limit?: number;
}

/** Flows by filter, the newest first. */
export async function listFlows(db: Db, filter: ListFilter = {}): Promise<FlowSummary[]> {
  const { rows } = await db.query<FlowSummary>({
    text: `select ${summaryColumns} from flows
           where ($1::text is null or status = $1) and ($2::text is null or kind = $2) and ($3::text is null or project_id = $3)
           order by id desc limit $4`,
    values: [
      filter.status ?? null,
      filter.kind ?? null,
      filter.projectId ?? null,
      Math.min(filter.limit ?? 50, listSizeMax),
    ],
  });
  return rows;
}

/** One flow with its state and history. */
export async function findFlow(db: Db, id: string): Promise<FlowDetails | undefined> {
  const { rows } = await db.query<FlowDetails>({
    text: `select ${summaryColumns}, version, state, intent, history, worker, lease_until as "leaseUntil",
             created_at as "createdAt", finished_at as "finishedAt" from flows where id = $1`,
    values: [id],
  });
  return rows[0];
}

export interface FlowCount {
  readonly kind: string;
  readonly status: FlowStatus;
  readonly count: number;
  /** Of active flows: due since this many seconds (0: none is due). */
  readonly overdueSeconds: number;
}

/**
 * Flows by kind and status, with how late the oldest due one is. Reads the whole table: for people,
 * not for hot paths.
 */
export async function countFlows(db: Db, now: Date): Promise<FlowCount[]> {
  const { rows } = await db.query<FlowCount>({
    text: `select kind, status, count(*)::int as count,
             coalesce(max(extract(epoch from $1::timestamptz - run_at)) filter (where status = 'active' and run_at <= $1), 0)::float8 as "overdueSeconds"
           from flows group by kind, status order by kind, status`,
    values: [now],
  });
  return rows;
}

/**
 * Starts a flow that failed, died or was cancelled again at its present step. A stored intent keeps
 * its idempotency key.
 */
export async function retryFlow(store: Store, id: string, now: Date): Promise<boolean> {
  return endOrRestart(store, id, now, {
    set: `status = 'active', attempts = 0, run_at = least(run_at, $2::timestamptz), finished_at = null`,
    from: ['failed', 'dead', 'canceled'],
    outcome: 'retried by hand',
  });
}

/**
 * Ends an active flow. A step at work cannot commit any more; an effect that is on its way is not
 * undone.
 */
export async function cancelFlow(store: Store, id: string, now: Date): Promise<boolean> {
  return endOrRestart(store, id, now, {
    set: `status = 'canceled', finished_at = $2::timestamptz`,
    from: ['active', 'dead'],
    outcome: 'cancelled by hand',
  });
}

interface Change {
  readonly set: string;
  readonly from: readonly FlowStatus[];
  readonly outcome: string;
}

async function endOrRestart(store: Store, id: string, now: Date, change: Change): Promise<boolean> {
  return store.transaction(async (tx) => {
    const { rowCount } = await tx.query({
      text: `update flows set ${change.set}, fence = fence + 1, lease_until = null, updated_at = $2::timestamptz,
               history = history || jsonb_build_array(jsonb_build_object('at', $4::text, 'step', step, 'worker', 'operator', 'attempt', attempts, 'outcome', $5::text, 'tookMs', 0))
             where id = $1 and status = any($3::text[])`,
      values: [id, now, change.from, now.toISOString(), change.outcome],
    });
    tx.afterCommit(() => ring(store, flowsChannel));
    return rowCount === 1;
  });
}

export interface ReaderSummary {
  readonly name: string;
  readonly position: string;
  readonly behind: number;
  readonly parked: number;
  readonly attempts: number;
  readonly lastError: string | null;
}

/**
 * Readers of the outbox, with how many events each has yet to handle and how many it gave up on.
 */
export async function listReaders(db: Db): Promise<ReaderSummary[]> {
  const { rows } = await db.query<ReaderSummary>({
    text: `select r.name, r.position::text as position, r.attempts, r.last_error as "lastError",
             ((select position from outbox_sequence where id = 1) - r.position)::int as behind,
             (select count(*)::int from outbox_parked p where p.reader = r.name) as parked
           from outbox_readers r order by r.name limit 500`,
  });
  return rows;
}

const failingReadMax = 10_000;
const failingShownMax = 25;

export interface FailingWork {
  readonly kind: string;
  readonly lastError: string;
  readonly count: number;
  /** When the last try failed. */
  readonly lastAt: Date;
}

/**
 * Work whose last try failed and that is tried again, by what went wrong: a provider that does not
 * answer stands here.
 */
export async function listFailing(db: Db): Promise<FailingWork[]> {
  const { rows } = await db.query<FailingWork>({
    text: `select kind, "lastError", count(*)::int as count, max(updated_at) as "lastAt"
           from (select kind, left(last_error, 300) as "lastError", updated_at from flows
             where status = 'active' and last_error is not null limit $1) f
           group by kind, "lastError" order by count desc, kind limit $2`,
    values: [failingReadMax, failingShownMax],
  });
  return rows;
}

/** Work that is due, by kind, with how long the oldest is: counted up to ten thousand. */
export async function countDueFlows(
  db: Db,
  now: Date,
): Promise<{ readonly kind: string; readonly due: number; readonly oldestMs: number }[]> {
  const { rows } = await db.query<{ kind: string; due: number; oldestMs: number }>({
    text: `select kind, count(*)::int as due, (extract(epoch from $1::timestamptz - min(run_at)) * 1000)::float8 as "oldestMs"
           from (select kind, run_at from flows where status = 'active' and run_at <= $1 limit 10000) f group by kind order by due desc limit 50`,
    values: [now],
  });
  return rows;
}
