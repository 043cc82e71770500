/**
 * Signed bytes of the service's own accounts: stored before they are sent, they may be anywhere.
 */
export interface SentBytes {
  readonly txId: string;
  readonly raw: Uint8Array;
  /** What says when no block can have them any more, in the family's words. */
  readonly mark: string;
}

/** A block has the bytes, and that is final. */
export interface SentEnd {
  /** What they cost the service in fees, in the native token's smallest unit. */
  readonly costMinor: bigint;
  /** Why they did nothing. */
  readonly failed?: string;
}

/** What storing, sending and looking again asks of a family's network. */
export interface SentBytesNetwork {
  send(raw: Uint8Array): Promise<void>;
  /**
   * `pending`: no block has them, and one may. `seen`: a block has them that is not final. `gone`:
   * no block has them, and none can have them any more.
   */
  look(sent: SentBytes): Promise<SentEnd | 'pending' | 'seen' | 'gone'>;
}
