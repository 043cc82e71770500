import type { ChainType, OperationError, WalletType } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow, valueListsOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { Approvals } from '../approvals/index.ts';
import type { TransactionStatus } from './machine.ts';

/** What a transaction is for: beside transactions themselves, which area hears of its end. */
export type TransactionSubject = 'transaction' | 'treasury-transfer' | 'signer-change';

export interface TransactionRecord {
  readonly id: string;
  readonly projectId: string;
  readonly walletId: string;
  readonly chainType: ChainType;
  readonly walletType: WalletType;
  readonly chain: string;
  readonly subject: TransactionSubject;
  readonly status: TransactionStatus;
  readonly params: JsonObject;
  readonly operation: JsonObject;
  readonly onChain: JsonObject;
  readonly approvals: Approvals;
  readonly sendParams?: JsonObject;
  readonly tokenLocator?: string;
  readonly fees: JsonObject;
  /** What the simulation says will change. */
  readonly preview?: JsonObject;
  /**
   * Addresses that are screened again when the last approval arrives; absent when none is awaited.
   */
  readonly counterparties?: readonly string[];
  /**
   * Price of the native token's smallest unit when the transaction was made, as a decimal; absent
   * when nobody knew it.
   */
  readonly usdPerFeeUnit?: string;
  readonly error?: OperationError;
  readonly createdAt: Date;
  readonly completedAt?: Date;
  readonly validUntil: Date;
}

type TransactionRow = RowOf<TransactionRecord> & { readonly mac: string | null };

const columns =
  'id, project_id, wallet_id, chain_type, wallet_type, chain, subject, status, params, operation, on_chain, approvals, send_params, token_locator, fees, preview, counterparties, usd_per_fee_unit, error, created_at, completed_at, valid_until, mac';

/**
 * What approvals are asked for, of whom, and what they are shown: sealed for as long as that is
 * open.
 */
function sealedTransaction(record: TransactionRecord): SealedRow {
  const fields = fieldsOf(
    record,
    'projectId, walletId, chainType, walletType, chain, subject, params, operation, approvals, sendParams, tokenLocator, onChain, preview, createdAt, counterparties, validUntil',
  );
  return { table: 'transactions', id: record.id, fields };
}

function isOpen({ status }: Pick<TransactionRecord, 'status'>): boolean {
  return status === 'awaiting-approval';
}

export const sealedTransactions: SealedTable = {
  table: 'transactions',
  columns,
  where: "status = 'awaiting-approval'",
  toSealed: (row: TransactionRow) => sealedTransaction(recordOf(row)),
};

/** @throws internal-error when it awaits approvals and the row was changed behind the service */
function toRecord(db: Db, row: TransactionRow): TransactionRecord {
  const record = recordOf(row);
  if (isOpen(record)) rowMacsOf(db).check(sealedTransaction(record), row.mac);
  return record;
}

const recordOf = (row: TransactionRow) => readRow<TransactionRecord>(row);

const newColumns =
  'id, project_id, wallet_id, chain_type, wallet_type, chain, status, params, operation, on_chain, approvals, send_params, token_locator, fees, preview, counterparties, usd_per_fee_unit, created_at, valid_until, subject';

export async function insertTransactions(
  db: Db,
  items: readonly TransactionRecord[],
): Promise<void> {
  await db.query({
    name: 'transactions-insert',
    text: `insert into transactions (${newColumns}, mac)
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[], $10::jsonb[], $11::jsonb[], $12::jsonb[], $13::text[], $14::jsonb[], $15::jsonb[], $16::jsonb[], $17::numeric[], $18::timestamptz[], $19::timestamptz[], $20::text[], $21::text[])`,
    values: [
      ...valueListsOf(items, newColumns),
      items.map((item) => (isOpen(item) ? rowMacsOf(db).seal(sealedTransaction(item)) : null)),
    ],
  });
}

