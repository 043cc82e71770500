import type { JsonObject } from '../../../lib/json/json.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { isOwnEndpoint } from '../endpoints/endpoint-store.ts';
import { isOwnEvent } from '../events/event-store.ts';
import type { StoredDeliveryStatus } from '../machine.ts';

/** A delivery on its way into the queue. */
export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly object: string;
  readonly type: string;
}

export interface QueueInput {
  readonly kind: 'event' | 'test' | 'replay';
  readonly replayId?: string;
  readonly now: Date;
}

const rowsPerInsert = 2_000;

/**
 * Queues deliveries in the order given: each behind what its endpoint still has to get of the same
 * object.
 */
export async function queueDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  input: QueueInput,
): Promise<void> {
  for (let from = 0; from < deliveries.length; from += rowsPerInsert) {
    const chunk = deliveries.slice(from, from + rowsPerInsert);
    const endpointIds = chunk.map(({ endpointId }) => endpointId);
    const objects = chunk.map(({ object }) => object);
    await tx.query({
      name: 'webhooks-insert-deliveries',
      text: `insert into webhook_deliveries (id, endpoint_id, event_id, object, type, kind, replay_id, status, created_at)
             select d.id, d.endpoint_id, d.event_id, d.object, d.type, $6, $7, 'pending', $8
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) with ordinality as d(id, endpoint_id, event_id, object, type, nr)
             order by d.nr`,
      values: [
        chunk.map(({ id }) => id),
        endpointIds,
        chunk.map(({ eventId }) => eventId),
        objects,
        chunk.map(({ type }) => type),
        input.kind,
        input.replayId ?? null,
        input.now,
      ],
    });
    // A lane that is there is locked, not changed: whoever ends its head at this moment looks again
    // afterwards.
    await tx.query({
      name: 'webhooks-open-lanes',
      text: `insert into webhook_lanes as l (endpoint_id, object, run_at)
             select distinct d.endpoint_id, d.object, $3::timestamptz from unnest($1::uuid[], $2::text[]) as d(endpoint_id, object) order by 1, 2
             on conflict (endpoint_id, object) do update set fence = l.fence`,
      values: [endpointIds, objects, input.now],
    });
  }
}

/**
 * Queues a delivery that has ended once more, with all its attempts before it. What its lane waits
 * for comes forward with it: whoever asks by hand has just mended the receiver.
 * @returns whether it had ended
 */
export async function requeueDelivery(
  tx: Tx,
  input: {
    readonly id: string;
    readonly endpointId: string;
    readonly object: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'webhooks-requeue-delivery',
    text: `update webhook_deliveries set status = 'pending', kind = 'resend', attempts = 0, finished_at = null
           where id = $1 and status in ('delivered', 'failed')`,
    values: [input.id],
  });
  if (rowCount === 0) return false;
  await tx.query({
    name: 'webhooks-reopen-lane',
    text: `insert into webhook_lanes as l (endpoint_id, object, run_at) values ($1, $2, $3)
           on conflict (endpoint_id, object) do update set run_at = least(l.run_at, excluded.run_at)`,
    values: [input.endpointId, input.object, input.now],
  });
  return true;
}

/** A lane that this process has the lease of. */
export interface ClaimedLane {
  readonly endpointId: string;
  readonly object: string;
  readonly fence: string;
}

export interface ClaimInput {
  readonly now: Date;
  readonly limit: number;
  /** Attempts at once per endpoint … */
  readonly perEndpointMax: number;
  /** … and per endpoint that has been failing. */
  readonly perFailingMax: number;
  /** How many this process has under way, by endpoint. */
  readonly underWay: ReadonlyMap<string, number>;
  readonly leaseMs: number;
}

/**
 * Takes lanes that are due, one of each endpoint before a second of any: a long queue of one
 * endpoint is no wall for others.
 */
export async function claimLanes(db: Db, input: ClaimInput): Promise<ClaimedLane[]> {
  const { rows } = await db.query<ClaimedLane>({
    name: 'webhooks-claim',
    text: `with recursive waiting as (
        (select endpoint_id from webhook_lanes order by endpoint_id limit 1)
        union all
        select (select l.endpoint_id from webhook_lanes l where l.endpoint_id > w.endpoint_id order by l.endpoint_id limit 1)
        from waiting w where w.endpoint_id is not null
      ), picked as (
        select e.id as endpoint_id, due.object
        from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.status = 'enabled' and (e.paused_until is null or e.paused_until <= $1)
        left join unnest($2::uuid[], $3::int[]) as busy(id, n) on busy.id = e.id
        cross join lateral (
          select l.object, l.run_at, row_number() over (order by l.run_at) as turn from webhook_lanes l
          where l.endpoint_id = e.id and l.run_at <= $1 and (l.lease_until is null or l.lease_until < now())
          order by l.run_at limit greatest(case when e.failing_since is null then $4::int else $5::int end - coalesce(busy.n, 0), 0)
        ) due
        order by due.turn, due.run_at limit $6
      ), held as (
        select l.endpoint_id, l.object from webhook_lanes l join picked p on p.endpoint_id = l.endpoint_id and p.object = l.object
        where l.run_at <= $1 and (l.lease_until is null or l.lease_until < now()) for update of l skip locked
      )
      update webhook_lanes l set lease_until = now() + $7 * interval '1 millisecond', fence = nextval('webhook_fences')
      from held h where l.endpoint_id = h.endpoint_id and l.object = h.object
      returning l.endpoint_id as "endpointId", l.object, l.fence`,
    values: [
      input.now,
      [...input.underWay.keys()],
      [...input.underWay.values()],
      input.perEndpointMax,
      input.perFailingMax,
      input.limit,
      input.leaseMs,
    ],
  });
  return rows;
}

