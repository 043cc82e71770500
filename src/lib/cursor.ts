import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from './errors.ts';
import type { JsonObject } from './json/json.ts';
import { parseJson } from './json/parse-json.ts';
import { storableText } from './json/storable-text.ts';

/** Of a place in a list: milliseconds since 1970. */
export const placeTime = z.number().int().min(0).max(8.64e15);
/** Of a place in a list: the decimal digits of a number that only rises. */
export const placeNumber = z.string().regex(/^\d{1,18}$/);
/** Of a place in a list: a text that a column may have. */
export const placeText = z
  .string()
  .max(200)
  .refine((text) => storableText(text) === text);

/**
 * A place between the rows of a list as an opaque text. `query` is what the list was asked by: with
 * another query it would skip or repeat.
 */
export function encodeCursor(place: JsonObject, query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify({ ...place, of: digestOf(query) })).toString('base64url');
}

const queryDigest = z.object({ of: z.string() });

/** @throws validation-error for a text that is no cursor of this query */
export function decodeCursor<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  query: readonly unknown[],
): z.output<Schema> {
  const json = parseJson(Buffer.from(text, 'base64url'));
  const [place, digest] = [schema.safeParse(json), queryDigest.safeParse(json)];
  if (!place.success || !digest.success)
    throw new ServiceError('validation-error', {
      message: 'cursor: cannot be read. Send a cursor of an answer as it came, or leave it out.',
    });
  if (digest.data.of !== digestOf(query))
    throw new ServiceError('validation-error', {
      message:
        'cursor: belongs to another query. Repeat all other parameters of the query that it came from.',
    });
  return place.data;
}

function digestOf(query: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 16);
}

/** A place between the rows of a list that is sorted by creation, then id. */
export interface ListPosition {
  readonly at: Date;
  readonly id: string;
}

const positionSchema = z.object({ at: placeTime, id: z.uuid() });

/** As {@link encodeCursor}. */
export function encodePosition({ at, id }: ListPosition, query: readonly unknown[]): string {
  return encodeCursor({ at: at.getTime(), id }, query);
}

/** As {@link decodeCursor}. @throws validation-error */
export function decodePosition(text: string, query: readonly unknown[]): ListPosition {
  const { at, id } = decodeCursor(positionSchema, text, query);
  return { at: new Date(at), id };
}
