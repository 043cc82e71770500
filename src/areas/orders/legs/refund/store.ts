import { rowMacsOf, type SealedRow, type SealedTable } from '../../../../store/row-mac.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import type { RefundStatus } from './machine.ts';

/** Why money goes back: the order's end, what was too much, or what no order took. */
export type RefundReason =
  | 'order'
  | `request-${number}`
  | 'excess'
  | 'second'
  | 'order-closed'
  | 'returned-by-operator';

/**
 * True of what an order in `refunding` sends back: at its end, or of a line item
 * (`request-<index>`) by agreement.
 */
export function isOwedByOrder({ reason }: Pick<ChainRefund, 'reason'>): boolean {
  return reason === 'order' || reason.startsWith('request-');
}

/** Money that goes back to a payer on a chain. */
export interface ChainRefund {
  readonly id: string;
  readonly orderId?: string;
  readonly projectId: string;
  readonly reason: string;
  readonly depositId: string;
  readonly chain: string;
  readonly asset: string;
  readonly decimals: number;
  readonly amountMinor: bigint;
  readonly recipient: string;
  readonly status: RefundStatus;
  readonly txId?: string;
  readonly error?: string;
  /** Id of the treasury's transfer under way; stored before it is sent. */
  readonly transferId: string;
  /** Transfers so far, this one included. */
  readonly transfers: number;
  /** How often it became final. */
  readonly finals: number;
  /** Ledger account in which the money waits. */
  readonly account: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Row {
  id: string;
  order_id: string | null;
  project_id: string;
  reason: string;
  deposit_id: string;
  chain: string;
  asset: string;
  decimals: number;
  amount_minor: string;
  recipient: string;
  status: RefundStatus;
  tx_id: string | null;
  error: string | null;
  transfer_id: string;
  transfers: number;
  finals: number;
  account: string;
  created_at: Date;
  updated_at: Date;
  mac: string | null;
}

const columns = `id, order_id, project_id, reason, deposit_id, chain, asset, decimals, amount_minor, recipient, status, tx_id, error,
  transfer_id, transfers, finals, account, created_at, updated_at, mac`;

const toRecord = (row: Row): ChainRefund => ({
  id: row.id,
  ...(row.order_id !== null && { orderId: row.order_id }),
  projectId: row.project_id,
  reason: row.reason,
  depositId: row.deposit_id,
  chain: row.chain,
  asset: row.asset,
  decimals: row.decimals,
  amountMinor: BigInt(row.amount_minor),
  recipient: row.recipient,
  status: row.status,
  ...(row.tx_id !== null && { txId: row.tx_id }),
  ...(row.error !== null && { error: row.error }),
  transferId: row.transfer_id,
  transfers: row.transfers,
  finals: row.finals,
  account: row.account,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** What goes back of which deposit, and to whom: it never changes. */
function sealedRefund({
  id,
  orderId,
  projectId,
  reason,
  depositId,
  chain,
  asset,
  decimals,
  amountMinor,
  recipient,
  account,
}: ChainRefund): SealedRow {
  const money = { chain, asset, decimals, amountMinor: amountMinor.toString(), recipient, account };
  return {
    table: 'order_refunds',
    id,
    fields: { orderId, projectId, reason, depositId, ...money },
  };
}

export const sealedRefunds: SealedTable = {
  table: 'order_refunds',
  columns,
  where: "via = 'chain'",
  toSealed: (row: Row) => sealedRefund(toRecord(row)),
};

/** @throws internal-error when what goes back, or to whom, was changed behind the service */
export async function requireSealedRefund(db: Db, refund: ChainRefund): Promise<void> {
  const { rows } = await db.query<{ mac: string | null }>({
    name: 'order-refunds-mac',
    text: 'select mac from order_refunds where id = $1',
    values: [refund.id],
  });
  rowMacsOf(db).check(sealedRefund(refund), rows[0]?.mac ?? null);
}

/** @returns false when this deposit goes back for this reason already */
export async function insertRefund(tx: Tx, refund: ChainRefund): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'order-refunds-insert',
    text: `insert into order_refunds (${columns}, via)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, 'chain')
      on conflict (deposit_id, reason) where deposit_id is not null do nothing`,
    values: [
      refund.id,
      refund.orderId ?? null,
      refund.projectId,
      refund.reason,
      refund.depositId,
      refund.chain,
      refund.asset,
      refund.decimals,
      refund.amountMinor.toString(),
      refund.recipient,
      refund.status,
      refund.txId ?? null,
      refund.error ?? null,
      refund.transferId,
      refund.transfers,
      refund.finals,
      refund.account,
      refund.createdAt,
      refund.updatedAt,
      rowMacsOf(tx).seal(sealedRefund(refund)),
    ],
  });
  return rowCount === 1;
}

