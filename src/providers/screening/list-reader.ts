/** Takes the text of a list piece by piece. */
export interface ListReader {
  /** @throws ListError */
  take(text: string): void;
  /** @throws ListError when the list is cut off or has no address */
  finish(): { readonly version?: string };
}

/** `entry`: where in the list it stands, for people. @throws ListError when there are too many */
export type AddEntry = (address: string, entry: string) => void;

/** The file is no list: one sentence that says what is wrong. */
export class ListError extends Error {
  override readonly name = 'ListError';
}
