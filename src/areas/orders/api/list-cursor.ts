import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';

/** A place between two orders, and which way to read from there. */
export interface ListCursor {
  readonly at: Date;
  readonly id: string;
  readonly towards: 'next' | 'previous';
}

const cursorSchema = z.tuple([z.number().int().min(0).max(8.64e15), z.uuid(), z.enum(['n', 'p']), z.string()]);

/** @param query everything that decides which orders are listed: a cursor is good for that list only */
export function encodeListCursor(cursor: ListCursor, query: readonly unknown[]): string {
  const content = [cursor.at.getTime(), cursor.id, cursor.towards === 'next' ? 'n' : 'p', digestOf(query)];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** @throws validation-error for a text that is no cursor, or one of another list */
export function decodeListCursor(text: string, query: readonly unknown[]): ListCursor {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success)
    throw new ServiceError('validation-error', {
      message: 'cursor: cannot be read. Send nextCursor or previousCursor of an answer as it came, or leave it out.',
    });
  const [at, id, towards, digest] = parsed.data;
  if (digest !== digestOf(query))
    throw new ServiceError('validation-error', {
      message: 'cursor: belongs to a list with other filters. While following cursors every other parameter stays the same.',
    });
  return { at: new Date(at), id, towards: towards === 'n' ? 'next' : 'previous' };
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
