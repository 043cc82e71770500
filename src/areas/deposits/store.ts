import type { ResolvedToken } from '../../chains/family.ts';
import type { Db } from '../../store/types.ts';
import type { DepositStatus } from './machine.ts';

/** Money that came to a treasury. */
export interface DepositRecord {
  readonly id: string;
  /** Rises in the order of recording. */
  readonly nr: bigint;
  readonly projectId: string;
  /** The treasury. */
  readonly walletId: string;
  readonly chain: string;
  /** By its contract, as far as it has one. */
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  /** The payer, canonical. */
  readonly sender: string;
  readonly recipient: string;
  /** 32 bytes, lower-case hex on evm. */
  readonly memo?: string;
  readonly seenId: string;
  readonly txId: string;
  readonly explorerLink?: string;
  /** The transaction of this service that made it. */
  readonly transactionId?: string;
  readonly height: bigint;
  /** Time of its block. */
  readonly includedAt: Date;
  /** When it was first seen. */
  readonly seenAt: Date;
  readonly status: DepositStatus;
  /** A reorganisation has taken it back although it was final. */
  readonly wasFinal: boolean;
  readonly finalAt?: Date;
  readonly orderId?: string;
  /** How it ended where no order took it. */
  readonly resolution?: string;
  readonly note?: string;
  readonly resolvedAt?: Date;
}

export type NewDeposit = Omit<DepositRecord, 'nr' | 'status' | 'wasFinal' | 'finalAt' | 'orderId'>;

interface DepositRow {
  id: string;
  nr: string;
  project_id: string;
  wallet_id: string;
  chain: string;
  token_locator: string;
  token_address: string | null;
  token_symbol: string | null;
  token_decimals: number;
  amount_minor: string;
  sender: string;
  recipient: string;
  memo: string | null;
  seen_id: string;
  tx_id: string;
  explorer_link: string | null;
  transaction_id: string | null;
  height: string;
  included_at: Date;
  seen_at: Date;
  status: DepositStatus;
  was_final: boolean;
  final_at: Date | null;
  order_id: string | null;
  resolution: string | null;
  note: string | null;
  resolved_at: Date | null;
}

const newColumns = [
  'id',
  'project_id',
  'wallet_id',
  'chain',
  'token_locator',
  'token_address',
  'token_symbol',
  'token_decimals',
  'amount_minor',
  'sender',
  'recipient',
  'memo',
  'seen_id',
  'tx_id',
  'explorer_link',
  'transaction_id',
  'height',
  'included_at',
  'seen_at',
  'resolution',
  'note',
  'resolved_at',
];
const columns = [...newColumns, 'nr', 'status', 'was_final', 'final_at', 'order_id']
  .map((column) => `d.${column}`)
  .join(', ');

function toRecord(row: DepositRow): DepositRecord {
  return {
    id: row.id,
    nr: BigInt(row.nr),
    projectId: row.project_id,
    walletId: row.wallet_id,
    chain: row.chain,
    token: {
      chain: row.chain,
      locator: row.token_locator,
      ...(row.token_address === null ? {} : { address: row.token_address }),
      ...(row.token_symbol === null ? {} : { symbol: row.token_symbol }),
      decimals: row.token_decimals,
    },
    amountMinor: BigInt(row.amount_minor),
    sender: row.sender,
    recipient: row.recipient,
    ...(row.memo === null ? {} : { memo: row.memo }),
    seenId: row.seen_id,
    txId: row.tx_id,
    ...(row.explorer_link === null ? {} : { explorerLink: row.explorer_link }),
    ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
    height: BigInt(row.height),
    includedAt: row.included_at,
    seenAt: row.seen_at,
    status: row.status,
    wasFinal: row.was_final,
    ...(row.final_at === null ? {} : { finalAt: row.final_at }),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    ...(row.resolution === null ? {} : { resolution: row.resolution }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.resolved_at === null ? {} : { resolvedAt: row.resolved_at }),
  };
}

/**
 * Records what was seen, at most once per chain and seen id; one that was taken back comes back to
 * life in its new place. Answers what changed, in the order of the chain.
 */
export async function upsertDeposits(
  db: Db,
  deposits: readonly NewDeposit[],
  status: { from: DepositStatus; to: DepositStatus },
) {
  if (deposits.length === 0) return [];
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-upsert',
    text: `insert into deposits as d (${newColumns.join(', ')}, status)
      select ${newColumns.map((column) => `n.${column}`).join(', ')}, $24
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::numeric[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::uuid[], $17::bigint[], $18::timestamptz[], $19::timestamptz[], $20::text[], $21::text[], $22::timestamptz[])
        with ordinality as n (${newColumns.join(', ')}, place) order by n.place
      on conflict (chain, seen_id) do update set status = excluded.status, tx_id = excluded.tx_id, explorer_link = excluded.explorer_link,
        height = excluded.height, included_at = excluded.included_at, memo = excluded.memo,
        transaction_id = coalesce(d.transaction_id, excluded.transaction_id)
        where d.status = $23
      returning ${columns}`,
    values: [
      deposits.map((d) => d.id),
      deposits.map((d) => d.projectId),
      deposits.map((d) => d.walletId),
      deposits.map((d) => d.chain),
      deposits.map((d) => d.token.locator),
      deposits.map((d) => d.token.address ?? null),
      deposits.map((d) => d.token.symbol?.toLowerCase() ?? null),
      deposits.map((d) => d.token.decimals),
      deposits.map((d) => d.amountMinor.toString()),
      deposits.map((d) => d.sender),
      deposits.map((d) => d.recipient),
      deposits.map((d) => d.memo ?? null),
      deposits.map((d) => d.seenId),
      deposits.map((d) => d.txId),
      deposits.map((d) => d.explorerLink ?? null),
      deposits.map((d) => d.transactionId ?? null),
      deposits.map((d) => d.height.toString()),
      deposits.map((d) => d.includedAt),
      deposits.map((d) => d.seenAt),
      deposits.map((d) => d.resolution ?? null),
      deposits.map((d) => d.note ?? null),
      deposits.map((d) => d.resolvedAt ?? null),
      status.from,
      status.to,
    ],
  });
  return inOrder(rows);
}

