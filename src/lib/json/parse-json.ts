import type { Json } from './json.ts';

/** What a text, or its bytes in UTF-8, say as JSON; undefined when they are none. */
export function parseJson(text: string | Buffer): Json | undefined {
  try {
    return JSON.parse(String(text)) as Json;
  } catch {
    return undefined;
  }
}
