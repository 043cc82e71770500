import type { CardEvent } from '../../providers/card/card.ts';
import type { Db } from '../../store/types.ts';

/** Remembers events; one that came before is counted. */
export async function countEvents(
  db: Db,
  input: { readonly provider: string; readonly events: readonly CardEvent[]; readonly now: Date },
): Promise<void> {
  const { provider, events, now } = input;
  // Several events of one id would touch a row twice in one statement.
  const byId = [...new Map(events.map((event) => [event.eventId, event])).values()];
  await db.query({
    name: 'card-count-events',
    text: `insert into card_callback_events as e (provider, event_id, type, reference, first_seen_at)
      select $1, event.id, event.type, event.reference, $5 from unnest($2::text[], $3::text[], $4::text[]) as event (id, type, reference)
      on conflict (provider, event_id) do update set times = e.times + 1`,
    values: [
      provider,
      byId.map((event) => event.eventId),
      byId.map((event) => event.type),
      byId.map((event) => event.reference),
      now,
    ],
  });
}

export async function deleteOldEvents(
  db: Db,
  input: { readonly before: Date; readonly limit: number },
): Promise<void> {
  await db.query({
    text: `delete from card_callback_events where (provider, event_id) in
      (select provider, event_id from card_callback_events where first_seen_at < $1 order by first_seen_at limit $2)`,
    values: [input.before, input.limit],
  });
}
