import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';

const place = {
  account: z.object({ account: z.string().max(200), asset: z.string().max(200), of: z.string() }),
  entry: z.object({
    at: z.number().int().min(0).max(8.64e15),
    nr: z.string().regex(/^\d{1,18}$/),
    of: z.string(),
  }),
};
type Place = typeof place;

/**
 * The last row of a page as text. `query` says what it belongs to: read with another query it would
 * skip or repeat silently.
 */
export function encodeCursor<K extends keyof Place>(
  value: Omit<z.output<Place[K]>, 'of'>,
  query: readonly unknown[],
): string {
  return Buffer.from(JSON.stringify({ ...value, of: digestOf(query) })).toString('base64url');
}

/** @throws validation-error for a text that is no cursor of this query */
export function decodeCursor<K extends keyof Place>(
  kind: K,
  text: string,
  query: readonly unknown[],
): z.output<Place[K]> {
  const parsed = place[kind].safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success)
    throw new ServiceError('validation-error', {
      message: 'cursor: cannot be read. Send nextCursor of an answer as it came, or leave it out.',
    });
  if (parsed.data.of !== digestOf(query))
    throw new ServiceError('validation-error', {
      message:
        'cursor: belongs to another query. Repeat all other parameters of the query that it came from.',
    });
  return parsed.data as z.output<Place[K]>;
}

function digestOf(query: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 16);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
