/**
 * A foreign text as the database can keep it: no NUL, which no column takes, and no half of a
 * surrogate pair, which JSON columns refuse. Cut to `lengthMax` UTF-16 units, never in the middle
 * of a character.
 */
export function storableText(text: string, lengthMax = Number.POSITIVE_INFINITY): string {
  const kept =
    text.length > lengthMax ? text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '') : text;
  return kept.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '\ufffd');
}
