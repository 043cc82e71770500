import type { JsonObject } from '../lib/json.ts';
import type { Logger } from '../lib/log.ts';
import type { RunLog } from './engine/index.ts';
import { hideLongNumbers } from './scrub.ts';

const textMax = 500;

/**
 * The log of one run. What pages and browsers say is cut, and loses what is a secret (`hide`) or could be one: queries of
 * addresses and long numbers.
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

function scrub(text: string): string {
  return hideLongNumbers(text.replaceAll(/(\bhttps?:\/\/[^\s?#"'”]+)[?#][^\s"'”]*/g, '$1')).slice(0, textMax);
}

function scrubFields(fields: JsonObject, hide: (text: string) => string): JsonObject {
  return JSON.parse(JSON.stringify(fields, (_, value: unknown) => (typeof value === 'string' ? scrub(hide(value)) : value))) as JsonObject;
}