export async function updateRefund(tx: Tx, from: RefundStatus, refund: ChainRefund): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'order-refunds-update',
    text: `update order_refunds set status = $3, tx_id = $4, error = $5, transfer_id = $6, transfers = $7, finals = $8, updated_at = $9
      where id = $1 and status = $2`,
    values: [
      refund.id,
      from,
      refund.status,
      refund.txId ?? null,
      refund.error ?? null,
      refund.transferId,
      refund.transfers,
      refund.finals,
      refund.updatedAt,
    ],
  });
  if (rowCount !== 1) throw new Error(`refund ${refund.id} left "${from}" while it was locked`);
}

export async function selectRefund(db: Db, id: string): Promise<ChainRefund | undefined> {
  const { rows } = await db.query<Row>({
    name: 'order-refunds-by-id',
    text: `select ${columns} from order_refunds where id = $1 and via = 'chain'`,
    values: [id],
  });
  return rows[0] && toRecord(rows[0]);
}

export async function lockRefund(
  tx: Tx,
  key: { readonly id: string } | { readonly transferId: string },
): Promise<ChainRefund | undefined> {
  const [column, value] = 'id' in key ? ['id', key.id] : ['transfer_id', key.transferId];
  const { rows } = await tx.query<Row>({
    name: `order-refunds-lock-by-${column}`,
    text: `select ${columns} from order_refunds where ${column} = $1 and via = 'chain' for update`,
    values: [value],
  });
  return rows[0] && toRecord(rows[0]);
}

const ofOrderMax = 1_000;

/** Refunds on a chain that belong to an order, oldest first. */
export async function selectRefundsOfOrder(db: Db, orderId: string): Promise<ChainRefund[]> {
  const { rows } = await db.query<Row>({
    name: 'order-refunds-of-order',
    text: `select ${columns} from order_refunds where order_id = $1 and via = 'chain' order by created_at, id limit ${ofOrderMax}`,
    values: [orderId],
  });
  return rows.map(toRecord);
}

/**
 * Refunds without an order that could not be sent, oldest first: nobody but the operator looks at
 * them.
 */
export async function selectFailedReturns(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<ChainRefund[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from order_refunds
      where project_id = $1 and status in ('pending', 'sent', 'failed') and status = 'failed' and order_id is null and via = 'chain'
        and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
      order by created_at, id limit $4`,
    values: [input.projectId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map(toRecord);
}

export async function selectRefundsOfDeposit(db: Db, depositId: string): Promise<ChainRefund[]> {
  const { rows } = await db.query<Row>({
    name: 'order-refunds-of-deposit',
    text: `select ${columns} from order_refunds where deposit_id = $1 and via = 'chain' order by created_at, id limit 100`,
    values: [depositId],
  });
  return rows.map(toRecord);
}

/**
 * True when the ledger has set the money of a refund aside, for the refund or, where nobody took
 * the deposit, with the deposit itself: then all refunds of it together are no more than that.
 */
export async function isSetAside(tx: Tx, refund: ChainRefund): Promise<boolean> {
  const { rows } = await tx.query<{ enough: boolean }>({
    name: 'order-refunds-set-aside',
    text: `with held as (
        select e.reference, -sum(p.posted_minor) as minor from ledger_entries e join ledger_postings p on p.entry_id = e.id
        where e.project_id = $1 and e.hold_id is null and p.account = $2 and p.asset = $3
          and e.reference = any(array(select 'refund:' || $4::uuid || ':held' union all
            select 'deposit:' || d.deposit_id || step || nr from order_deposits d, generate_series(1, least(d.posted, 100)) nr,
              unnest(array[':final:', ':retracted:']) step where d.deposit_id = $5))
        group by e.reference)
      select coalesce((select minor = $6::numeric from held where reference = 'refund:' || $4::uuid || ':held'),
        (select sum(minor) from held) >= (select sum(r.amount_minor) from order_refunds r where r.deposit_id = $5
          and not exists (select 1 from ledger_entries e where e.project_id = $1 and e.hold_id is null and e.reference = 'refund:' || r.id || ':held')),
        false) as enough`,
    values: [
      refund.projectId,
      refund.account,
      refund.asset,
      refund.id,
      refund.depositId,
      refund.amountMinor.toString(),
    ],
  });
  return rows[0]!.enough;
}
