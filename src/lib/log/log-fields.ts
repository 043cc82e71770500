/**
 * What a log line says: everything but secrets, whatever their depth, and the values of rows that a
 * database error quotes.
 */

/** Names of fields whose value is a secret, in lower case without `-` and `_`. */
const secretNames = new Set([
  'apikey',
  'xapikey',
  'authorization',
  'cookie',
  'setcookie',
  'password',
  'passphrase',
  'secret',
  'clientsecret',
  'ordersecret',
  'signingsecret',
  'privatekey',
  'seed',
  'jwt',
  'token',
  'accesstoken',
  'refreshtoken',
  'cardnumber',
  'accountnumber',
  'cvc',
]);
const removed = '[secret]';
const depthMax = 8;
const entriesMax = 100;

const isSecret = (name: string) => secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));

export function cleanLogFields(fields: Record<string, unknown>): Record<string, unknown> {
  return cleanObject(fields, 0);
}

function cleanObject(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, entriesMax)
      .map(([name, value]) => [
        name,
        isSecret(name) && value !== undefined ? removed : clean(value, depth + 1),
      ]),
  );
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value))
    return value.slice(0, entriesMax).map((entry) => clean(entry, depth + 1));
  // Dates, addresses and secrets print themselves.
  return 'toJSON' in value ? value : cleanObject(value, depth);
}

interface DatabaseError extends Error {
  readonly code: string;
  readonly severity: string;
}

/** Of an error nothing but these: others add whole rows, requests and connections to theirs. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code, constraint, table, errors } = error as Error &
    Record<'code' | 'constraint' | 'table' | 'errors', unknown>;
  const message = isDatabaseError(error) ? withoutValues(error) : error.message;
  return {
    type: error.name,
    message,
    code,
    constraint,
    table,
    stack: stackOf(error, message),
    cause: clean(error.cause, depth + 1),
    errors: Array.isArray(errors) ? clean(errors, depth + 1) : undefined,
  };
}

function isDatabaseError(error: Error): error is DatabaseError {
  const { code, severity } = error as Partial<DatabaseError>;
  return typeof severity === 'string' && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}

/**
 * PostgreSQL quotes names of things everywhere, and values where the data is at fault (SQLSTATE
 * class 22).
 */
const withoutValues = ({ message, code }: DatabaseError): string =>
  code.startsWith('22') ? message.replaceAll(/"[\s\S]*"/g, '"…"') : message;

/** The places; the message before them may be longer than what is said of it here. */
function stackOf(error: Error, message: string): string | undefined {
  const places = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return places && [`${error.name}: ${message}`, ...places].join('\n');
}
