import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { ServiceError } from '../lib/errors.ts';
import type { Secret } from '../lib/sealing/secret.ts';
import type { Db, Store } from './types.ts';

/**
 * A seal on rows that decide who may act. Each carries `<key id>.<HMAC-SHA256>` over its table, its
 * id and the fields that decide, under a key that is derived from a key-encryption key and so is
 * not in the database. Who writes the database can then delete such a row, or put an earlier
 * version of it back, but neither make one nor change one.
 */

/** A row as it is sealed: every field that decides something, absent ones as undefined or null. */
export interface SealedRow {
  readonly table: string;
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RowMacs {
  /** Id of the key that seals. */
  readonly keyId: string;
  seal(row: SealedRow): string;
  /** False in a database whose rows carry no seals. */
  readonly seals: boolean;
  /** Whether the row is as it was sealed. Raises no alarm. */
  fits(row: SealedRow, mac: string | null): boolean;
  /** Why nothing is done with the row; undefined when it is as it was sealed. Raises no alarm. */
  problemOf(row: SealedRow, mac: string | null): string | undefined;
  /** @throws ServiceError internal-error when it is not as it was sealed, after an alarm */
  check(row: SealedRow, mac: string | null): void;
  /**
   * Raises the alarm for a row that does not fit, or contradicts itself or another one, and answers
   * the error to throw.
   */
  refuse(row: Pick<SealedRow, 'table' | 'id'>, why: string): ServiceError;
}

/**
 * Stands in place of the seal of a row that was found changed, and is stored anew because it ends:
 * it fits nothing.
 */
export const brokenSeal = 'changed';

/** The seal of a row that is stored anew: one only if it had a fitting one before. */
export function sealAgain(
  macs: RowMacs,
  before: { readonly row: SealedRow; readonly mac: string | null },
  after: SealedRow,
): string {
  return macs.fits(before.row, before.mac) ? macs.seal(after) : brokenSeal;
}

const info = 'purser row mac 1';
const macBytes = 32;
const counters = { changed: 0 };

/** Rows that did not fit and were met since the process started, for metrics. */
export function rowMacMetrics(): Readonly<typeof counters> {
  return counters;
}

/**
 * @param keys the first seals, all check: to rotate, put a new one first, seal every row again
 *   ({@link resealTable}), remove the old one; none: this process can neither seal nor check, and
 *   says so when it has to
 */
export function createRowMacs(
  keys: readonly { readonly id: string; readonly key: Secret<Uint8Array> }[],
  log?: Logger,
): RowMacs {
  const derived = new Map(
    keys.map(({ id, key }) => [
      id,
      Buffer.from(hkdfSync('sha256', key.reveal(), '', info, macBytes)),
    ]),
  );
  const first = keys[0]?.id;
  const macOf = (row: SealedRow, keyId: string) =>
    createHmac('sha256', derived.get(keyId)!)
      .update(canonical([row.table, row.id, row.fields]))
      .digest();

  const problemOf = (row: SealedRow, mac: string | null): string | undefined => {
    if (first === undefined)
      throw new Error(
        'KEY_ENCRYPTION_KEYS is not set: rows that decide who may act are checked with it.',
      );
    if (mac === null) return 'it carries no seal, and each row of this table has one';
    if (mac === brokenSeal) return 'it was found changed before';
    const at = mac.lastIndexOf('.');
    const keyId = mac.slice(0, at);
    if (!derived.has(keyId))
      return `it is sealed with key "${keyId}", which is not among KEY_ENCRYPTION_KEYS`;
    const given = Buffer.from(mac.slice(at + 1), 'base64url');
    return given.length === macBytes && timingSafeEqual(given, macOf(row, keyId))
      ? undefined
      : 'it is not as it was sealed';
  };
  const refuse = ({ table, id }: Pick<SealedRow, 'table' | 'id'>, why: string): ServiceError => {
    counters.changed += 1;
    const what = `row ${id} of ${table} was changed behind the service`;
    log?.error({ alarm: 'row-changed', table, rowId: id, why }, `the ${what}: ${why}`);
    return new ServiceError('internal-error', {
      message: `The ${what}, so nothing is done with it: tell the operator of this service.`,
    });
  };

  return {
    seals: true,
    get keyId() {
      if (first === undefined)
        throw new Error(
          'KEY_ENCRYPTION_KEYS is not set: rows that decide who may act are sealed with it.',
        );
      return first;
    },
    seal(row) {
      return `${this.keyId}.${macOf(row, this.keyId).toString('base64url')}`;
    },
    fits: (row, mac) => problemOf(row, mac) === undefined,
    problemOf,
    check(row, mac) {
      const problem = problemOf(row, mac);
      if (problem) throw refuse(row, problem);
    },
    refuse,
  };
}

/**
 * For the copy of keys and issuers that the vault keeps: its rows carry no seal, and whoever tells
 * it of them checks them.
 */
export const unsealedRows: RowMacs = {
  seals: false,
  get keyId(): string {
    throw new Error('Rows of this database carry no seals.');
  },
  seal() {
    throw new Error('Rows of this database carry no seals.');
  },
  fits: () => true,
  problemOf: () => undefined,
  check: () => undefined,
  refuse: ({ table, id }, why) =>
    new ServiceError('internal-error', {
      cause: new Error(`the row ${id} of ${table}: ${why}`),
    }),
};

/** The seals of the process that a store or a transaction belongs to. */
export function rowMacsOf({ rowMacs }: Db): RowMacs {
  if (!rowMacs)
    throw new Error('This database was opened without the keys that rows are sealed with.');
  return rowMacs;
}

/** A table whose rows carry seals, as its owner describes it. */
export interface SealedTable {
  readonly table: string;
  /** Columns, the id and `mac` among them. */
  readonly columns: string;
  /** `id` when absent; a UUID. */
  readonly idColumn?: string;
  /** Which rows carry a seal; all when absent. */
  readonly where?: string;
  /**
   * What an operator who accepts a row sets in it, so that it goes on: of queues, which set a row
   * that does not fit aside.
   */
  readonly resume?: string;
  toSealed(row: never): SealedRow;
}

/** A row of its columns, beside its id and its seal, as it is sealed. */
export function readSealed(
  { toSealed }: SealedTable,
  { row_id: rowId, ...row }: { readonly row_id: string; readonly mac: string | null },
): { readonly rowId: string; readonly row: SealedRow; readonly mac: string | null } {
  return { rowId, row: toSealed(row as never), mac: row.mac };
}

/**
 * Seals every row of a table again that another key than the first has sealed. One that does not
 * fit stays as it is and raises its alarm: a seal is never put on what nobody vouched for. May run
 * beside everything else, and again after an interruption.
 * @returns how many were sealed
 */
export async function resealTable(
  store: Store,
  sealedTable: SealedTable,
  batchSizeMax = 200,
): Promise<number> {
  const { table, columns, where = 'true', idColumn = 'id' } = sealedTable;
  const macs = rowMacsOf(store);
  let after = '00000000-0000-0000-0000-000000000000';
  let sealed = 0;
  for (let count = batchSizeMax; count === batchSizeMax; ) {
    const batch = await store.transaction(async (tx) => {
      const { rows } = await tx.query<{ row_id: string; mac: string | null }>({
        text: `select ${columns}, ${idColumn} as row_id from ${table} where ${idColumn} > $1 and ${where} and mac is not null
          and not starts_with(mac, $2) order by ${idColumn} limit $3 for update`,
        values: [after, `${macs.keyId}.`, batchSizeMax],
      });
      const fitting = rows
        .map((row) => readSealed(sealedTable, row))
        .filter(({ row, mac }) => isFitting(macs, row, mac));
      if (fitting.length > 0)
        await tx.query({
          text: `update ${table} set mac = s.mac from unnest($1::uuid[], $2::text[]) as s(id, mac) where ${table}.${idColumn} = s.id`,
          values: [fitting.map(({ rowId }) => rowId), fitting.map(({ row }) => macs.seal(row))],
        });
      return { count: rows.length, sealed: fitting.length, last: rows.at(-1)?.row_id };
    });
    count = batch.count;
    sealed += batch.sealed;
    after = batch.last ?? after;
  }
  return sealed;
}

/** Whether the row is as it was sealed; raises an alarm when it is not. */
export function isFitting(macs: RowMacs, row: SealedRow, mac: string | null): boolean {
  try {
    macs.check(row, mac);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Of rows that were to be added, those that a statement did not add: each id was there. */
export function leftOut(
  rows: readonly SealedRow[],
  [answer]: readonly { readonly added: readonly string[] | null }[],
): SealedRow[] {
  const added = new Set(answer?.added);
  return rows.filter(({ id }) => !added.has(id));
}

/**
 * Whoever may add rows could put one of his own, with or without a seal, where another one is to
 * stand, so that his is taken for it.
 * @throws ServiceError internal-error, after an alarm, where another row stands
 */
export async function requireSame(
  db: Db,
  { table, idColumn = 'id' }: SealedTable,
  wanted: readonly SealedRow[],
): Promise<void> {
  if (wanted.length === 0) return;
  const { rows } = await db.query<{ row_id: string; mac: string | null }>({
    text: `select ${idColumn} as row_id, mac from ${table} where ${idColumn} = any($1::uuid[])`,
    values: [wanted.map(({ id }) => id)],
  });
  const macs = rowMacsOf(db);
  const byId = new Map(rows.map((row) => [row.row_id, row]));
  for (const one of wanted)
    if (!macs.fits(one, byId.get(one.id)?.mac ?? null))
      throw macs.refuse(one, 'another one stands where it was to be added');
}

/**
 * JSON with sorted keys, because `jsonb` keeps no order. What is absent and what is null are one,
 * as in a column.
 */
export function canonical(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Buffer.isBuffer(value)) return JSON.stringify(value.toString('hex'));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}
