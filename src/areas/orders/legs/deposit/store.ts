import { type RowOf, readRow, valuesOf } from '../../../../store/rows.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import { awaitsDepositSql } from '../../state/states.ts';

/** `pays`: counts for its order; `extra`: goes back; `held`: an operator decides. */
export type DepositUse = 'pays' | 'extra' | 'held';

/** Why a deposit does not pay an order. */
export type DepositReason =
  | 'second'
  | 'order-closed'
  | 'wrong-chain'
  | 'wrong-token'
  | 'wrong-payer'
  | 'memo-unknown'
  | 'memo-missing'
  | 'not-recordable';

/** What a deposit is to the orders. */
export interface OrderDeposit {
  readonly depositId: string;
  readonly projectId: string;
  readonly orderId?: string;
  readonly use: DepositUse;
  readonly reason?: DepositReason;
  /** Ledger account that it was posted to. */
  readonly account?: string;
  /** How often it became final. */
  readonly posted: number;
  /** True while it is posted. */
  readonly counts: boolean;
}

type Row = RowOf<OrderDeposit>;

const columns = 'deposit_id, project_id, order_id, use, reason, account, posted, counts';

const toRecord = (row: Row) => readRow<OrderDeposit>(row);

export async function selectOrderDeposit(
  db: Db,
  depositId: string,
): Promise<OrderDeposit | undefined> {
  const { rows } = await db.query<Row>({
    name: 'order-deposits-by-id',
    text: `select ${columns} from order_deposits where deposit_id = $1`,
    values: [depositId],
  });
  return rows[0] && toRecord(rows[0]);
}

/** Stores what a deposit is now, whether it was there or not. */
export async function saveOrderDeposit(
  tx: Tx,
  deposit: OrderDeposit,
  now: Date,
): Promise<OrderDeposit> {
  await tx.query({
    name: 'order-deposits-save',
    text: `insert into order_deposits (${columns}, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
      on conflict (deposit_id) do update set order_id = excluded.order_id, use = excluded.use, reason = excluded.reason,
        account = excluded.account, posted = excluded.posted, counts = excluded.counts, updated_at = excluded.updated_at`,
    values: [...valuesOf(deposit, columns), now],
  });
  return deposit;
}

/** Of a deposit that never was final and is gone: if it comes again, it is looked at anew. */
export async function forgetOrderDeposit(tx: Tx, depositId: string): Promise<void> {
  await tx.query({
    name: 'order-deposits-forget',
    text: 'delete from order_deposits where deposit_id = $1',
    values: [depositId],
  });
}

const ofOrderMax = 1_000;

export async function selectOrderDeposits(db: Db, orderId: string): Promise<OrderDeposit[]> {
  const { rows } = await db.query<Row>({
    name: 'order-deposits-of-order',
    text: `select ${columns} from order_deposits where order_id = $1 order by created_at, deposit_id limit ${ofOrderMax}`,
    values: [orderId],
  });
  return rows.map(toRecord);
}

/** Deposits of a project that wait for its operator, oldest first, behind a place. */
export async function selectHeldDeposits(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<(OrderDeposit & { readonly createdAt: Date })[]> {
  const { rows } = await db.query<Row & { created_at: Date }>({
    text: `select ${columns}, created_at from order_deposits where project_id = $1 and use = 'held'
        and ($2::timestamptz is null or (created_at, deposit_id) > ($2, $3::uuid)) order by created_at, deposit_id limit $4`,
    values: [input.projectId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map((row) => ({ ...toRecord(row), createdAt: row.created_at }));
}

/**
 * The one open order of a payer that asks for exactly this amount; undefined when there is none, or
 * more than one. For deposits that carry no memo.
 */
export async function selectOnlyOpenOrder(
  db: Db,
  input: {
    readonly projectId: string;
    readonly payerKey: string;
    readonly chain: string;
    readonly asset: string;
    readonly amountMinor: bigint;
  },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'orders-open-of-payer',
    text: `select id from orders where project_id = $1 and payer_key = $2 and ${awaitsDepositSql}
        and request->'payment'->>'method' = $3 and terms->'pay'->>'asset' = $4 and terms->'pay'->>'amountMinor' = $5 limit 2`,
    values: [
      input.projectId,
      input.payerKey,
      input.chain,
      input.asset,
      input.amountMinor.toString(),
    ],
  });
  return rows.length === 1 ? rows[0]!.id : undefined;
}
