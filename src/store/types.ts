/** A statement for PostgreSQL. A `name` makes it a prepared one: use names only for texts that never vary. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Rows<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

/** Something that runs statements: the pool or one transaction. */
export interface Db {
  query<R = Record<string, unknown>>(statement: Statement): Promise<Rows<R>>;
}

/** One database transaction. `afterCommit` callbacks run once it is durable, and never when it is rolled back. */
export interface Tx extends Db {
  afterCommit(run: () => void): void;
}

export interface Store extends Db {
  /**
   * Runs `work` in a transaction and commits it. Serialization failures and deadlocks (40001, 40P01) are retried with a
   * cap, so `work` must have no effect outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
