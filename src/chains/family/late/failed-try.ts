import { SigningRefusedError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { lateLimits } from './limits.ts';

/** What nobody has seen yet: an operation that is to be built, signed and sent. */
export interface TriedOperation {
  readonly operationId: string;
  /** Tries in a row that failed before. */
  readonly misses: number;
}

export type FailedTry =
  /** Custody refuses it for good, in a sentence that a caller may read. */
  { readonly refused: string } | { readonly pauseMs: number; readonly misses: number };

/** Tries beyond it change no pause. */
const countedMax = 10;

/**
 * What comes after a try that failed. A node or a key that is away costs one operation its turn, and
 * no other: it is asked less and less often. What custody refuses for good is over.
 * @param buildsAnew what custody refuses of the bytes alone is built once more: a node may lie
 */
export function afterFailedTry(
  log: Logger,
  { operationId, misses }: TriedOperation,
  error: unknown,
  { buildsAnew }: { readonly buildsAnew: boolean },
): FailedTry {
  if (error instanceof SigningRefusedError && !(buildsAnew && error.ofBytes)) {
    log.error({ err: error, operationId }, 'custody refuses to sign an operation: it ends');
    return { refused: error.message };
  }
  log.warn({ err: error, operationId, misses }, 'an operation could not be sent; trying again');
  const { againPauseMs, againPauseMaxMs } = lateLimits;
  // Whatever stands in the row: what no column takes would keep all of its round from being stored.
  const counted = Math.min(Math.max(misses, 0), countedMax);
  return { pauseMs: Math.min(againPauseMaxMs, againPauseMs * 2 ** counted), misses: counted + 1 };
}
