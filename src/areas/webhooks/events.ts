import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type PublicEvent, selectEventPage, selectLastPosition, selectPosition } from './event-store.ts';
import { publicEventTypes } from './event-types.ts';
import { isId, readLimit } from './page.ts';
import type { EventsQuery } from './schema.ts';

export interface EventPage {
  readonly events: readonly PublicEvent[];
  /** Where the next page begins, also when it is empty today. */
  readonly nextCursor?: string;
}

const positionPattern = /^\d{1,18}$/;
const known: ReadonlySet<string> = new Set(publicEventTypes);

/** A project's events in order. @throws validation-error, event-not-found */
export async function listEvents(
  ctx: Pick<Ctx, 'store'>,
  input: { readonly projectId: string; readonly query: EventsQuery },
): Promise<EventPage> {
  const { projectId, query } = input;
  const types = readTypes(query.types);
  const afterPosition = await resolvePlace(ctx, { projectId, after: query.after });
  const events = await selectEventPage(ctx.store, { projectId, afterPosition, types, limit: readLimit(query.limit) });
  const last = events.at(-1)?.position ?? afterPosition;
  return { events, ...(last > 0n && { nextCursor: String(last) }) };
}

/**
 * The position that a reader means by an event's id, a position, or `latest`.
 * @throws event-not-found for an id that is unknown, validation-error
 */
export async function resolvePlace(
  ctx: Pick<Ctx, 'store'>,
  input: { readonly projectId: string; readonly after?: string },
): Promise<bigint> {
  const { projectId, after } = input;
  if (after === undefined) return 0n;
  if (after === 'latest') return selectLastPosition(ctx.store, projectId);
  if (positionPattern.test(after)) return BigInt(after);
  if (!isId(after))
    throw new ServiceError('validation-error', { message: 'after: must be the id or the position of an event, or `latest`.' });
  const position = await selectPosition(ctx.store, { projectId, id: after });
  if (position === undefined)
    throw new ServiceError('event-not-found', { message: 'after: there is no such event, or it is past its retention. Begin without it.' });
  return position;
}

/** @throws validation-error for a word that is no type */
export function readTypes(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !known.has(type));
  if (unknown !== undefined)
    throw new ServiceError('validation-error', { message: `types: "${unknown}" is none of ${publicEventTypes.join(', ')}.` });
  return types;
}
