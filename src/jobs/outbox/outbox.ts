import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Ids, systemIds } from '../../lib/id.ts';
import type { Json } from '../../lib/json/json.ts';
import { isFitting, rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { ownerOf } from '../../store/tx.ts';
import type { Db, Tx } from '../../store/types.ts';
import { count } from '../metrics.ts';
import { eventsChannel, ring } from '../notify.ts';
import type { DomainEvent } from '../types.ts';

/** An event as readers see it. */
export interface StoredEvent extends DomainEvent {
  /** Stays the same for ever: what a receiver recognises a repetition by. */
  readonly id: string;
  /** Rises by one with each event, in an order that keeps each object's own. */
  readonly position: bigint;
  readonly at: Date;
  /** Null where rows carry no seals. */
  readonly mac: string | null;
}

type WrittenEvent = Pick<StoredEvent, 'id' | 'projectId' | 'type' | 'object' | 'data'>;

/** What happened: projects are told of it, and believe it. */
export function sealedEvent({ id, projectId, type, object, data }: WrittenEvent): SealedRow {
  return { table: 'outbox', id, fields: { projectId, type, object, data } };
}

export const sealedOutbox: SealedTable = {
  table: 'outbox',
  columns: 'id, project_id as "projectId", type, object, data, mac',
  toSealed: (row: WrittenEvent) => sealedEvent(row),
};

/** Events that a reader gave up on: the same seal, over what was parked. */
export const sealedParked: SealedTable = {
  table: 'outbox_parked',
  idColumn: 'event_id',
  columns: 'event, mac',
  toSealed: ({ event }: { readonly event: WrittenEvent }) => sealedEvent(event),
};

/** The seal of an event; null in a database whose rows carry none. */
function sealEvent(db: Db, event: WrittenEvent): string | null {
  return db.rowMacs?.seals ? db.rowMacs.seal(sealedEvent(event)) : null;
}

/** Whether this service has written the event; raises an alarm when it has not. */
export function isOwnEvent(db: Db, event: Omit<StoredEvent, 'position' | 'at'>): boolean {
  return isFitting(rowMacsOf(db), sealedEvent(event), event.mac);
}

const eventsPerPlacingMax = 1_000;
const eventsPerReadMax = 1_000;

/**
 * Appends events to the outbox, in one statement of the caller's transaction, in the order given.
 * @param source where ids and times come from; the system's own when absent.
 */
export async function appendEvents(
  tx: Tx,
  events: readonly DomainEvent[],
  source: { readonly ids?: Ids; readonly clock?: Clock } = {},
): Promise<void> {
  if (events.length === 0) return;
  const { ids = systemIds, clock = systemClock } = source;
  const written = events.map((event) => {
    const text = JSON.stringify(event.data);
    const id = ids.uuid();
    // As it will be read.
    return { id, text, mac: sealEvent(tx, { ...event, id, data: JSON.parse(text) as Json }) };
  });
  await tx.query({
    name: 'outbox-append',
    text: `insert into outbox (id, project_id, type, object, data, created_at, mac)
           select e.id, e.project_id, e.type, e.object, e.data, $7, e.mac
           from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::text[])
             with ordinality as e(id, project_id, type, object, data, mac, nr)
           order by e.nr`,
    values: [
      written.map(({ id }) => id),
      events.map((event) => event.projectId),
      events.map((event) => event.type),
      events.map((event) => event.object),
      written.map(({ text }) => text),
      written.map(({ mac }) => mac),
      clock.now(),
    ],
  });
  const store = ownerOf(tx);
  tx.afterCommit(() => {
    count('eventsAppended', events.length);
    if (store) ring(store, eventsChannel);
  });
}

/**
 * Gives committed events their positions. One row lock makes the placing a queue, so a position is
 * only ever given after all smaller ones are durable: a reader that has seen position n has nothing
 * left to see below it, however late a transaction commits.
 * @returns how many were placed.
 */
export async function placeEvents(tx: Tx): Promise<number> {
  const sequence = await tx.query<{ position: string }>({
    name: 'outbox-lock',
    text: 'select position from outbox_sequence where id = 1 for update',
  });
  const row = sequence.rows[0];
  if (row === undefined)
    throw new Error(
      'The row of outbox_sequence is missing: restore it with the highest position of outbox.',
    );
  const placed = await tx.query({
    name: 'outbox-place',
    text: `update outbox o set position = $1::bigint + n.nr
           from (select id, row_number() over (order by written) as nr from
                   (select id, written from outbox where position is null order by written limit $2) u) n
           where o.id = n.id`,
    values: [row.position, eventsPerPlacingMax],
  });
  if (placed.rowCount === 0) return 0;
  await tx.query({
    name: 'outbox-placed',
    text: 'update outbox_sequence set position = $1 where id = 1',
    values: [(BigInt(row.position) + BigInt(placed.rowCount)).toString()],
  });
  return placed.rowCount;
}

/** The highest position that was given so far; 0 when there is none. */
export async function readLastPosition(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>({
    name: 'outbox-last-position',
    text: 'select position from outbox_sequence where id = 1',
  });
  return BigInt(rows[0]?.position ?? 0);
}

/** True when committed events wait for their position. */
export async function hasUnplacedEvents(db: Db): Promise<boolean> {
  const { rows } = await db.query({
    name: 'outbox-unplaced',
    text: 'select 1 from outbox where position is null limit 1',
  });
  return rows.length > 0;
}

/**
 * The next events after a position, in order; at most `limit`, itself at most 1,000. Only placed
 * events are seen.
 */
export async function readEvents(
  db: Db,
  input: { readonly afterPosition: bigint; readonly limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await db.query<Omit<StoredEvent, 'position'> & { position: string; data: Json }>(
    {
      name: 'outbox-read',
      text: `select id, position, project_id as "projectId", type, object, data, created_at as at, mac from outbox
           where position > $1 order by position limit $2`,
      values: [input.afterPosition.toString(), Math.min(input.limit, eventsPerReadMax)],
    },
  );
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}
