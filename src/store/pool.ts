import pg from 'pg';
import type { Logger } from 'pino';
import { createListener } from './listen.ts';
import { isRetryable, isServerError, sqlStateOf } from './pg-errors.ts';
import type { RowMacs } from './row-mac.ts';
import { setOwner } from './tx.ts';
import type { Db, Rows, Statement, Store, Tx } from './types.ts';

export interface StoreOptions {
  /** `postgres://user:password@host/db`, or a unix socket: `postgres://user@/db?host=/folder`. */
  readonly url: string;
  /**
   * Connections this process may open, besides one for urgent statements and one that listens,
   * where those are used.
   */
  readonly poolSize: number;
  readonly log?: Logger;
  /** For rows that decide who may act. */
  readonly rowMacs?: RowMacs;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Another store of this process on the same database, e.g. with another role. */
  readonly beside?: Store;
  /** Longest run of one statement; default 30 s. */
  readonly statementTimeoutMs?: number;
  /**
   * Longest time a transaction may stand between two statements before the server ends it with its
   * locks; default 10 s.
   */
  readonly idleTransactionTimeoutMs?: number;
  /** Longest wait for a free or new connection; default 10 s. */
  readonly connectTimeoutMs?: number;
}

const transactionAttemptsMax = 12;
const retryDelayMaxMs = 250;
/**
 * The client gives up a little after the server should have, so that the server's own clear error
 * wins.
 */
const answerGraceMs = 5_000;

/**
 * Opens a pool of connections. Nothing is connected until the first statement. Named statements are
 * prepared once per connection; date columns arrive as `YYYY-MM-DD`, timestamptz as Date, bigint
 * and numeric as strings.
 */
export function createStore(options: StoreOptions): Store {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const base: pg.ClientConfig = {
    ...connectionOf(options.url),
    application_name: options.applicationName ?? 'purser',
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    types: { getTypeParser: parserFor },
  };
  const openPool = (max: number): pg.Pool => {
    const opened = new pg.Pool({
      ...base,
      max,
      idleTimeoutMillis: 30_000,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? 10_000,
    });
    // Without these two listeners a connection that dies while idle, or between two statements of a
    // transaction, would end the process. The statement that meets the dead connection reports it.
    opened.on('error', (error) =>
      options.log?.warn({ err: error }, 'idle database connection lost'),
    );
    opened.on('connect', (client) => client.on('error', () => undefined));
    return opened;
  };
  const pool = openPool(options.poolSize);
  const urgentPool = openPool(1);

  const send = (client: pg.PoolClient, statement: Statement) =>
    sendStatement(client, statement, statementTimeoutMs);

  async function query<R>(statement: Statement): Promise<Rows<R>> {
    const client = await (statement.urgent ? urgentPool : pool).connect();
    let broken: Error | undefined;
    try {
      return (await send(client, statement)) as Rows<R>;
    } catch (error) {
      if (!isServerError(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runTransaction(
          {
            pool,
            store,
            send,
            log: options.log,
            commitTimeoutMs: statementTimeoutMs + answerGraceMs,
          },
          work,
        );
      } catch (error) {
        if (!isRetryable(error) || attempt >= transactionAttemptsMax) throw error;
        await new Promise((resolve) =>
          setTimeout(resolve, Math.random() * Math.min(retryDelayMaxMs, 2 ** attempt * 2)),
        );
      }
    }
  }

  const listeners = createListener(
    {
      ...base,
      application_name: `${base.application_name} listen`,
      query_timeout: base.connectionTimeoutMillis,
    },
    options.log,
  );
  let closing: Promise<void> | undefined;
  const store: Store = {
    rowMacs: options.rowMacs,
    query,
    transaction,
    listen: listeners.listen,
    home: options.beside?.home ?? {},
    close: () => {
      closing ??= Promise.all([listeners.close(), pool.end(), urgentPool.end()]).then(
        () => undefined,
      );
      return closing;
    },
  };
  return store;
}

type Send = (client: pg.PoolClient, statement: Statement) => Promise<Rows<unknown>>;

interface TransactionMeans {
  readonly pool: pg.Pool;
  readonly store: Store;
  readonly send: Send;
  readonly log: Logger | undefined;
  readonly commitTimeoutMs: number;
}

async function runTransaction<T>(
  { pool, store, send, log, commitTimeoutMs }: TransactionMeans,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const afterCommit: (() => void)[] = [];
  let open = true;
  let broken: Error | undefined;
  const db: Db = {
    rowMacs: store.rowMacs,
    query: async <R>(statement: Statement) => {
      if (!open)
        throw new Error(
          'A statement was sent on a transaction that has ended: a promise was not awaited.',
        );
      return (await send(client, statement)) as Rows<R>;
    },
  };
  try {
    const tx: Tx = { ...db, afterCommit: (run) => void afterCommit.push(run) };
    setOwner(tx, store);
    await send(client, { text: 'BEGIN' });
    const result = await work(tx);
    open = false;
    await commit(client, commitTimeoutMs);
    for (const run of afterCommit) runSafely(run, log);
    return result;
  } catch (error) {
    open = false;
    if (isServerError(error) || isClientSide(client, error)) broken = await rollback(client);
    else broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * @throws when the server rolled back instead, which it does without an error once a statement's
 * failure was swallowed; and when the connection was lost, so that nobody knows: whoever repeats
 * the work then needs an idempotency key.
 */
async function commit(client: pg.PoolClient, timeoutMs: number): Promise<void> {
  const statement: pg.QueryConfig & { query_timeout: number } = {
    text: 'COMMIT',
    query_timeout: timeoutMs,
  };
  const result = await client.query(statement).catch((error: unknown) => {
    if (isServerError(error)) throw error;
    throw new Error(
      'The connection was lost during COMMIT: whether the transaction was committed is not known.',
      { cause: error },
    );
  });
  if (result.command !== 'COMMIT') {
    throw new Error(
      'The transaction was rolled back: one of its statements failed and the failure was swallowed.',
    );
  }
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query({ text: 'ROLLBACK', query_timeout: answerGraceMs } as pg.QueryConfig);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * An error that the work threw by itself leaves the connection usable; a lost connection or answer
 * does not.
 */
function isClientSide(client: pg.PoolClient, error: unknown): boolean {
  const usable = (client as unknown as { _queryable?: boolean })._queryable !== false;
  return usable && !(error instanceof Error && error.message === 'Query read timeout');
}

function runSafely(run: () => void, log: Logger | undefined): void {
  try {
    run();
  } catch (error) {
    log?.error({ err: error }, 'an after-commit callback failed');
  }
}

async function sendStatement(
  client: pg.PoolClient,
  statement: Statement,
  statementTimeoutMs: number,
): Promise<Rows<unknown>> {
  const config: pg.QueryConfig & { query_timeout: number } = {
    text: statement.text,
    query_timeout: statement.timeoutMs ?? statementTimeoutMs + answerGraceMs,
  };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = statement.values as unknown[];
  const result = await client.query(config).catch((error: unknown) => {
    if (sqlStateOf(error) === '42501')
      (error as Error).message += `: the rights of this process are in src/store/grants.ts`;
    throw error;
  });
  return { rows: result.rows, rowCount: result.rowCount ?? 0 };
}

/**
 * @throws a plain sentence when the address cannot be read; the address itself is not repeated, it
 * may hold a password.
 */
function connectionOf(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error('The database address must start with postgres:// or postgresql://.');
  return { connectionString: url };
}

const dateOid = 1082;

function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === dateOid) return (value) => value;
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}
