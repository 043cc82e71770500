import { rowMacsOf, type SealedTable } from '../../store/row-mac.ts';
import type { Store } from '../../store/types.ts';
import { sealedRefunds } from './refunds-store.ts';
import { sealedOrders } from './store.ts';

/** Tests write rows past the service and seal them again, as only who has KEY_ENCRYPTION_KEYS can. */

/** The order's id is `$1` of the statement. */
export async function writeOrder(store: Store, text: string, id: string, ...more: readonly unknown[]): Promise<void> {
  await store.query({ text, values: [id, ...more] });
  await sealAgain(store, sealedOrders, 'id', id);
}

/** Of the order whose id is `$1` of the statement. */
export async function writeRefunds(store: Store, text: string, orderId: string, ...more: readonly unknown[]): Promise<void> {
  await store.query({ text, values: [orderId, ...more] });
  await sealAgain(store, sealedRefunds, 'order_id', orderId);
}

async function sealAgain(store: Store, { table, columns, toSealed }: SealedTable, by: 'id' | 'order_id', id: string): Promise<void> {
  const { rows } = await store.query<{ id: string }>({ text: `select ${columns} from ${table} where ${by} = $1`, values: [id] });
  for (const row of rows)
    await store.query({
      text: `update ${table} set mac = $2 where id = $1`,
      values: [row.id, rowMacsOf(store).seal(toSealed(row as never))],
    });
}
