import { rowMacsOf, type SealedTable } from '../../../store/row-mac.ts';
import type { Store } from '../../../store/types.ts';
import { sealedRefunds } from '../legs/refund/store.ts';
import { sealedOrders } from '../state/store.ts';

/**
 * Tests write rows past the service and seal them again, as only who has KEY_ENCRYPTION_KEYS can.
 */

/** The order's id is `$1` of the statement. */
export async function writeOrder(
  store: Store,
  text: string,
  id: string,
  ...more: readonly unknown[]
): Promise<void> {
  await writeSealed(store, sealedOrders, { by: 'id', text, values: [id, ...more] });
}

/** Of the order whose id is `$1` of the statement. */
export async function writeRefunds(
  store: Store,
  text: string,
  orderId: string,
  ...more: readonly unknown[]
): Promise<void> {
  await writeSealed(store, sealedRefunds, { by: 'order_id', text, values: [orderId, ...more] });
}

/** In one transaction: nobody sees a row between. */
function writeSealed(
  store: Store,
  { table, columns, toSealed }: SealedTable,
  {
    by,
    text,
    values,
  }: { readonly by: 'id' | 'order_id'; readonly text: string; readonly values: readonly unknown[] },
): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.query({ text, values });
    const { rows } = await tx.query<{ id: string }>({
      text: `select ${columns} from ${table} where ${by} = $1`,
      values: [values[0]],
    });
    for (const row of rows)
      await tx.query({
        text: `update ${table} set mac = $2 where id = $1`,
        values: [row.id, rowMacsOf(tx).seal(toSealed(row as never))],
      });
  });
}
