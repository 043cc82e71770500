import type { Ctx } from '../../../context.ts';
import { readLastPosition } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { isId, readLimit } from '../api/page.ts';
import type { EventsQuery } from '../api/schema.ts';
import {
  type PublicEvent,
  selectEventPage,
  selectLastPosition,
  selectPosition,
} from './event-store.ts';
import { publicEventTypes } from './event-types.ts';

export interface EventPage {
  readonly events: readonly PublicEvent[];
  /**
   * Where the next page begins, also when it is empty today, and when there is no event at all yet:
   * then it is `0`.
   */
  readonly nextCursor: string;
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
  const { events, last } = await selectEventPage(ctx.store, {
    projectId,
    afterPosition,
    types,
    limit: readLimit(query.limit),
  });
  return { events, nextCursor: String(last ?? afterPosition) };
}

/**
 * The position that a reader means by an event's id, a position, or `latest`. Positions up to the
 * last one given are good for ever, also when their event is past its retention or another
 * project's.
 * @param input.field how the caller named it, for the message: `after` when absent
 * @throws event-not-found for an id that is unknown, validation-error also for a position that no
 * event has yet
 */
export async function resolvePlace(
  ctx: Pick<Ctx, 'store'>,
  input: { readonly projectId: string; readonly after?: string; readonly field?: string },
): Promise<bigint> {
  const { projectId, after, field = 'after' } = input;
  if (after === undefined) return 0n;
  if (after === 'latest') return selectLastPosition(ctx.store, projectId);
  if (positionPattern.test(after)) return checkPosition(ctx, BigInt(after), field);
  if (!isId(after))
    throw new ServiceError('validation-error', {
      message: `${field}: must be the id or the position of an event, or \`latest\`.`,
    });
  const position = await selectPosition(ctx.store, { projectId, id: after });
  if (position === undefined)
    throw new ServiceError('event-not-found', {
      message: `${field}: there is no such event, or it is past its retention. Begin without it.`,
    });
  return position;
}

/**
 * A reader that is ahead (of a database restored from a backup, or of another instance) would miss
 * in silence what comes until then.
 */
async function checkPosition(
  ctx: Pick<Ctx, 'store'>,
  position: bigint,
  field: string,
): Promise<bigint> {
  const last = await readLastPosition(ctx.store);
  if (position <= last) return position;
  throw new ServiceError('validation-error', {
    message: `${field}: no event has the position ${position} yet, the last one is ${last}. Begin without it, or with \`latest\`.`,
  });
}

/** @throws validation-error for a word that is no type */
export function readTypes(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !known.has(type));
  if (unknown !== undefined)
    throw new ServiceError('validation-error', {
      message: `types: "${unknown}" is none of ${publicEventTypes.join(', ')}.`,
    });
  return types;
}
