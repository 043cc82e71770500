import type { Json, JsonObject } from '../../lib/json/json.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { Intent } from './flow.ts';

export type FlowStatus = 'active' | 'done' | 'failed' | 'dead' | 'canceled';

export interface HistoryEntry {
  readonly at: string;
  readonly step: string;
  readonly worker: string;
  readonly attempt: number;
  /** `→ next step`, `done`, `failed: …`, `error: …`. */
  readonly outcome: string;
  readonly tookMs: number;
}

const historyEntriesMax = 40;

/** A claimed row: what a worker holds while it runs the flow. */
export interface FlowRow {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly version: number;
  readonly step: string;
  readonly state: JsonObject;
  readonly key: string | null;
  readonly attempts: number;
  readonly fence: string;
  readonly wakes: number;
  /** Belongs to the present step, always. */
  readonly intent: Intent | null;
  readonly history: readonly HistoryEntry[];
  readonly createdAt: Date;
}

interface ClaimedRow extends FlowRow {
  readonly runAt: Date;
  readonly takenOver: boolean;
  readonly nextRunAt: Date | null;
}

export interface ClaimInput {
  readonly now: Date;
  readonly worker: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Candidates looked at per project. */
  readonly perProject: number;
  /** Most flows of one project this worker runs at once. */
  readonly projectShare: number;
  readonly kinds: readonly { readonly kind: string; readonly version: number }[];
  /** Flows this worker runs now, by project. */
  readonly running: ReadonlyMap<string, number>;
}

export interface ClaimResult {
  readonly flows: readonly (FlowRow & { readonly runAt: Date; readonly takenOver: boolean })[];
  /** When the next sleeping flow is due. */
  readonly nextRunAt: Date | undefined;
}

// `projects` hops from one project to the next in the index, so that its cost is the number of
// projects and not of flows. `candidate` takes the oldest due flows of each; `turn` deals them out
// one per project at a time, counting what this worker runs already. More candidates than wanted
// are offered, since another worker may hold the first ones. Each is locked by its key in a
// subquery of its own: as a plain join the planner reads the whole backlog.
const claimText = `
with recursive projects as (
  (select project_id from flows where status = 'active' order by project_id limit 1)
  union all
  select (select f.project_id from flows f where f.status = 'active' and f.project_id > p.project_id order by f.project_id limit 1)
  from projects p where p.project_id is not null
),
candidate as (
  select d.id, d.run_at,
    row_number() over (partition by p.project_id order by d.run_at) + coalesce(r.n, 0) as turn
  from projects p
  left join unnest($8::text[], $9::int[]) as r(project_id, n) on r.project_id = p.project_id
  cross join lateral (
    select f.id, f.run_at from flows f
    where f.status = 'active' and f.project_id = p.project_id and f.run_at <= $1
      and (f.lease_until is null or f.lease_until < now())
      and exists (select 1 from unnest($6::text[], $7::int[]) as k(kind, version) where k.kind = f.kind and f.version <= k.version)
    order by f.run_at limit $5
  ) d
),
picked as (
  select l.id, l.lease_until
  from (select id from candidate where turn <= $10 order by turn, run_at limit 2 * $4) c
  cross join lateral (
    select f.id, f.lease_until from flows f
    where f.id = c.id and f.finished_at is null and f.run_at <= $1 and (f.lease_until is null or f.lease_until < now())
    for update skip locked
  ) l
  limit $4
),
claimed as (
  update flows f set lease_until = now() + $3 * interval '1 millisecond', worker = $2, fence = f.fence + 1, attempts = f.attempts + 1
  from picked where f.id = picked.id
  returning f.id, f.project_id, f.kind, f.version, f.step, f.state, f.key, f.attempts, f.fence, f.wakes, f.intent,
    f.history, f.created_at, f.run_at, picked.lease_until is not null as taken_over
),
next as (
  select min(n.run_at) as run_at from projects p cross join lateral (
    select f.run_at from flows f where f.status = 'active' and f.project_id = p.project_id and f.run_at > $1 order by f.run_at limit 1
  ) n
)
select next.run_at as "nextRunAt", c.id, c.project_id as "projectId", c.kind, c.version, c.step, c.state, c.key, c.attempts,
  c.fence, c.wakes, c.intent, c.history, c.created_at as "createdAt", c.run_at as "runAt", c.taken_over as "takenOver"
from next left join claimed c on true order by c.run_at`;

/** Takes due flows, fairly between projects, and leases them. */
export async function claimFlows(db: Db, input: ClaimInput): Promise<ClaimResult> {
  const { rows } = await db.query<ClaimedRow & { id: string | null }>({
    name: 'jobs-claim',
    urgent: true,
    text: claimText,
    values: [
      input.now,
      input.worker,
      input.leaseMs,
      input.limit,
      input.perProject,
      input.kinds.map((entry) => entry.kind),
      input.kinds.map((entry) => entry.version),
      [...input.running.keys()],
      [...input.running.values()],
      input.projectShare,
    ],
  });
  return {
    flows: rows.filter((row) => row.id !== null),
    nextRunAt: rows[0]?.nextRunAt ?? undefined,
  };
}

// From here on `finished_at is null` stands for `status = 'active'`, which the table checks to be
// the same: were the status named, the planner could take the index of all active flows for a
// look-up by id: it looks empty on a young table.

/** What a step leaves behind. */
export interface Advance {
  readonly step: string;
  readonly version: number;
  readonly state: JsonObject;
  readonly entry: HistoryEntry;
  readonly now: Date;
}

