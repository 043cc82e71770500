import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import type { Position } from './store.ts';

/** A place in the answer to one query, and which way to read from there. */
export interface Cursor {
  readonly position: Position;
  readonly towards: 'next' | 'previous';
}

const cursorSchema = z.object({
  at: z.number().int().min(0).max(8.64e15),
  nr: z.string().regex(/^\d{1,18}$/),
  to: z.enum(['n', 'p']),
  of: z.string(),
});

/**
 * The cursor as text. `query` says what it belongs to: read with another query it would skip or
 * repeat silently.
 */
export function encodeCursor(cursor: Cursor, query: readonly unknown[]): string {
  const { position, towards } = cursor;
  return Buffer.from(
    JSON.stringify({
      at: position.at.getTime(),
      nr: position.nr.toString(),
      to: towards === 'next' ? 'n' : 'p',
      of: digestOf(query),
    }),
  ).toString('base64url');
}

/** @throws validation-error for a text that is no cursor of this query */
export function decodeCursor(text: string, query: readonly unknown[]): Cursor {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success)
    throw new ServiceError('validation-error', {
      message:
        'cursor: cannot be read. Send nextCursor or previousCursor of an answer as it came, or leave it out.',
    });
  const { at, nr, to, of } = parsed.data;
  if (of !== digestOf(query))
    throw new ServiceError('validation-error', {
      message:
        'cursor: belongs to another query. Repeat all other parameters of the query that it came from.',
    });
  return {
    position: { at: new Date(at), nr: BigInt(nr) },
    towards: to === 'n' ? 'next' : 'previous',
  };
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
