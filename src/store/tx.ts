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

/**
 * Runs work that may be undone alone: when it throws, what it wrote is rolled back, and what it
 * wanted done after the commit is not done. The error goes on to the caller.
 */
export async function withSavepoint<T>(
  tx: Tx,
  name: string,
  work: (inner: Tx) => Promise<T>,
): Promise<T> {
  const afterCommit: (() => void)[] = [];
  const inner: Tx = { ...tx, afterCommit: (run) => afterCommit.push(run) };
  const owner = ownerOf(tx);
  if (owner) setOwner(inner, owner);
  await tx.query({ text: `savepoint ${name}` });
  try {
    const result = await work(inner);
    await tx.query({ text: `release savepoint ${name}` });
    for (const run of afterCommit) tx.afterCommit(run);
    return result;
  } catch (error) {
    // A connection that is gone has rolled back everything.
    await tx.query({ text: `rollback to savepoint ${name}` }).catch(() => undefined);
    throw error;
  }
}
