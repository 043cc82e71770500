import type { Db, Tx } from '../../../../store/types.ts';
import type { refundStatuses } from '../../api/schema-reads.ts';

/** Keeps a posted transaction for an order. @returns the order that has it, maybe another one */
export async function claimTx(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly chain: string;
    readonly txId: string;
    readonly orderId: string;
    readonly at: Date;
  },
): Promise<string> {
  const { rows } = await tx.query<{ order_id: string }>({
    name: 'order-posted-txs-claim',
    // The update writes what was there, so that the row of another order is answered too.
    text: `insert into order_posted_txs as p (project_id, chain, tx_id, order_id, posted_at) values ($1, $2, $3, $4, $5)
      on conflict (project_id, chain, tx_id) do update set order_id = p.order_id returning order_id`,
    values: [input.projectId, input.chain, input.txId, input.orderId, input.at],
  });
  return rows[0]!.order_id;
}

/**
 * Lets go of a posted transaction that turned out to be none of the order's: another order may post
 * it.
 */
export async function releaseTx(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly chain: string;
    readonly txId: string;
    readonly orderId: string;
  },
): Promise<void> {
  await tx.query({
    name: 'order-posted-txs-release',
    text: 'delete from order_posted_txs where project_id = $1 and chain = $2 and tx_id = $3 and order_id = $4',
    values: [input.projectId, input.chain, input.txId, input.orderId],
  });
}

export type RefundRequestStatus = (typeof refundStatuses)[number];

export interface RefundRequest {
  readonly id: string;
  readonly orderId: string;
  readonly projectId: string;
  readonly lineItem: number;
  readonly reason: string;
  readonly status: RefundRequestStatus;
  readonly createdAt: Date;
}

interface RefundRow {
  id: string;
  order_id: string;
  project_id: string;
  line_item: number;
  reason: string;
  status: RefundRequestStatus;
  created_at: Date;
}

const columns = 'id, order_id, project_id, line_item, reason, status, created_at';
const perOrderMax = 100;

/** @returns false when one is open or was accepted already */
export async function insertRefundRequest(tx: Tx, request: RefundRequest): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'order-refund-requests-insert',
    text: `insert into order_refund_requests (${columns}, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing`,
    values: [
      request.id,
      request.orderId,
      request.projectId,
      request.lineItem,
      request.reason,
      request.status,
      request.createdAt,
    ],
  });
  return rowCount === 1;
}

/** Oldest first; at most 100. */
export async function selectRefundRequests(
  db: Db,
  input: { readonly orderId: string; readonly lineItem?: number | undefined },
): Promise<RefundRequest[]> {
  const { rows } = await db.query<RefundRow>({
    name: 'order-refund-requests-of',
    text: `select ${columns} from order_refund_requests where order_id = $1 and ($2::int is null or line_item = $2)
      order by created_at, id limit ${perOrderMax}`,
    values: [input.orderId, input.lineItem ?? null],
  });
  return rows.map(toRequest);
}

/** Requests of a project that wait for the operator, oldest first, behind a place. */
export async function selectOpenRequests(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<RefundRequest[]> {
  const { rows } = await db.query<RefundRow>({
    text: `select ${columns} from order_refund_requests where project_id = $1 and status in ('initiated', 'accepted')
        and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid)) order by created_at, id limit $4`,
    values: [input.projectId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map(toRequest);
}

/**
 * Moves the oldest request of an order, or of a line item, that is in `from`.
 * @returns undefined when there is none
 */
export async function moveRefundRequest(
  tx: Tx,
  input: {
    readonly orderId: string;
    readonly lineItem?: number | undefined;
    readonly from: RefundRequestStatus;
    readonly to: RefundRequestStatus;
    readonly at: Date;
  },
): Promise<RefundRequest | undefined> {
  const { rows } = await tx.query<RefundRow>({
    name: 'order-refund-requests-move',
    text: `update order_refund_requests set status = $3, updated_at = $4
      where id = (select id from order_refund_requests where order_id = $1 and status = $2 and ($5::int is null or line_item = $5)
        order by created_at, id limit 1) returning ${columns}`,
    values: [input.orderId, input.from, input.to, input.at, input.lineItem ?? null],
  });
  return rows[0] && toRequest(rows[0]);
}

/** The money of every request of an order in one of these states has gone back. */
export async function completeRefundRequests(
  tx: Tx,
  {
    orderId,
    from,
    at,
  }: { readonly orderId: string; readonly from: readonly RefundRequestStatus[]; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'order-refund-requests-complete',
    text: `update order_refund_requests set status = 'completed', updated_at = $2 where order_id = $1 and status = any($3)`,
    values: [orderId, at, from],
  });
}

function toRequest(row: RefundRow): RefundRequest {
  return {
    id: row.id,
    orderId: row.order_id,
    projectId: row.project_id,
    lineItem: row.line_item,
    reason: row.reason,
    status: row.status,
    createdAt: row.created_at,
  };
}
