import type { StoredEvent } from '../../../jobs/index.ts';
import { countByHour, type HoursInput } from '../../../store/count-by-hour.ts';
import {
  isFitting,
  rowMacsOf,
  type SealedRow,
  type SealedTable,
  sealAgain,
} from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { formatPayload } from './event-types.ts';

export interface PublicEvent {
  readonly id: string;
  /** Null: a test event. */
  readonly position: bigint | null;
  readonly projectId: string;
  readonly type: string;
  readonly object: string;
  /** What is sent, as text. */
  readonly payload: string;
  readonly createdAt: Date;
}

interface EventRow extends Omit<PublicEvent, 'position'> {
  readonly position: string | null;
  readonly mac: string | null;
}

const columns = `id, position, project_id as "projectId", type, object, payload::text as payload, created_at as "createdAt", mac`;
const toEvent = ({ mac: _, ...row }: EventRow): PublicEvent => ({
  ...row,
  position: row.position === null ? null : BigInt(row.position),
});

type ToldEvent = Pick<PublicEvent, 'id' | 'projectId' | 'type' | 'object' | 'payload'>;

/** What is told, and to whom. */
function sealedEvent({ id, projectId, type, object, payload }: ToldEvent): SealedRow {
  return { table: 'events', id, fields: { projectId, type, object, payload } };
}

export const sealedEvents: SealedTable = {
  table: 'events',
  columns,
  toSealed: (row: ToldEvent) => sealedEvent(row),
};

/** Whether this service has made the event; raises an alarm when it has not. */
export function isOwnEvent(db: Db, event: ToldEvent, mac: string | null): boolean {
  return isFitting(rowMacsOf(db), sealedEvent(event), mac);
}

/**
 * What events say now, held until this transaction ends: whoever erases a person meanwhile waits,
 * and then finds the copy that is being made.
 */
export async function holdOutboxData(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, Pick<StoredEvent, 'data' | 'mac'>>> {
  const { rows } = await tx.query<Pick<StoredEvent, 'id' | 'data' | 'mac'>>({
    name: 'webhooks-hold-outbox',
    text: 'select id, data, mac from outbox where id = any($1::uuid[]) order by position for share',
    values: [ids],
  });
  return new Map(rows.map(({ id, data, mac }) => [id, { data, mac }]));
}

/** @returns the ids that were new */
export async function insertEvents(
  tx: Tx,
  events: readonly PublicEvent[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'webhooks-insert-events',
    text: `insert into events (id, position, project_id, type, object, payload, created_at, mac)
           select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::json[], $7::timestamptz[], $8::text[])
           on conflict do nothing returning id`,
    values: [
      events.map(({ id }) => id),
      events.map(({ position }) => position?.toString() ?? null),
      events.map(({ projectId }) => projectId),
      events.map(({ type }) => type),
      events.map(({ object }) => object),
      events.map(({ payload }) => payload),
      events.map(({ createdAt }) => createdAt),
      events.map((event) => rowMacsOf(tx).seal(sealedEvent(event))),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

export interface EventPageInput {
  readonly projectId: string;
  readonly afterPosition: bigint;
  readonly limit: number;
  readonly types?: readonly string[];
}

/**
 * A project's events behind a position, in order. A position is only ever visible after all smaller
 * ones. Those that this service did not make are left out, with an alarm.
 * @returns also the last position that was looked at; absent when there was none
 */
export async function selectEventPage(
  db: Db,
  input: EventPageInput,
): Promise<{
  readonly events: readonly PublicEvent[];
  readonly last?: bigint;
  readonly isFull: boolean;
}> {
  const { rows } = await db.query<EventRow>({
    name: 'webhooks-event-page',
    text: `select ${columns} from events where project_id = $1 and position > $2 and ($3::text[] is null or type = any($3))
           order by position limit $4`,
    values: [input.projectId, input.afterPosition.toString(), input.types ?? null, input.limit],
  });
  const last = rows.at(-1)?.position ?? undefined;
  return {
    events: rows.filter((row) => isOwnEvent(db, row, row.mac)).map(toEvent),
    ...(last !== undefined && { last: BigInt(last) }),
    isFull: rows.length === input.limit,
  };
}

/**
 * The newest events of projects before a position, for their operator. One that this service did
 * not make is marked.
 */
export async function selectNewestEvents(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly object?: string | undefined;
    readonly type?: string | undefined;
    readonly beforePosition?: bigint | undefined;
    readonly limit: number;
  },
): Promise<(PublicEvent & { readonly isChanged: boolean })[]> {
  const { projectIds, object, type, beforePosition, limit } = input;
  // One statement for each: for a project that it does not know the planner would walk the
  // positions of all of them.
  const found = await Promise.all(
    projectIds.map((projectId) =>
      db.query<EventRow>({
        text: `select ${columns} from events where project_id = $1 and position < $2 and ($3::text is null or object = $3) and ($5::text is null or type = $5)
               order by position desc limit $4`,
        values: [
          projectId,
          (beforePosition ?? 2n ** 62n).toString(),
          object ?? null,
          limit,
          type ?? null,
        ],
      }),
    ),
  );
  const rows = found
    .flatMap((one) => one.rows)
    .sort((a, b) => (BigInt(a.position!) < BigInt(b.position!) ? 1 : -1))
    .slice(0, limit);
  return rows.map((row) => ({
    ...toEvent(row),
    isChanged: !rowMacsOf(db).fits(sealedEvent(row), row.mac),
  }));
}

/** The position of an event of the project. */
export async function selectPosition(
  db: Db,
  key: { readonly projectId: string; readonly id: string },
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ position: string | null }>({
    name: 'webhooks-event-position',
    text: 'select position from events where id = $1 and project_id = $2',
    values: [key.id, key.projectId],
  });
  const position = rows[0]?.position;
  return position === undefined || position === null ? undefined : BigInt(position);
}

/** The highest position of a project; 0 when it has no event. */
export async function selectLastPosition(db: Db, projectId: string): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>({
    name: 'webhooks-last-position',
    text: 'select coalesce(max(position), 0) as position from events where project_id = $1',
    values: [projectId],
  });
  return BigInt(rows[0]!.position);
}

/** The highest position of any of these projects; 0 when none has an event. */
export async function selectNewestPosition(db: Db, projectIds: readonly string[]): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>({
    name: 'webhooks-newest-position',
    text: `select coalesce(max(e.position), 0) as position from unnest($1::text[]) p (id)
      cross join lateral (select max(position) as position from events where project_id = p.id) e`,
    values: [projectIds],
  });
  return BigInt(rows[0]!.position);
}

