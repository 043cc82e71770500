import { sealAgain } from '../../store/row-mac.ts';
import type { Tx } from '../../store/types.ts';
import { type StoredEvent, sealedEvent } from './outbox.ts';

/** A project's events of months are looked through: rare, and worth the wait. */
const timeoutMs = 5 * 60_000;

/**
 * Empties the events of an object, for the erasure of a person: whoever has not read them yet finds
 * `{}` in them, and so does whoever reads again.
 */
export async function blankEvents(
  tx: Tx,
  input: { readonly projectId: string; readonly object: string },
): Promise<void> {
  const { projectId, object } = input;
  const { rows } = await tx.query<Pick<StoredEvent, 'id' | 'type' | 'data' | 'mac'>>({
    text: `select id, type, data, mac from outbox where project_id = $1 and object = $2 and data <> '{}' for update`,
    values: [projectId, object],
    timeoutMs,
  });
  const blanked = rows.map((row) => ({
    id: row.id,
    mac: sealBlanked(tx, { ...row, projectId, object }),
  }));
  await tx.query({
    text: `update outbox o set data = '{}', mac = b.mac from unnest($1::uuid[], $2::text[]) as b(id, mac) where o.id = b.id`,
    values: [blanked.map(({ id }) => id), blanked.map(({ mac }) => mac)],
    timeoutMs,
  });
  const parked = await tx.query<{ event: StoredEvent; mac: string | null }>({
    text: `select event, mac from outbox_parked where event->>'projectId' = $1 and event->>'object' = $2 for update`,
    values: [projectId, object],
    timeoutMs,
  });
  for (const { event, mac } of parked.rows)
    await tx.query({
      text: `update outbox_parked set event = event || '{"data": {}}', mac = $2 where event_id = $1`,
      values: [event.id, sealBlanked(tx, { ...event, mac })],
    });
}

/** One that this service did not write gets no seal here either. */
function sealBlanked(tx: Tx, event: Omit<StoredEvent, 'position' | 'at'>): string | null {
  return tx.rowMacs?.seals
    ? sealAgain(
        tx.rowMacs,
        { row: sealedEvent(event), mac: event.mac },
        sealedEvent({ ...event, data: {} }),
      )
    : null;
}
