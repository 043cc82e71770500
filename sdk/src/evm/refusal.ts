/** Why nothing was signed. */
export type RefusalReason =
  /** The message to sign is not the hash of what is shown. */
  | 'message'
  /** It is for another wallet. */
  | 'wallet'
  /** It is for another contract than the wallet module that this client knows. */
  | 'module'
  /** It is for another chain, or for one that this client does not know. */
  | 'chain'
  /** It does something else than was asked for. */
  | 'asked'
  /** It cannot be compared with what was asked for, and nobody reviews it. */
  | 'not-comparable'
  /** It cannot be read. */
  | 'unreadable';

/**
 * The client did not ask a signer: what the service wants signed is not what is shown, or not what
 * was asked for.
 */
export class ApprovalRefusedError extends Error {
  override readonly name = 'ApprovalRefusedError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(`Nothing was signed: ${message}`, options);
    this.reason = reason;
  }
}

/**
 * What `read` gives.
 * @throws ApprovalRefusedError for what is not written as its form asks (TypeError, SyntaxError)
 */
export function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TypeError) && !(cause instanceof SyntaxError)) throw cause;
    throw new ApprovalRefusedError(
      'unreadable',
      `what the service wants signed cannot be read: ${cause.message}.`,
      { cause },
    );
  }
}

/**
 * The address that the service answered is not that of a wallet of the signers that were sent. Send
 * nothing to it.
 */
export class WalletAddressError extends Error {
  override readonly name = 'WalletAddressError';
  /** What the service answered. */
  readonly answered: string;
  /** Where a wallet of these signers and this seed stands. */
  readonly derived: string;

  constructor(answered: string, derived: string) {
    super(
      `The service answered the wallet ${answered}, and the wallet of the signers that were sent is ${derived}. ` +
        'Where the owner had a wallet before, read it with getWallet and compare its address with the one you kept.',
    );
    this.answered = answered;
    this.derived = derived;
  }
}
