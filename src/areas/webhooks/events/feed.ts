import type { Ctx } from '../../../context.ts';
import {
  createOutboxReader,
  deliveriesChannel,
  isOwnEvent,
  type OutboxReader,
  publicEventsChannel,
  ring,
  type StoredEvent,
} from '../../../jobs/index.ts';
import type { Tx } from '../../../store/types.ts';
import { type NewDelivery, queueDeliveries } from '../deliveries/queue-store.ts';
import { selectReceivers } from '../endpoints/endpoint-store.ts';
import { count } from '../metrics.ts';
import { holdOutboxData, insertEvents, type PublicEvent } from './event-store.ts';
import { formatPayload, isPublicType } from './event-types.ts';

/** Name of the reader that fills `events`, and of its row. */
const readerName = 'webhooks';

export type FeedCtx = Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>;

const eventsPerTurnMax = 500;

/**
 * Copies what projects may see out of the outbox, and queues it for their endpoints, once each and
 * in order.
 */
export function createEventFeed(
  ctx: FeedCtx,
  options: { readonly pollMs?: number } = {},
): OutboxReader {
  return createOutboxReader(ctx, {
    ...options,
    name: readerName,
    batchSizeMax: eventsPerTurnMax,
    handle: (tx, events) => publishEvents(ctx, tx, events),
  });
}

/**
 * Waits until what is being read at this moment is there to be seen: whoever was disabled when that
 * reading began, and is enabled now, gets it from nobody else. New readings wait for the caller's
 * transaction.
 */
export async function awaitReading(tx: Tx): Promise<void> {
  await tx.query({
    name: 'webhooks-await-reading',
    text: 'select 1 from outbox_readers where name = $1 for share',
    values: [readerName],
  });
}

async function publishEvents(ctx: FeedCtx, tx: Tx, stored: readonly StoredEvent[]): Promise<void> {
  const candidates = stored.filter(({ type }) => isPublicType(type));
  if (candidates.length === 0) return;
  const data = await holdOutboxData(
    tx,
    candidates.map(({ id }) => id),
  );
  const events = candidates
    // One that was parked may have left the outbox meanwhile: then it says what it said.
    .map((event) => ({ ...event, ...data.get(event.id) }))
    // What somebody else has written there is told to nobody.
    .filter((event) => isOwnEvent(tx, event))
    .map(
      ({ id, position, projectId, type, object, at, data }): PublicEvent => ({
        id,
        position,
        projectId,
        type,
        object,
        createdAt: at,
        payload: formatPayload({ id, type, object, data }),
      }),
    );
  if (events.length === 0) return;
  const isNew = await insertEvents(tx, events);
  const deliveries = await planDeliveries(
    ctx,
    tx,
    events.filter(({ id }) => isNew.has(id)),
  );
  await queueDeliveries(tx, deliveries, { kind: 'event', now: ctx.clock.now() });
  tx.afterCommit(() => {
    count('eventsPublished', isNew.size);
    count('deliveriesQueued', deliveries.length);
    ring(ctx.store, publicEventsChannel);
    if (deliveries.length > 0) ring(ctx.store, deliveriesChannel);
  });
}

/**
 * One delivery per event and endpoint of its project that takes its type. One that is disabled
 * still gets what happened before: whoever enables it again finds that pending, and replays what
 * happened since.
 */
async function planDeliveries(
  ctx: FeedCtx,
  tx: Tx,
  events: readonly PublicEvent[],
): Promise<NewDelivery[]> {
  const receivers = await selectReceivers(tx, [
    ...new Set(events.map(({ projectId }) => projectId)),
  ]);
  const byProject = new Map<string, typeof receivers>();
  for (const receiver of receivers)
    byProject.set(receiver.projectId, [...(byProject.get(receiver.projectId) ?? []), receiver]);
  return events.flatMap(({ id: eventId, projectId, object, type, createdAt }) =>
    (byProject.get(projectId) ?? [])
      .filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(type))
      .filter(({ disabledAt }) => disabledAt === null || createdAt < disabledAt)
      .map((endpoint) => ({ id: ctx.ids.uuid(), endpointId: endpoint.id, eventId, object, type })),
  );
}
