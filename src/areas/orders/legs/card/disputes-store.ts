import type { Db, Tx } from '../../../../store/types.ts';
import type { OrderRecord } from '../../state/types.ts';

export interface DisputeRow {
  readonly provider: string;
  /** The acquirer's id. */
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
}

export interface DisputeKey {
  readonly provider: string;
  readonly reference: string;
}

export async function insertDispute(tx: Tx, dispute: DisputeRow & { readonly order: OrderRecord; readonly now: Date }): Promise<void> {
  const { provider, reference, order, currency, amountMinor, reason, status, now } = dispute;
  await tx.query({
    name: 'dispute-insert',
    text: `insert into order_disputes (provider, reference, order_id, project_id, currency, amount_minor, reason, status, opened_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [provider, reference, order.id, order.projectId, currency, amountMinor.toString(), reason, status, now],
  });
}

export async function selectDispute(db: Db, { provider, reference }: DisputeKey): Promise<DisputeRow | undefined> {
  const { rows } = await db.query<{ currency: string; amount_minor: string; reason: string; status: DisputeRow['status'] }>({
    name: 'dispute-by-reference',
    text: 'select currency, amount_minor, reason, status from order_disputes where provider = $1 and reference = $2',
    values: [provider, reference],
  });
  const [row] = rows;
  return (
    row && { provider, reference, currency: row.currency, amountMinor: BigInt(row.amount_minor), reason: row.reason, status: row.status }
  );
}

export async function decideDispute(
  tx: Tx,
  { provider, reference, status, now }: DisputeKey & { readonly status: 'won' | 'lost'; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'dispute-decide',
    text: `update order_disputes set status = $3, decided_at = $4 where provider = $1 and reference = $2 and status = 'open'`,
    values: [provider, reference, status, now],
  });
}

/** What is taken back now: by disputes that are open or lost. */
export async function sumDisputes(db: Db, orderId: string): Promise<bigint> {
  const { rows } = await db.query<{ sum: string }>({
    name: 'disputes-sum',
    text: `select coalesce(sum(amount_minor), 0)::text as sum from order_disputes where order_id = $1 and status <> 'won'`,
    values: [orderId],
  });
  return BigInt(rows[0]!.sum);
}
