import type { JsonObject } from '../lib/json/json.ts';

const textLengthMax = 1_000;
const listLengthMax = 100;
const depthMax = 12;
/** What a model is given at once. */
export const answerLengthMax = 32_000;

/**
 * Characters that are not seen, or that turn what is seen around, can carry words to a model past
 * whoever reads along.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * One piece of text of others, made harmless: line breaks stay, what cannot be seen goes, and what
 * is too long is cut.
 */
export function cleanText(text: string, lengthMax = textLengthMax): string {
  const seen = text
    .split('\n')
    .map((line) => line.replaceAll(unseen, ' '))
    .join('\n');
  return seen.length > lengthMax
    ? `${seen.slice(0, lengthMax)}… (cut: ${seen.length} characters)`
    : seen;
}

/** Data as a model gets it: texts are cleaned, lists and texts have a limit. */
export function cleanData(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return '… (cut: nested too deeply)';
  if (Array.isArray(value)) {
    const shown = value.slice(0, listLengthMax).map((inner) => cleanData(inner, depth + 1));
    return value.length > listLengthMax ? [...shown, `… (cut: ${value.length} entries)`] : shown;
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [cleanText(name, 100), cleanData(inner, depth + 1)]),
  );
}
