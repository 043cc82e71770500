import { storableText } from '../../lib/json/storable-text.ts';
import type { Store } from '../../store/types.ts';
import type { JobsCtx } from '../flows/flow.ts';
import type { StoredEvent } from './outbox.ts';
import type { OutboxReaderOptions } from './outbox-reader.ts';

/** Events that a reader gave up on: they wait until an operator has them handled again. */

const listedMax = 200;
const askedPerTurn = 20;

export interface ParkedEvent {
  readonly reader: string;
  readonly eventId: string;
  readonly type: string;
  readonly object: string;
  readonly lastError: string;
  readonly parkedAt: Date;
  /** Asked for, and not handled yet. */
  readonly isAsked: boolean;
}

/** The oldest first, 200 at most. */
export async function listParkedEvents(store: Pick<Store, 'query'>): Promise<ParkedEvent[]> {
  const { rows } = await store.query<ParkedEvent>({
    text: `select reader, event_id as "eventId", event->>'type' as type, event->>'object' as object, last_error as "lastError",
             parked_at as "parkedAt", retry_asked_at is not null as "isAsked"
           from outbox_parked order by parked_at, event_id limit ${listedMax}`,
  });
  return rows;
}

/**
 * Has its readers handle a parked event again, within seconds.
 * @returns how many readers have it parked
 */
export async function askForParkedEvent(
  store: Pick<Store, 'query'>,
  eventId: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await store.query({
    text: 'update outbox_parked set retry_asked_at = $2 where event_id = $1',
    values: [eventId, now],
  });
  return rowCount ?? 0;
}

/**
 * Handles what was asked for; what fails again stays parked, with the new reason.
 * @returns how many were handled
 */
export async function retryAskedEvents(
  ctx: Pick<JobsCtx, 'store' | 'log'>,
  reader: Pick<OutboxReaderOptions, 'name' | 'handle'>,
): Promise<number> {
  const { rows } = await ctx.store.query<{ id: string }>({
    name: 'outbox-parked-asked',
    text: `select event_id as id from outbox_parked where reader = $1 and retry_asked_at is not null
           order by retry_asked_at, event_id limit ${askedPerTurn}`,
    values: [reader.name],
  });
  let handled = 0;
  for (const { id } of rows)
    try {
      if (await retryParkedEvent(ctx, reader, id)) handled += 1;
    } catch (error) {
      ctx.log.warn(
        { err: error, reader: reader.name, event: id },
        'a parked event could not be handled again',
      );
      const reason = storableText(error instanceof Error ? error.message : String(error), 2_000);
      await ctx.store.query({
        text: 'update outbox_parked set retry_asked_at = null, last_error = $3 where reader = $1 and event_id = $2',
        values: [reader.name, id, reason],
      });
    }
  return handled;
}

/**
 * Gives a parked event to its reader again, by hand, in the transaction that takes it off the list.
 * @throws what the handler throws; the event then stays parked.
 */
export async function retryParkedEvent(
  ctx: Pick<JobsCtx, 'store'>,
  reader: Pick<OutboxReaderOptions, 'name' | 'handle'>,
  eventId: string,
): Promise<boolean> {
  return ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<{
      event: Omit<StoredEvent, 'position' | 'at' | 'mac'> & { position: string; at: string };
      mac: string | null;
    }>({
      text: 'delete from outbox_parked where reader = $1 and event_id = $2 returning event, mac',
      values: [reader.name, eventId],
    });
    const [row] = rows;
    if (!row) return false;
    const { event: stored, mac } = row;
    await reader.handle(tx, [
      { ...stored, mac, position: BigInt(stored.position), at: new Date(stored.at) },
    ]);
    return true;
  });
}