/** As {@link countByHour}. */
export const countEventsByHour = (db: Db, input: HoursInput): Promise<number[]> =>
  countByHour(db, input, { table: 'events', projectIdType: 'text' });

/** Which positions the events of a time range have. Undefined: there is none. */
export async function selectRange(
  db: Db,
  input: { readonly projectId: string; readonly from: Date; readonly to: Date },
): Promise<{ readonly first: bigint; readonly last: bigint } | undefined> {
  const { rows } = await db.query<{ first: string | null; last: string | null }>({
    name: 'webhooks-range',
    text: `select min(position) as first, max(position) as last from events
           where project_id = $1 and created_at between $2 and $3 and position is not null`,
    values: [input.projectId, input.from, input.to],
  });
  const { first, last } = rows[0]!;
  return first === null || last === null ? undefined : { first: BigInt(first), last: BigInt(last) };
}

/** Events of a time range from a position on, in order. */
export async function selectRangePage(
  db: Db,
  input: {
    readonly projectId: string;
    readonly from: Date;
    readonly to: Date;
    readonly firstPosition: bigint;
    readonly lastPosition: bigint;
    readonly types: readonly string[] | null;
    readonly limit: number;
  },
): Promise<
  {
    readonly id: string;
    readonly object: string;
    readonly type: string;
    readonly position: bigint;
  }[]
> {
  const { rows } = await db.query<{ id: string; object: string; type: string; position: string }>({
    name: 'webhooks-range-page',
    text: `select id, object, type, position from events
           where project_id = $1 and position between $2 and $3 and created_at between $4 and $5 and ($6::text[] is null or type = any($6))
           order by position limit $7`,
    values: [
      input.projectId,
      input.firstPosition.toString(),
      input.lastPosition.toString(),
      input.from,
      input.to,
      input.types,
      input.limit,
    ],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

const blankTimeoutMs = 5 * 60_000;

/** Empties events of an object and forgets what receivers answered to them. */
export async function blankStoredEvents(
  tx: Tx,
  input: { readonly projectId: string; readonly object: string },
): Promise<void> {
  const values = [input.projectId, input.object];
  await tx.query({
    text: `update webhook_deliveries d set attempt_log =
             (select coalesce(jsonb_agg(a.value - 'answer' order by a.nr), '[]') from jsonb_array_elements(d.attempt_log) with ordinality as a(value, nr))
           from events e where e.project_id = $1 and e.object = $2 and d.event_id = e.id and d.attempt_log <> '[]'`,
    values,
    timeoutMs: blankTimeoutMs,
  });
  const { rows } = await tx.query<ToldEvent & { readonly mac: string | null }>({
    text: `select id, project_id as "projectId", type, object, payload::text as payload, mac from events
           where project_id = $1 and object = $2 for update`,
    values,
    timeoutMs: blankTimeoutMs,
  });
  const blanked = rows.map((row) => {
    const event = { ...row, payload: formatPayload({ ...row, data: {} }) };
    return {
      ...event,
      mac: sealAgain(rowMacsOf(tx), { row: sealedEvent(row), mac: row.mac }, sealedEvent(event)),
    };
  });
  await tx.query({
    text: `update events e set payload = b.payload, mac = b.mac from unnest($1::uuid[], $2::json[], $3::text[]) as b(id, payload, mac)
           where e.id = b.id`,
    values: [
      blanked.map(({ id }) => id),
      blanked.map(({ payload }) => payload),
      blanked.map(({ mac }) => mac),
    ],
    timeoutMs: blankTimeoutMs,
  });
}