export async function selectTransaction(
  db: Db,
  key: { walletId: string; id: string },
): Promise<TransactionRecord | undefined> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-by-id',
    text: `select ${columns} from transactions where id = $1 and wallet_id = $2`,
    values: [key.id, key.walletId],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/** Locks the row until the database transaction ends. */
export async function lockTransaction(
  db: Db,
  key: { walletId: string; id: string },
): Promise<TransactionRecord | undefined> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-lock',
    text: `select ${columns} from transactions where id = $1 and wallet_id = $2 for update`,
    values: [key.id, key.walletId],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/**
 * As somebody who reads a list sees one: what awaits approvals and was changed behind the service,
 * or was sealed by an earlier version, can never be approved, and shows nothing of what stands in
 * its row. Its alarm is raised.
 */
function toListed(db: Db, row: TransactionRow): TransactionRecord {
  const record = recordOf(row);
  if (!isOpen(record)) return record;
  const [macs, sealed] = [rowMacsOf(db), sealedTransaction(record)];
  const why = macs.problemOf(sealed, row.mac);
  if (why === undefined) return record;
  macs.refuse(sealed, why);
  const { id, projectId, walletId, chainType, walletType, chain, subject, createdAt } = record;
  return {
    id,
    projectId,
    walletId,
    chainType,
    walletType,
    chain,
    subject,
    createdAt,
    status: 'failed',
    params: {},
    operation: {},
    onChain: {},
    approvals: { pending: [], submitted: [] },
    fees: record.fees,
    error: { reason: 'unknown', message: unreadable },
    validUntil: record.validUntil,
  };
}

const unreadable =
  'The transaction was changed behind the service, or made before an upgrade of it, and cannot be approved. Create it again, or ask the operator of the service to look at its row.';

/** Newest first. */
export async function selectTransactions(
  db: Db,
  filter: { walletId: string; from?: Date; to?: Date; limit: number; offset: number },
): Promise<TransactionRecord[]> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-list',
    text: `select ${columns} from transactions
      where wallet_id = $1 and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at <= $3)
      order by created_at desc, id desc limit $4 offset $5`,
    values: [filter.walletId, filter.from ?? null, filter.to ?? null, filter.limit, filter.offset],
  });
  return rows.map((row) => toListed(db, row));
}

/** By id, within one wallet; unknown ids are left out. */
export async function selectTransactionsById(
  db: Db,
  key: { walletId: string; ids: readonly string[] },
): Promise<TransactionRecord[]> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-by-ids',
    text: `select ${columns} from transactions where id = any($1::uuid[]) and wallet_id = $2`,
    values: [key.ids, key.walletId],
  });
  return rows.map((row) => toRecord(db, row));
}

/**
 * Of a wallet, for the project's operator: the newest first, behind a place. What is asked of
 * nobody is not checked against its seal.
 */
export async function selectTransactionLines(
  db: Db,
  input: {
    readonly walletId: string;
    readonly status?: TransactionStatus | undefined;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<TransactionRecord[]> {
  const { rows } = await db.query<TransactionRow>({
    text: `select ${columns} from transactions where wallet_id = $1 and ($2::text is null or status = $2)
        and (created_at, id) < ($3::timestamptz, $4::uuid)
      order by created_at desc, id desc limit $5`,
    values: [
      input.walletId,
      input.status ?? null,
      input.before?.at ?? 'infinity',
      input.before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      input.limit,
    ],
  });
  return rows.map(recordOf);
}

/** Those of a wallet that ask somebody to sign this message now: the newest, 100 at most. */
export async function selectTransactionsAsking(
  db: Db,
  filter: { walletId: string; message: string; now: Date },
): Promise<TransactionRecord[]> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-asking',
    text: `select ${columns} from transactions
      where wallet_id = $1 and status = 'awaiting-approval' and valid_until > $3
        and jsonb_path_exists(approvals, '$.pending.**.message ? (@ == $message)', jsonb_build_object('message', $2::text))
      order by created_at desc limit 100`,
    values: [filter.walletId, filter.message, filter.now],
  });
  return rows.map((row) => toRecord(db, row));
}

