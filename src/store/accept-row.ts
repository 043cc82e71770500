import { createHash } from 'node:crypto';
import { canonical, rowMacsOf, type SealedRow, type SealedTable } from './row-mac.ts';
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

const digestDigits = 16;

/** @returns undefined when there is no such row, or none that carries a seal in its present status */
export async function lookAtRow(db: Db, table: SealedTable, id: string): Promise<SeenRow | undefined> {
  const found = await selectRow(db, table, id, '');
  return found && seenRow(db, found);
}

/**
 * Puts a seal on a row that does not fit, because an operator looked at it and stands for what it says: it counts from then on. Only
 * on what was looked at: when a field has changed since, nothing happens. The trace of operator commands says who did it.
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
    const { table, idColumn = 'id' } = sealedTable;
    await tx.query({ text: `update ${table} set mac = $2 where ${idColumn} = $1`, values: [id, rowMacsOf(tx).seal(found.row)] });
    return true;
  });
}

interface Found {
  readonly row: SealedRow;
  readonly mac: string | null;
}

async function selectRow(db: Db, { table, columns, where = 'true', idColumn = 'id', toSealed }: SealedTable, id: string, lock: string) {
  const { rows } = await db.query<{ mac: string | null }>({
    text: `select ${columns} from ${table} where ${idColumn} = $1 and ${where} ${lock}`,
    values: [id],
  });
  return rows[0] && ({ row: toSealed(rows[0] as never), mac: rows[0].mac } satisfies Found);
}

function seenRow(db: Db, { row, mac }: Found): SeenRow {
  const digest = createHash('sha256')
    .update(canonical([row.table, row.id, row.fields]))
    .digest('hex')
    .slice(0, digestDigits);
  return { fields: row.fields, fits: rowMacsOf(db).fits(row, mac), digest };
}
