/**
 * What turns the direction of reading, is no letter at all, or is not seen; but for what joins
 * letters, keeps them apart or parts a word, and what makes a picture of a sign. Its first group is
 * what is seen although a part of it alone would not be: a variant of a Han or Mongolian letter,
 * the flag of a part of a country.
 */
export const turning =
  /(\p{sc=Han}[\u{e0100}-\u{e01ef}]|\p{sc=Mong}[\u180b-\u180d\u180f]|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|(?![\n\t\u00ad]|[\u200c\u200d]|[\ufe00-\ufe0f])[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;

/**
 * What would turn the direction of reading, or is not seen, is spelled out: a text reads as its
 * bytes stand.
 * @example visible('\u202e00.1') // '\\u{202e}00.1'
 */
export const visible = (text: string): string =>
  text.replace(
    turning,
    (one, seen: string | undefined) => seen ?? `\\u{${one.codePointAt(0)!.toString(16)}}`,
  );
