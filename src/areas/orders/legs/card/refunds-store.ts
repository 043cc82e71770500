import type { Db, Tx } from '../../../../store/types.ts';
import type { OrderAmount, OrderRecord } from '../../state/types.ts';

/** Refunds by the acquirer, in the table that refunds on a chain use too. */

export async function insertCardRefund(
  tx: Tx,
  input: { readonly id: string; readonly order: OrderRecord; readonly money: OrderAmount; readonly now: Date },
): Promise<void> {
  const { id, order, money, now } = input;
  await tx.query({
    name: 'card-refund-insert',
    text: `insert into order_refunds (id, order_id, project_id, via, reason, asset, decimals, amount_minor, status, created_at, updated_at)
      values ($1, $2, $3, 'card', 'order', $4, $5, $6, 'pending', $7, $7)`,
    values: [id, order.id, order.projectId, money.asset, money.decimals, money.amountMinor.toString(), now],
  });
}

/** The refund of an order that has not failed; there is at most one. */
export async function selectOpenCardRefund(db: Db, orderId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'card-refund-open',
    text: `select id from order_refunds where order_id = $1 and via = 'card' and status <> 'failed' limit 1`,
    values: [orderId],
  });
  return rows[0]?.id;
}

export async function updateCardRefund(
  tx: Tx,
  input: { readonly id: string; readonly status: 'sent' | 'final' | 'failed'; readonly error?: string; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'card-refund-update',
    text: `update order_refunds set status = $2, error = coalesce($3, error), updated_at = $4 where id = $1 and via = 'card'`,
    values: [input.id, input.status, input.error ?? null, input.now],
  });
}
