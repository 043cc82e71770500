type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : S;

type Names<S extends string> = S extends `${infer First}, ${infer Rest}` ? First | Names<Rest> : S;

type Stored<V> = V extends bigint ? string : V extends undefined ? null : V;

/** A record as its row says it: `createdAt` is `created_at`, absent is null, big integers are text. */
export type RowOf<R> = {
  [K in keyof R & string as SnakeCase<K>]-?: Stored<R[K]>;
};

type BigIntegers<R> = {
  readonly [K in keyof R as NonNullable<R[K]> extends bigint ? K : never]-?: typeof BigInt;
};

/**
 * A row as the record that was stored in it. Its seal (`mac`) is no part of that.
 * @param bigIntegers the fields that are big integers, where there are any
 */
export function readRow<R extends object>(
  row: RowOf<R>,
  ...[bigIntegers]: keyof BigIntegers<R> extends never ? [] : [BigIntegers<R>]
): R {
  const record: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === null || column === 'mac') continue;
    const field = fieldOf(column);
    record[field] = bigIntegers && field in bigIntegers ? BigInt(value as string) : value;
  }
  return record as R;
}

/** Columns of a table, separated by `, `, that are fields of the record. */
type ColumnsOf<S extends string, R> = S &
  (Names<S> extends SnakeCase<keyof R & string> ? unknown : never);

/** What an insert stores of a record. Lists are JSON: a column of texts is not for this. */
export function valuesOf<R extends object, S extends string>(
  record: R,
  columns: ColumnsOf<S, R>,
): unknown[] {
  const fields = record as Readonly<Record<string, unknown>>;
  return columns.split(', ').map((column) => stored(fields[fieldOf(column)]));
}

/** The same of many records, a list for each column: what `unnest` takes. */
export function valueListsOf<R extends object, S extends string>(
  records: readonly R[],
  columns: ColumnsOf<S, R>,
): unknown[][] {
  const rows = records.map((record) => valuesOf<R, S>(record, columns));
  return columns.split(', ').map((_, index) => rows.map((row) => row[index]));
}

/** These fields of a record or a row, separated by `, `: what a seal is over. */
export function fieldsOf<R extends object, S extends string>(
  record: R,
  names: S & (Names<S> extends keyof R ? unknown : never),
): Pick<R, Names<S> & keyof R> {
  const fields = record as Readonly<Record<string, unknown>>;
  const picked = names.split(', ').map((name) => [name, fields[name]]);
  return Object.fromEntries(picked) as Pick<R, Names<S> & keyof R>;
}

function stored(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return value.toString();
  const isJson = typeof value === 'object' && !(value instanceof Date || Buffer.isBuffer(value));
  return isJson ? JSON.stringify(value) : value;
}

const fields = new Map<string, string>();

function fieldOf(column: string): string {
  let field = fields.get(column);
  if (field === undefined) {
    field = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    fields.set(column, field);
  }
  return field;
}