export async function finalizeUpTo(
  db: Db,
  input: {
    chain: string;
    height: bigint;
    from: readonly DepositStatus[];
    to: DepositStatus;
    at: Date;
  },
): Promise<DepositRecord[]> {
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-finalize',
    text: `update deposits d set status = $3, final_at = $4 where chain = $1 and height <= $2 and status = any($5::text[]) returning ${columns}`,
    values: [input.chain, input.height.toString(), input.to, input.at, input.from],
  });
  return inOrder(rows);
}

export async function retractFrom(
  db: Db,
  input: { chain: string; height: bigint; from: readonly DepositStatus[]; to: DepositStatus },
): Promise<DepositRecord[]> {
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-retract',
    text: `update deposits d set status = $3, was_final = was_final or status = 'final', final_at = null
      where chain = $1 and height >= $2 and status = any($4::text[]) returning ${columns}`,
    values: [input.chain, input.height.toString(), input.to, input.from],
  });
  return inOrder(rows);
}

export interface DepositFilter {
  readonly projectId: string;
  readonly status?: DepositStatus;
  /** Without an order and without an end that an operator gave it. */
  readonly unmatchedOnly?: boolean;
  /** Rows older than this one. */
  readonly before?: bigint;
  readonly limit: number;
}

/** Newest first. */
export async function selectDeposits(db: Db, filter: DepositFilter): Promise<DepositRecord[]> {
  const { rows } = await db.query<DepositRow>({
    name: filter.unmatchedOnly ? 'deposits-unmatched' : 'deposits-page',
    text: `select ${columns} from deposits d
      where project_id = $1 and ($2::text is null or status = $2) and ($3::bigint is null or nr < $3)
        ${filter.unmatchedOnly ? 'and order_id is null and resolution is null' : ''}
      order by nr desc limit $4`,
    values: [
      filter.projectId,
      filter.status ?? null,
      filter.before?.toString() ?? null,
      filter.limit,
    ],
  });
  return rows.map(toRecord);
}

export async function selectDeposit(
  db: Db,
  id: string,
  lock: '' | 'for update' = '',
): Promise<DepositRecord | undefined> {
  const { rows } = await db.query<DepositRow>({
    name: lock === '' ? 'deposits-by-id' : 'deposits-lock',
    text: `select ${columns} from deposits d where id = $1 ${lock}`,
    values: [id],
  });
  return rows[0] && toRecord(rows[0]);
}

/** Deposits of one order: more than one payer sends in earnest. */
const ofOrderMax = 1_000;

/** In the order of recording. */
export async function selectDepositsOfOrder(db: Db, orderId: string): Promise<DepositRecord[]> {
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-of-order',
    text: `select ${columns} from deposits d where order_id = $1 order by nr limit ${ofOrderMax}`,
    values: [orderId],
  });
  return rows.map(toRecord);
}

/** Gives a deposit to an order, unless it has another, or an end. Answers undefined then. */
export async function updateOrder(
  db: Db,
  input: { depositId: string; orderId: string },
): Promise<DepositRecord | undefined> {
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-assign',
    text: `update deposits d set order_id = $2 where id = $1 and coalesce(order_id, $2::uuid) = $2::uuid and resolution is null returning ${columns}`,
    values: [input.depositId, input.orderId],
  });
  return rows[0] && toRecord(rows[0]);
}

export async function updateResolution(
  db: Db,
  input: { depositId: string; resolution: string; note: string | undefined; at: Date },
): Promise<DepositRecord | undefined> {
  const { rows } = await db.query<DepositRow>({
    name: 'deposits-resolve',
    text: `update deposits d set resolution = $2, note = $3, resolved_at = $4
      where id = $1 and order_id is null and coalesce(resolution, $2) = $2 returning ${columns}`,
    values: [input.depositId, input.resolution, input.note ?? null, input.at],
  });
  return rows[0] && toRecord(rows[0]);
}

function inOrder(rows: readonly DepositRow[]): DepositRecord[] {
  return rows
    .map(toRecord)
    .sort((a, b) => (a.height === b.height ? Number(a.nr - b.nr) : Number(a.height - b.height)));
}
