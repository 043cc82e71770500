import type { Store, Tx } from './types.ts';

const owners = new WeakMap<Tx, Store>();

/** Remembers which store a transaction belongs to. */
export function setOwner(tx: Tx, store: Store): void {
  owners.set(tx, store);
}

/**
 * The store of a transaction, for what follows its commit (a notification). Undefined for a
 * stand-in of a test.
 */
export function ownerOf(tx: Tx): Store | undefined {
  return owners.get(tx);
}
