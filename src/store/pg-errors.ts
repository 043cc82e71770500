import pg from 'pg';

/**
 * SQLSTATEs with which the server also ends the connection. The severity is no help: servers
 * translate it.
 */
const endsConnection = /^(08|28|57P|25P03|25P04|53300)/;

/** True when the server answered a statement with an error and the connection is still good. */
export function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !endsConnection.test(error.code ?? '');
}

/** The five-character SQLSTATE of a database error; undefined for anything else. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Serialization failure or deadlock: nothing was committed and the same work may succeed next time.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

/** True when a unique index refused the row; with `constraint`, only when it was this index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== '23505') return false;
  return constraint === undefined || (error as pg.DatabaseError).constraint === constraint;
}

/** True when this check refused the row. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return sqlStateOf(error) === '23514' && (error as pg.DatabaseError).constraint === constraint;
}
