/**
 * What turns the direction of reading, is no letter at all, or is not seen; but for what joins
 * letters, keeps them apart or parts a word, and what makes a picture of a sign.
 */
export const turning =
  /(?![\n\t\u00ad]|[\u200c\u200d]|[\ufe00-\ufe0f])[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;

/**
 * What would turn the direction of reading, or is not seen, is spelled out: a text reads as its
 * bytes stand.
 * @example visible('\u202e00.1') // '\\u{202e}00.1'
 */
export const visible = (text: string): string =>
  text.replace(turning, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
