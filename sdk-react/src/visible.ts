/** What turns the direction of reading, or is no letter at all. */
export const turning =
  /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What turns the direction of reading, or is no letter at all, is spelled out: a text reads as its
 * bytes stand.
 * @example visible('\u202e00.1') // '\\u{202e}00.1'
 */
export const visible = (text: string): string =>
  text.replace(turning, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
