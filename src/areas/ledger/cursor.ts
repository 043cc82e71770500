import { z } from 'zod';
import * as cursors from '../../lib/cursor.ts';

const places = {
  account: z.object({ account: cursors.placeText, asset: cursors.placeText }),
  entry: z.object({ at: cursors.placeTime, nr: cursors.placeNumber }),
};
type Place<Kind extends keyof typeof places> = z.output<(typeof places)[Kind]>;

/** The last row of a page, as {@link cursors.encodeCursor}. */
export function encodeCursor<Kind extends keyof typeof places>(
  place: Place<Kind>,
  query: readonly unknown[],
): string {
  return cursors.encodeCursor(place, query);
}

/** As {@link cursors.decodeCursor}. @throws validation-error */
export function decodeCursor<Kind extends keyof typeof places>(
  kind: Kind,
  text: string,
  query: readonly unknown[],
): Place<Kind> {
  return cursors.decodeCursor(places[kind], text, query) as Place<Kind>;
}