/** Stores the approvals of a locked transaction and the status they lead to. */
export async function updateApprovals(
  db: Db,
  from: TransactionStatus,
  to: TransactionRecord,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'transactions-approve',
    text: 'update transactions set approvals = $4, status = $3, mac = $5 where id = $1 and status = $2',
    values: [
      to.id,
      from,
      to.status,
      JSON.stringify(to.approvals),
      isOpen(to) ? rowMacsOf(db).seal(sealedTransaction(to)) : null,
    ],
  });
  if (rowCount !== 1) throw new Error(`transaction ${to.id} left "${from}" while it was locked`);
}

export interface Settlement {
  readonly id: string;
  readonly status: TransactionStatus;
  /** Merged into `onChain` and `fees`. */
  readonly onChain: JsonObject;
  readonly fees: JsonObject;
  /** What it cost, in the smallest unit of the native token; absent when nobody knows. */
  readonly costMinor?: bigint;
  readonly error?: OperationError;
  readonly at: Date;
}

/**
 * What is billed follows from the cost and the price at creation; a success whose cost nobody knows
 * cannot be billed.
 */
const billed = `case
        when s.cost is not null and t.usd_per_fee_unit is not null
          then jsonb_build_object('billed', jsonb_build_object('usd', round(s.cost * t.usd_per_fee_unit, 6)), 'billing', jsonb_build_object('status', 'settled'))
        when not t.fees ? 'billing' then '{}'::jsonb
        else jsonb_build_object('billing', jsonb_build_object('status', 'failed'))
      end`;

const settleText = `update transactions t set status = s.status, on_chain = t.on_chain || s.on_chain, fees = t.fees || s.fees || ${billed}, error = s.error, completed_at = coalesce(t.completed_at, s.at)
      from unnest($2::uuid[], $3::text[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::timestamptz[], $8::numeric[]) as s (id, status, on_chain, fees, error, at, cost)
      where t.id = s.id and t.status = any($1::text[])`;

function settleValues(
  from: readonly TransactionStatus[],
  settlements: readonly Settlement[],
): unknown[] {
  return [
    from,
    settlements.map((s) => s.id),
    settlements.map((s) => s.status),
    settlements.map((s) => JSON.stringify(s.onChain)),
    settlements.map((s) => JSON.stringify(s.fees)),
    settlements.map((s) => (s.error === undefined ? null : JSON.stringify(s.error))),
    settlements.map((s) => s.at),
    settlements.map((s) => s.costMinor?.toString() ?? null),
  ];
}

/**
 * Ends every transaction that is in one of `from`; answers those that this call changed. The first
 * time of ending stays.
 */
export async function settleTransactions(
  db: Db,
  from: readonly TransactionStatus[],
  settlements: readonly Settlement[],
): Promise<TransactionRecord[]> {
  const { rows } = await db.query<TransactionRow>({
    name: 'transactions-settle',
    text: `${settleText}
      returning ${columns
        .split(', ')
        .map((column) => `t.${column}`)
        .join(', ')}`,
    values: settleValues(from, settlements),
  });
  return rows.map((row) => toRecord(db, row));
}

/**
 * As {@link settleTransactions} where nobody asks which they were: the rows, some kilobytes each,
 * stay where they are.
 */
export async function endTransactions(
  db: Db,
  from: readonly TransactionStatus[],
  settlements: readonly Settlement[],
): Promise<void> {
  await db.query({
    name: 'transactions-end',
    text: settleText,
    values: settleValues(from, settlements),
  });
}

/** Ids of transactions whose approval window has passed, oldest first. */
export async function selectOverdue(
  db: Db,
  input: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'transactions-overdue',
    text: `select id from transactions where status = 'awaiting-approval' and valid_until <= $1 order by valid_until limit $2 for update skip locked`,
    values: [input.now, input.limit],
  });
  return rows.map((row) => row.id);
}
