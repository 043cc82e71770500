/** How the family writes addresses; no node is asked. */
export interface Addresses {
  isAddress(text: string): boolean;
  /**
   * What is wrong with an address that a caller typed and that is to control or receive money, a
   * mistyped checksum included, as the rest of a sentence that begins with its field; undefined
   * when nothing is.
   */
  checkAddress(text: string): string | undefined;
  /**
   * An address that tokens may be sent to: with nothing wrong by {@link checkAddress}, not the zero
   * address and its like.
   */
  isRecipient(text: string): boolean;
  /** The one form used for comparison and in the database. */
  canonicalAddress(address: string): string;
  /** The form in which the family writes an address, e.g. with its checksum (EIP-55) on evm. */
  formatAddress(address: string): string;
}
