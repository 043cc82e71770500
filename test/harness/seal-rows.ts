import { readSealed, rowMacsOf, type SealedTable } from '../../src/store/row-mac.ts';
import type { Store } from '../../src/store/types.ts';

/**
 * Tests write rows past the service: those without a seal get one, as only who has
 * KEY_ENCRYPTION_KEYS can give.
 */
export async function sealRows(store: Store, sealedTable: SealedTable): Promise<void> {
  const { table, columns, idColumn = 'id' } = sealedTable;
  const macs = rowMacsOf(store);
  const { rows } = await store.query<{ row_id: string; mac: null }>({
    text: `select ${columns}, ${idColumn} as row_id from ${table} where mac is null limit 20000`,
  });
  await store.query({
    text: `update ${table} set mac = s.mac from unnest($1::text[], $2::text[]) as s(id, mac) where ${table}.${idColumn}::text = s.id`,
    values: [
      rows.map(({ row_id }) => row_id),
      rows.map((row) => macs.seal(readSealed(sealedTable, row).row)),
    ],
  });
}
