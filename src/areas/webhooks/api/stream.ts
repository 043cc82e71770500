import type { Ctx } from '../../../context.ts';
import { publicEventsChannel, subscribe } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { createWaiter } from '../../../lib/waiting/waiter.ts';
import { selectEventPage } from '../events/event-store.ts';
import { readTypes, resolvePlace } from '../events/events.ts';
import type { EventsQuery } from './schema.ts';
import { eventView } from './view.ts';

/** Open streams of one project in one process. */
export const streamsPerProjectMax = 20;
/** Open streams of one process. */
const streamsMax = 1_000;
const heartbeatMs = 15_000;
/** A stream ends by itself, and its reader comes back with a key that is checked anew. */
const streamLifeMs = 60 * 60_000;
const pollMs = 2_000;
const eventsPerLook = 50;
const reconnectMs = 2_000;

type StreamCtx = Pick<Ctx, 'store'>;

const open = new Map<string, number>();

/** Streams of this process. */
export function countStreams(): number {
  return [...open.values()].reduce((sum, n) => sum + n, 0);
}

export interface StreamInput {
  readonly projectId: string;
  readonly query: Pick<EventsQuery, 'after' | 'types'>;
  /** Wins over `after`: where a reader that was cut off goes on. */
  readonly lastEventId?: string;
}

/**
 * A project's events as server-sent events, from a place on, as they come. Chunks are made as they
 * are taken: a reader that is slow holds one page of events.
 * @throws rate-limited when too many are open, event-not-found, validation-error
 */
export async function openStream(
  ctx: StreamCtx,
  input: StreamInput,
): Promise<(signal: AbortSignal) => AsyncIterable<string>> {
  const { projectId, query, lastEventId } = input;
  const types = readTypes(query.types);
  const asked =
    lastEventId === undefined
      ? { after: query.after }
      : { after: lastEventId, field: 'Last-Event-ID' };
  const place = await resolvePlace(ctx, { projectId, ...asked });
  if ((open.get(projectId) ?? 0) >= streamsPerProjectMax || countStreams() >= streamsMax)
    throw new ServiceError('rate-limited', {
      message: `At most ${streamsPerProjectMax} event streams of a project are open at once: close one first.`,
      headers: { 'retry-after': '5' },
    });
  return (signal) => writeStream(ctx, { projectId, types, place }, signal);
}

async function* writeStream(
  ctx: StreamCtx,
  from: { readonly projectId: string; readonly types?: readonly string[]; readonly place: bigint },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { projectId, types } = from;
  open.set(projectId, (open.get(projectId) ?? 0) + 1);
  const bell = createWaiter(signal);
  const ear = subscribe(ctx.store, publicEventsChannel, bell.wake);
  const endMs = performance.now() + streamLifeMs;
  let place = from.place;
  let saidMs = performance.now();
  try {
    // With its place, so that whoever is cut off before the first event misses none.
    yield `retry: ${reconnectMs}\nid: ${place}\n\n`;
    while (!signal.aborted && performance.now() < endMs) {
      const { events, last, isFull } = await selectEventPage(ctx.store, {
        projectId,
        afterPosition: place,
        types,
        limit: eventsPerLook,
      });
      if (signal.aborted) return;
      for (const event of events) {
        place = event.position!;
        yield `id: ${place}\nevent: ${event.type}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
      }
      if (events.length > 0) saidMs = performance.now();
      else if (performance.now() - saidMs >= heartbeatMs) {
        saidMs = performance.now();
        yield ': heartbeat\n\n';
      }
      place = last ?? place;
      if (!isFull) await bell.wait(pollMs);
    }
  } finally {
    const left = (open.get(projectId) ?? 1) - 1;
    if (left === 0) open.delete(projectId);
    else open.set(projectId, left);
    await ear.close();
  }
}
