import type { RowMacs } from './row-mac.ts';

/**
 * A statement for PostgreSQL. A `name` makes it a prepared one: use names only for texts that never
 * vary.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /**
   * Longest wait for this answer instead of the store's own. Raise it only for work like a
   * migration.
   */
  readonly timeoutMs?: number;
  /**
   * Runs it on a connection kept for such statements instead of queueing for the pool: for
   * heartbeats and claims, which must not wait behind the very work they are about. Not inside a
   * transaction.
   */
  readonly urgent?: boolean;
}

export interface Rows<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

/** Something that runs statements: the pool or one transaction. */
export interface Db {
  /** Seals and checks rows that decide who may act, where the process has the key. */
  readonly rowMacs?: RowMacs | undefined;
  query<R = Record<string, unknown>>(statement: Statement): Promise<Rows<R>>;
}

/**
 * One database transaction. `afterCommit` callbacks run once it is durable, and never when it is
 * rolled back.
 */
export interface Tx extends Db {
  afterCommit(run: () => void): void;
}

export interface Store extends Db {
  /**
   * Runs `work` in a transaction and commits it. Serialization failures and deadlocks (40001,
   * 40P01) are retried with a cap, so `work` must have no effect outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `onMessage` for each NOTIFY on `channel`, and once with `undefined` after every
   * (re)connection, since messages may have been missed before it. A hint only: absent or silent
   * where the engine has no NOTIFY, so everybody polls too.
   */
  listen?(channel: string, onMessage: (payload: string | undefined) => void): Listener;
  /**
   * The same for all stores of one database in this process, so that its parts find each other; the
   * store itself when absent.
   */
  readonly home?: object;
  close(): Promise<void>;
}

export interface Listener {
  close(): Promise<void>;
}