/** What is to be sent for a lane. */
export interface LaneHead extends ClaimedLane {
  readonly projectId: string;
  readonly url: string;
  readonly secretVersion: number;
  /** Null: nothing is pending in this lane any more. */
  readonly deliveryId: string | null;
  readonly eventId: string | null;
  readonly position: string | null;
  readonly attempts: number;
  /** Null: the event is past its retention. */
  readonly body: string | null;
  /** Somebody else than this service has written the endpoint, the event, or who is told of it. */
  readonly isForeign?: true;
}

interface HeadRow extends Omit<LaneHead, 'isForeign'> {
  readonly eventTypes: readonly string[] | null;
  readonly endpointMac: string | null;
  readonly type: string;
  readonly eventObject: string;
  readonly eventMac: string | null;
}

function isForeign(db: Db, row: HeadRow): boolean {
  if (row.eventId === null || row.body === null) return false;
  // Of the endpoint's project, or it does not fit.
  const event = {
    id: row.eventId,
    projectId: row.projectId,
    type: row.type,
    object: row.eventObject,
    payload: row.body,
  };
  return (
    !isOwnEndpoint(db, { ...row, id: row.endpointId }, row.endpointMac) ||
    !isOwnEvent(db, event, row.eventMac)
  );
}

/**
 * The oldest pending delivery of each lane, by a statement of its own: the claim's may have seen
 * the one before.
 */
export async function selectHeads(db: Db, lanes: readonly ClaimedLane[]): Promise<LaneHead[]> {
  const { rows } = await db.query<HeadRow>({
    name: 'webhooks-heads',
    text: `select c.endpoint_id as "endpointId", c.object, c.fence::text, e.project_id as "projectId", e.url, e.secret_version as "secretVersion",
             d.id as "deliveryId", d.event_id as "eventId", v.position, coalesce(d.attempts, 0) as attempts, v.payload::text as body,
             e.event_types as "eventTypes", e.mac as "endpointMac", v.type, v.object as "eventObject", v.mac as "eventMac"
           from unnest($1::uuid[], $2::text[], $3::bigint[]) as c(endpoint_id, object, fence)
           join webhook_endpoints e on e.id = c.endpoint_id
           left join lateral (
             select id, event_id, attempts from webhook_deliveries d
             where d.endpoint_id = c.endpoint_id and d.object = c.object and d.status = 'pending' order by d.nr limit 1
           ) d on true
           left join events v on v.id = d.event_id`,
    values: laneColumns(lanes),
  });
  return rows.map((row) => (isForeign(db, row) ? { ...row, isForeign: true } : row));
}

/** How an attempt left a lane. */
export interface LaneOutcome extends ClaimedLane {
  /** Null: nothing was pending. */
  readonly deliveryId: string | null;
  readonly to: StoredDeliveryStatus;
  /** When the head is tried again; absent: the next one is due at once. */
  readonly runAt?: Date;
  /** Added to the delivery's log. */
  readonly attempt?: JsonObject;
}

/**
 * Locks the lanes whose outcome still counts, in one order for everybody.
 * @returns the outcomes that count
 */
export async function lockLanes<Outcome extends ClaimedLane>(
  tx: Tx,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const { rows } = await tx.query<{ endpointId: string; object: string }>({
    name: 'webhooks-lock-lanes',
    text: `select l.endpoint_id as "endpointId", l.object from webhook_lanes l
           join unnest($1::uuid[], $2::text[], $3::bigint[]) as o(endpoint_id, object, fence)
             on o.endpoint_id = l.endpoint_id and o.object = l.object and o.fence = l.fence
           order by l.endpoint_id, l.object for update of l`,
    values: laneColumns(outcomes),
  });
  const held = new Set(rows.map((row) => `${row.endpointId} ${row.object}`));
  return outcomes.filter((outcome) => held.has(`${outcome.endpointId} ${outcome.object}`));
}

