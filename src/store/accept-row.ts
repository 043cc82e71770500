import { createHash } from 'node:crypto';
import { canonical, rowMacsOf, type SealedRow, type SealedTable } from './row-mac.ts';
import type { Db, Store, Tx } from './types.ts';

/** A row with a seal as it is now, for an operator to look at. */
export interface SeenRow {
  /** What its seal is over. */
  readonly fields: SealedRow['fields'];
  /** Whether the seal fits. */
  readonly fits: boolean;
  /** Names exactly these fields: whoever accepts the row says it. */
  readonly digest: string;
}

/**
 * 128 bits: whoever writes rows and looks for two sets with one digest has no use of what he finds.
 */
const digestDigits = 32;

/**
 * @returns undefined when there is no such row, or none that carries a seal in its present status
 */
export async function lookAtRow(
  db: Db,
  table: SealedTable,
  id: string,
): Promise<SeenRow | undefined> {
  const found = await selectRow(db, table, id, '');
  return found && seenRow(db, found);
}

/**
 * Puts a seal on a row that does not fit, because an operator looked at it and stands for what it
 * says: it counts from then on. Only on what was looked at: when a field has changed since, nothing
 * happens. The trace of operator commands says who did it.
 * @returns whether the row has a fitting seal now
 */
export async function acceptRow(
  store: Store,
  sealedTable: SealedTable,
  { id, digest }: { readonly id: string; readonly digest: string },
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const found = await selectRow(tx, sealedTable, id, 'for update');
    if (!found || seenRow(tx, found).digest !== digest) return false;
    await sealAsAccepted(tx, sealedTable, [found]);
    return true;
  });
}

interface Found {
  /** In the column by which the row is found; what the seal is over may name it otherwise. */
  readonly rowId: string;
  readonly row: SealedRow;
  readonly mac: string | null;
}

async function selectRow(
  db: Db,
  { table, columns, where = 'true', idColumn = 'id', toSealed }: SealedTable,
  id: string,
  lock: string,
) {
  const { rows } = await db.query<{ mac: string | null }>({
    text: `select ${columns} from ${table} where ${idColumn} = $1 and ${where} ${lock}`,
    values: [id],
  });
  return (
    rows[0] && ({ rowId: id, row: toSealed(rows[0] as never), mac: rows[0].mac } satisfies Found)
  );
}

function seenRow(db: Db, { row, mac }: Found): SeenRow {
  return {
    fields: row.fields,
    fits: rowMacsOf(db).fits(row, mac),
    digest: digestOf(row).slice(0, digestDigits),
  };
}

function digestOf({ table, id, fields }: SealedRow): string {
  return createHash('sha256')
    .update(canonical([table, id, fields]))
    .digest('hex');
}

/** Rows without a seal that one command shows, or accepts. */
const unsealedShownMax = 20_000;

/** Rows that are older than the seals of their tables, as an operator is shown them. */
export interface UnsealedRows {
  readonly rows: readonly {
    readonly table: string;
    readonly id: string;
    readonly row: SealedRow;
  }[];
  /** There are more, to be looked at once these are accepted. */
  readonly hasMore: boolean;
  /** Names exactly these rows and what they say: whoever accepts them says it. */
  readonly digest: string;
}

/**
 * The rows of these tables that carry no seal, by table and id. One whose seal is wrong is not
 * among them.
 */
export async function lookAtUnsealed(
  db: Db,
  tables: readonly SealedTable[],
): Promise<UnsealedRows> {
  const rows: { readonly table: string; readonly id: string; readonly row: SealedRow }[] = [];
  for (const table of tables)
    for (
      let after: string | undefined = firstId;
      after !== undefined && rows.length <= unsealedShownMax;
    ) {
      const page: Found[] = await selectPage(db, table, { after, mac: 'mac is null', lock: '' });
      rows.push(...page.map(({ rowId, row }) => ({ table: table.table, id: rowId, row })));
      after = page.length === pageSize ? page.at(-1)!.rowId : undefined;
    }
  const shown = rows.slice(0, unsealedShownMax);
  const digest = createHash('sha256');
  for (const { row } of shown) digest.update(digestOf(row));
  return {
    rows: shown,
    hasMore: rows.length > shown.length,
    digest: digest.digest('hex').slice(0, digestDigits),
  };
}

/**
 * Seals rows that carry no seal, because an operator looked at all of them and stands for what they
 * say. One that has changed since the look, or has a seal by now, is left as it is. May be repeated
 * after an interruption, with a new look.
 * @returns how many were sealed; undefined, and none is, when the rows are not those that were
 * looked at
 */
export async function acceptUnsealed(
  store: Store,
  tables: readonly SealedTable[],
  { digest }: { readonly digest: string },
): Promise<number | undefined> {
  const seen = await lookAtUnsealed(store, tables);
  if (seen.digest !== digest) return undefined;
  const digests = new Set(seen.rows.map(({ row }) => digestOf(row)));
  let sealed = 0;
  for (const table of tables)
    for (let after: string | undefined = firstId; after !== undefined; )
      after = await store.transaction(async (tx) => {
        const page: Found[] = await selectPage(tx, table, {
          after: after!,
          mac: 'mac is null',
          lock: 'for update',
        });
        const accepted = page.filter(({ row }) => digests.has(digestOf(row)));
        await sealAsAccepted(tx, table, accepted);
        sealed += accepted.length;
        return page.length === pageSize ? page.at(-1)!.rowId : undefined;
      });
  return sealed;
}

async function sealAsAccepted(
  tx: Tx,
  { table, idColumn = 'id', resume }: SealedTable,
  found: readonly Found[],
): Promise<void> {
  const resumed = resume === undefined ? '' : `, ${resume}`;
  await tx.query({
    text: `update ${table} set mac = s.mac${resumed} from unnest($1::uuid[], $2::text[]) as s(id, mac) where ${table}.${idColumn} = s.id`,
    values: [found.map(({ rowId }) => rowId), found.map(({ row }) => rowMacsOf(tx).seal(row))],
  });
}

const firstId = '00000000-0000-0000-0000-000000000000';
const pageSize = 500;

/**
 * Rows whose seal is wrong, and why. Those without one are not among them. Reads every sealed row:
 * for an operator who waits for it.
 */
export async function* findChanged(
  db: Db,
  tables: readonly SealedTable[],
): AsyncGenerator<{ table: string; id: string; why: string }> {
  for (const table of tables)
    for (let after: string | undefined = firstId; after !== undefined; ) {
      const page: Found[] = await selectPage(db, table, {
        after,
        mac: 'mac is not null',
        lock: '',
      });
      for (const { rowId, row, mac } of page) {
        const problem = rowMacsOf(db).problemOf(row, mac);
        if (problem) yield { table: table.table, id: rowId, why: problem.why };
      }
      after = page.length === pageSize ? page.at(-1)!.rowId : undefined;
    }
}

async function selectPage(
  db: Db,
  { table, columns, where = 'true', idColumn = 'id', toSealed }: SealedTable,
  {
    after,
    mac,
    lock,
  }: {
    readonly after: string;
    readonly mac: 'mac is null' | 'mac is not null';
    readonly lock: '' | 'for update';
  },
): Promise<Found[]> {
  const { rows } = await db.query<{ mac: string | null; row_id: string }>({
    text: `select ${columns}, ${idColumn} as row_id from ${table} where ${mac} and ${idColumn} > $1 and ${where} order by ${idColumn} limit ${pageSize} ${lock}`,
    values: [after],
  });
  return rows.map((row) => ({ rowId: row.row_id, row: toSealed(row as never), mac: row.mac }));
}
