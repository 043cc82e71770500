import type { Logger } from '../lib/log/log.ts';
import { describeError } from './run-log.ts';

/**
 * An unhandled rejection ends a process. A runner has other runs in it, some behind the
 * paying click, and speaks with pages of strangers: what slipped through is a fault of ours and is
 * written down as one, and the other runs go on. What is thrown in the middle of an event still
 * ends the process, since nobody can say what was left half done.
 */
export function logUnhandledRejections(log: Pick<Logger, 'error'>): void {
  process.on('unhandledRejection', (reason) => {
    log.error(
      { why: describeError(reason), stack: placesOf(reason) },
      'an error that nobody heard: please report it; the runs go on',
    );
  });
}

/** Where it came from, without its words: those may be a page's. */
function placesOf(reason: unknown): string[] {
  const stack = reason instanceof Error ? (reason.stack ?? '') : '';
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 20)
    .map((line) => describeError(line.trim()));
}