/** Stores what became of the heads of locked lanes. */
export async function storeOutcomes(
  tx: Tx,
  outcomes: readonly LaneOutcome[],
  now: Date,
): Promise<void> {
  const tried = outcomes.filter(({ deliveryId }) => deliveryId !== null);
  if (tried.length === 0) return;
  await tx.query({
    name: 'webhooks-store-outcomes',
    text: `update webhook_deliveries d set status = o.status, attempts = d.attempts + case when o.attempt is null then 0 else 1 end,
             attempt_log = case when o.attempt is null then d.attempt_log else d.attempt_log || o.attempt end,
             finished_at = case when o.status <> 'pending' then $4::timestamptz end
           from unnest($1::uuid[], $2::text[], $3::jsonb[]) as o(id, status, attempt) where d.id = o.id and d.status = 'pending'`,
    values: [
      tried.map(({ deliveryId }) => deliveryId),
      tried.map(({ to }) => to),
      tried.map(({ attempt }) => (attempt === undefined ? null : JSON.stringify(attempt))),
      now,
    ],
  });
}

/**
 * Gives locked lanes back: with their next time, or closed where nothing is pending any more. A
 * lane whose head is another one now, an older delivery that was sent again by hand, does not wait
 * for the next attempt of the one that was tried.
 * @returns how many go on at once with a next delivery
 */
export async function releaseLanes(
  tx: Tx,
  outcomes: readonly LaneOutcome[],
  now: Date,
): Promise<number> {
  const ended = outcomes.filter(({ runAt }) => runAt === undefined);
  const closed = await tx.query({
    name: 'webhooks-close-lanes',
    text: `delete from webhook_lanes l using unnest($1::uuid[], $2::text[], $3::bigint[]) as o(endpoint_id, object, fence)
           where l.endpoint_id = o.endpoint_id and l.object = o.object and l.fence = o.fence
             and not exists (select 1 from webhook_deliveries d where d.endpoint_id = l.endpoint_id and d.object = l.object and d.status = 'pending')`,
    values: laneColumns(ended),
  });
  if (closed.rowCount < outcomes.length) {
    await tx.query({
      name: 'webhooks-release-lanes',
      text: `update webhook_lanes l set lease_until = null, run_at = case when o.run_at <= $6::timestamptz or o.id = (
               select d.id from webhook_deliveries d
               where d.endpoint_id = l.endpoint_id and d.object = l.object and d.status = 'pending' order by d.nr limit 1
             ) then o.run_at else $6::timestamptz end
             from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::uuid[]) as o(endpoint_id, object, fence, run_at, id)
             where l.endpoint_id = o.endpoint_id and l.object = o.object and l.fence = o.fence`,
      values: [
        ...laneColumns(outcomes),
        outcomes.map(({ runAt }) => runAt ?? now),
        outcomes.map(({ deliveryId }) => deliveryId),
        now,
      ],
    });
  }
  return ended.length - closed.rowCount;
}

/** Gives claimed lanes back as they were: nothing was tried. */
export async function unclaimLanes(db: Db, lanes: readonly ClaimedLane[]): Promise<void> {
  await db.query({
    name: 'webhooks-unclaim',
    text: `update webhook_lanes l set lease_until = null from unnest($1::uuid[], $2::text[], $3::bigint[]) as o(endpoint_id, object, fence)
           where l.endpoint_id = o.endpoint_id and l.object = o.object and l.fence = o.fence`,
    values: laneColumns(lanes),
  });
}

/**
 * Remembers since when endpoints fail; `succeeded` wins over `failed`. Endpoints whose health did
 * not change are not written.
 */
export async function noteHealth(
  tx: Tx,
  input: {
    readonly succeeded: readonly string[];
    readonly failed: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  const { succeeded, now } = input;
  const failed = input.failed.filter((id) => !succeeded.includes(id));
  if (succeeded.length > 0)
    await tx.query({
      name: 'webhooks-healthy',
      text: 'update webhook_endpoints set failing_since = null where id = any($1::uuid[]) and failing_since is not null',
      values: [succeeded],
    });
  if (failed.length > 0)
    await tx.query({
      name: 'webhooks-failing',
      text: 'update webhook_endpoints set failing_since = $2 where id = any($1::uuid[]) and failing_since is null',
      values: [failed, now],
    });
}

/** Sends nothing to endpoints until the times that they asked for. */
export async function pauseEndpoints(tx: Tx, pauses: ReadonlyMap<string, Date>): Promise<void> {
  if (pauses.size === 0) return;
  await tx.query({
    name: 'webhooks-pause',
    text: `update webhook_endpoints e set paused_until = greatest(e.paused_until, p.until)
           from unnest($1::uuid[], $2::timestamptz[]) as p(id, until) where e.id = p.id`,
    values: [[...pauses.keys()], [...pauses.values()]],
  });
}

function laneColumns(lanes: readonly ClaimedLane[]): [string[], string[], string[]] {
  return [
    lanes.map(({ endpointId }) => endpointId),
    lanes.map(({ object }) => object),
    lanes.map(({ fence }) => fence),
  ];
}
