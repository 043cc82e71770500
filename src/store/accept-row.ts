import { createHash } from 'node:crypto';
import { canonical, readSealed, rowMacsOf, type SealedRow, type SealedTable } from './row-mac.ts';
import type { Db, Store } from './types.ts';

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
    const { table, idColumn = 'id', resume } = sealedTable;
    const resumed = resume === undefined ? '' : `, ${resume}`;
    await tx.query({
      text: `update ${table} set mac = $2${resumed} where ${idColumn} = $1`,
      values: [id, rowMacsOf(tx).seal(found.row)],
    });
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

const firstId = '00000000-0000-0000-0000-000000000000';
const pageSize = 500;

/**
 * Rows whose seal is wrong or missing, and why. Reads every sealed row: for an operator who waits
 * for it.
 */
export async function* findChanged(
  db: Db,
  tables: readonly SealedTable[],
): AsyncGenerator<{ table: string; id: string; why: string }> {
  for (const table of tables)
    for (let after: string | undefined = firstId; after !== undefined; ) {
      const page: Found[] = await selectPage(db, table, after);
      for (const { rowId, row, mac } of page) {
        const problem = rowMacsOf(db).problemOf(row, mac);
        if (problem) yield { table: table.table, id: rowId, why: problem };
      }
      after = page.length === pageSize ? page.at(-1)!.rowId : undefined;
    }
}

async function selectPage(db: Db, sealedTable: SealedTable, after: string): Promise<Found[]> {
  const { table, columns, where = 'true', idColumn = 'id' } = sealedTable;
  const { rows } = await db.query<{ mac: string | null; row_id: string }>({
    text: `select ${columns}, ${idColumn} as row_id from ${table} where ${idColumn} > $1 and ${where} order by ${idColumn} limit ${pageSize}`,
    values: [after],
  });
  return rows.map((row) => readSealed(sealedTable, row));
}
