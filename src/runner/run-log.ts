import type { JsonObject } from '../lib/json/json.ts';
import type { Logger } from '../lib/log/log.ts';
import type { RunLog } from './engine/index.ts';
import { hideLongNumbers } from './scrub.ts';

const textMax = 500;
/** What is taken out makes room for what follows. */
const lookedAtMax = 4 * textMax;

/**
 * The log of one run. What pages and browsers say is cut, and loses what is a secret (`hide`) or
 * could be one: queries of addresses and long numbers.
 */
export function createRunLog(log: Logger, hide: (text: string) => string): RunLog {
  return {
    info: (fields, message) => log.info(scrubFields(fields, hide), message),
    warn: (fields, message) => log.warn(scrubFields(fields, hide), message),
  };
}

/** An error as a log may have it: its first line, without secrets. */
export function describeError(error: unknown): string {
  return scrub(String(error).split('\n')[0] ?? '');
}

function scrub(whole: string): string {
  // A page may write an address of a megabyte, and addresses into it: looked at as a whole it would
  // hold up all the other runs.
  const text = whole.slice(0, lookedAtMax);
  return hideLongNumbers(text.replaceAll(/(\bhttps?:\/\/[^\s?#"'”]+)[?#][^\s"'”]*/g, '$1')).slice(
    0,
    textMax,
  );
}

function scrubFields(fields: JsonObject, hide: (text: string) => string): JsonObject {
  return JSON.parse(
    JSON.stringify(fields, (_, value: unknown) =>
      typeof value === 'string' ? scrub(hide(value)) : value,
    ),
  ) as JsonObject;
}
