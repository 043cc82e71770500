import { storableText } from '../../../lib/json/storable-text.ts';

/**
 * What a runner says, as the database can keep it: pages write zeros into their texts, and a text
 * that is cut to a length may end in half a character. JSON columns take neither, and a run that
 * cannot tell how it ended is run again for ever.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storableText(key), storable(one)]),
  );
}
