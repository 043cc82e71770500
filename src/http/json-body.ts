import { ServiceError } from '../lib/errors.ts';

/** Deepest nesting of a body. Also what bounds every recursion over one. */
const bodyDepthMax = 64;
/** NUL, which PostgreSQL cannot keep, and halves of surrogate pairs, which are no text at all. */
const unstorable = /[\0\p{Cs}]/u;
/** Takes a byte order mark off, which some clients put in front of a body. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body. An empty one is no body.
 * @throws invalid-json, validation-error
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new ServiceError('invalid-json', { cause });
  }
  checkTree(value);
  return value;
}

/** True when a text can be kept and logged as it is. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

/**
 * Walks with a list of its own instead of recursion: a body may be nested a hundred thousand times
 * before it is refused.
 */
function checkTree(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > bodyDepthMax)
      throw new ServiceError('validation-error', {
        message: `The request body is nested deeper than ${bodyDepthMax} levels.`,
      });
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') checkText(value);
      else if (Array.isArray(value)) for (const item of value) below.push(item);
      else if (typeof value === 'object' && value !== null) {
        for (const name in value) {
          if (name === '__proto__')
            throw new ServiceError('validation-error', {
              message: 'The request body has the unknown field `__proto__`.',
            });
          checkText(name);
          below.push((value as Record<string, unknown>)[name]);
        }
      }
    }
    level = below;
  }
}

function checkText(text: string): void {
  if (!isStorable(text))
    throw new ServiceError('validation-error', {
      message:
        'The request body has a text with a NUL character or half a surrogate pair: remove it.',
    });
}
