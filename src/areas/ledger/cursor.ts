import { z } from 'zod';
import type { LedgerEntry } from '../../ledger/index.ts';
import { decodeCursor, encodeCursor, placeNumber, placeTime } from '../../lib/cursor.ts';

const entryPlace = z.object({ at: placeTime, nr: placeNumber });

/** As {@link encodeCursor}, of a list of entries. */
export function encodeEntryCursor(
  { recordedAt, written }: LedgerEntry['position'],
  query: readonly unknown[],
): string {
  return encodeCursor({ at: recordedAt.getTime(), nr: written.toString() }, query);
}

/** As {@link decodeCursor}. @throws validation-error */
export function decodeEntryCursor(
  text: string,
  query: readonly unknown[],
): LedgerEntry['position'] {
  const { at, nr } = decodeCursor(entryPlace, text, query);
  return { recordedAt: new Date(at), written: BigInt(nr) };
}