/** Goes on to the next step under the same lease. Undefined when the fence has moved. */
export async function advanceFlow(
  tx: Tx,
  row: FlowRow,
  advance: Advance,
): Promise<FlowRow | undefined> {
  const history = appendHistory(row, advance.entry);
  const { rows } = await tx.query<{ wakes: number }>({
    name: 'jobs-advance',
    text: `update flows set step = $3, version = $4, state = $5, history = $6, attempts = 1, intent = null, last_error = null, updated_at = $7
           where id = $1 and fence = $2 and finished_at is null returning wakes`,
    values: [
      row.id,
      row.fence,
      advance.step,
      advance.version,
      JSON.stringify(advance.state),
      JSON.stringify(history),
      advance.now,
    ],
  });
  if (rows[0] === undefined) return undefined;
  const { step, version, state } = advance;
  return { ...row, step, version, state, history, attempts: 1, intent: null, wakes: rows[0].wakes };
}

/**
 * Lays the flow down until `runAt`, or makes it due at once when it was woken since it was claimed:
 * the step may have decided to sleep before it could see the news. Undefined when the fence has
 * moved.
 */
export async function parkFlow(
  tx: Tx,
  row: FlowRow,
  advance: Advance,
  runAt: Date,
): Promise<{ runAt: Date } | undefined> {
  const { rows } = await tx.query<{ runAt: Date }>({
    name: 'jobs-park',
    text: `update flows set step = $3, version = $4, state = $5, history = $6, attempts = 0, intent = null, last_error = null, updated_at = $7,
             lease_until = null, run_at = case when wakes = $8 then $9::timestamptz else least($7::timestamptz, $9::timestamptz) end
           where id = $1 and fence = $2 and finished_at is null returning run_at as "runAt"`,
    values: [
      row.id,
      row.fence,
      advance.step,
      advance.version,
      JSON.stringify(advance.state),
      JSON.stringify(appendHistory(row, advance.entry)),
      advance.now,
      row.wakes,
      runAt,
    ],
  });
  return rows[0];
}

/** Ends the flow. False when the fence has moved. */
export async function finishFlow(
  tx: Tx,
  row: FlowRow,
  advance: Advance,
  status: FlowStatus,
  error: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'jobs-finish',
    text: `update flows set version = $3, state = $4, history = $5, updated_at = $6, finished_at = $6, status = $7, last_error = $8,
             lease_until = null, intent = case when $7 = 'dead' then intent end
           where id = $1 and fence = $2 and finished_at is null`,
    values: [
      row.id,
      row.fence,
      advance.version,
      JSON.stringify(advance.state),
      JSON.stringify(appendHistory(row, advance.entry)),
      advance.now,
      status,
      error,
    ],
  });
  return rowCount === 1;
}

/** Stores what an effect is about to do. False when the fence has moved. */
export async function storeIntent(
  tx: Tx,
  row: FlowRow,
  intent: Intent<Json>,
  place: Pick<Advance, 'version' | 'state' | 'step' | 'now'>,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'jobs-intent',
    text: `update flows set intent = $3, step = $4, version = $5, state = $6, updated_at = $7
           where id = $1 and fence = $2 and finished_at is null`,
    values: [
      row.id,
      row.fence,
      JSON.stringify(intent),
      place.step,
      place.version,
      JSON.stringify(place.state),
      place.now,
    ],
  });
  return rowCount === 1;
}

/**
 * Lays a failed try down until `runAt`. The step, its attempts and its intent stay. False when the
 * fence has moved.
 */
export async function recordFailure(
  db: Db,
  row: FlowRow,
  entry: HistoryEntry,
  error: string,
  now: Date,
  runAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'jobs-failure',
    text: `update flows set last_error = $3, history = $4, updated_at = $5, run_at = $6, lease_until = null
           where id = $1 and fence = $2 and finished_at is null`,
    values: [row.id, row.fence, error, JSON.stringify(appendHistory(row, entry)), now, runAt],
  });
  return rowCount === 1;
}

/** Prolongs leases. Answers with the ids that are still held. */
export async function renewLeases(
  db: Db,
  held: readonly Pick<FlowRow, 'id' | 'fence'>[],
  leaseMs: number,
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'jobs-renew',
    urgent: true,
    text: `update flows f set lease_until = now() + $3 * interval '1 millisecond'
           from unnest($1::uuid[], $2::bigint[]) as h(id, fence)
           where f.id = h.id and f.fence = h.fence and f.finished_at is null and f.lease_until is not null returning f.id`,
    values: [held.map((row) => row.id), held.map((row) => row.fence), leaseMs],
  });
  return new Set(rows.map((row) => row.id));
}

/** Gives back flows that were claimed and not started. */
export async function releaseFlows(
  db: Db,
  held: readonly Pick<FlowRow, 'id' | 'fence'>[],
): Promise<void> {
  await db.query({
    text: `update flows f set lease_until = null, attempts = greatest(f.attempts - 1, 0)
           from unnest($1::uuid[], $2::bigint[]) as h(id, fence)
           where f.id = h.id and f.fence = h.fence and f.finished_at is null`,
    values: [held.map((row) => row.id), held.map((row) => row.fence)],
  });
}

function appendHistory(row: FlowRow, entry: HistoryEntry): readonly HistoryEntry[] {
  return [...row.history, entry].slice(-historyEntriesMax);
}
