import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from './errors.ts';

/** A place between the rows of a list that is sorted by creation, then id. */
export interface ListPosition {
  readonly at: Date;
  readonly id: string;
}

const positionSchema = z.object({
  at: z.number().int().min(0).max(8.64e15),
  id: z.uuid(),
  of: z.string(),
});

/**
 * The place behind a row as an opaque text. `query` is what the list was asked by: with another
 * query it would skip or repeat.
 */
export function encodePosition({ at, id }: ListPosition, query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify({ at: at.getTime(), id, of: digestOf(query) })).toString(
    'base64url',
  );
}

/** @throws validation-error for a text that is no cursor of this query */
export function decodePosition(text: string, query: readonly unknown[]): ListPosition {
  const parsed = positionSchema.safeParse(
    parseJson(Buffer.from(text, 'base64url').toString('utf8')),
  );
  if (!parsed.success || parsed.data.of !== digestOf(query))
    throw new ServiceError('validation-error', {
      message:
        'cursor: belongs to no such list. Send nextCursor of an answer to the same query as it came, or leave it out.',
    });
  return { at: new Date(parsed.data.at), id: parsed.data.id };
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
