/**
 * So many decisions about one matter; then an order is closed, and anything else is left to wait.
 */
export const triesMax = 5;

/** What the operator has to do with, and remembers. */
export interface Matter {
  /** The operator leaves it to wait. */
  readonly isLeft: boolean;
  tries: number;
  /** In which it was seen. */
  readonly states: Set<string>;
  /** What the operator has made up their mind to. */
  wish?: string;
}
