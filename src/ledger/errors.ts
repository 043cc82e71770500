/**
 * What the ledger refuses. The callers are rules of this service, not people: whoever meets one of
 * these has a fault to mend or a race to decide, and rolls its transaction back, since a part of
 * the batch may be written in it.
 */
export class LedgerError extends Error {
  override readonly name: string = 'LedgerError';
}

/**
 * An entry that could never be posted: unbalanced, zero, an account outside the grammar, an asset
 * nobody registered.
 */
export class LedgerInvalid extends LedgerError {
  override readonly name = 'LedgerInvalid';
}

/**
 * The reference was used with other content, the asset has other decimals, or the hold has ended
 * already.
 */
export class LedgerConflict extends LedgerError {
  override readonly name = 'LedgerConflict';
}

/** The database refused it: an order's account would give out more than was paid into it. */
export class LedgerOverdrawn extends LedgerError {
  override readonly name = 'LedgerOverdrawn';
}

/** There is no hold with this reference. */
export class LedgerUnknownHold extends LedgerError {
  override readonly name = 'LedgerUnknownHold';
}
