import type { Tx } from '../store/types.ts';

/** A project's events of months are looked through: rare, and worth the wait. */
const timeoutMs = 5 * 60_000;

/**
 * Empties the events of an object, for the erasure of a person: whoever has not read them yet finds `{}` in them, and so does
 * whoever reads again.
 */
export async function blankEvents(tx: Tx, input: { readonly projectId: string; readonly object: string }): Promise<void> {
  const values = [input.projectId, input.object];
  await tx.query({ text: `update outbox set data = '{}' where project_id = $1 and object = $2 and data <> '{}'`, values, timeoutMs });
  await tx.query({
    text: `update outbox_parked set event = jsonb_set(event, '{data}', '{}') where event->>'projectId' = $1 and event->>'object' = $2`,
    values,
    timeoutMs,
  });
}
