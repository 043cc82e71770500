import { ServiceError } from '../../../lib/errors.ts';
import { pageSizeDefault } from './schema.ts';

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const positionPattern = /^\d{1,18}$/;

/** Entries per page, as a query says it. */
export function readLimit(text: string | undefined): number {
  return text === undefined ? pageSizeDefault : Number(text);
}

/** A cursor that is the id of the last entry. @throws validation-error */
export function readIdCursor(text: string | undefined): string | undefined {
  if (text !== undefined && !uuidPattern.test(text)) throw badCursor();
  return text;
}

/** A cursor that is a number. @throws validation-error */
export function readNumberCursor(text: string | undefined): bigint | undefined {
  if (text !== undefined && !positionPattern.test(text)) throw badCursor();
  return text === undefined ? undefined : BigInt(text);
}

export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Of `limit + 1` rows that were asked for: a page, and where the next one begins when there is one.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): Page<Row> {
  const entries = rows.slice(0, limit);
  return rows.length > limit ? { entries, nextCursor: cursorOf(entries.at(-1)!) } : { entries };
}

function badCursor(): ServiceError {
  return new ServiceError('validation-error', {
    message: 'cursor: cannot be read. Send nextCursor of an answer as it came, or leave it out.',
  });
}
