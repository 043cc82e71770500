import type { ResolvedToken } from '../../chains/family.ts';
import { type RowOf, readRow, valueListsOf } from '../../store/rows.ts';
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

type PlainDeposit = Omit<DepositRecord, 'token'>;

interface DepositRow extends RowOf<PlainDeposit> {
  readonly token_locator: string;
  readonly token_address: string | null;
  readonly token_symbol: string | null;
  readonly token_decimals: number;
}

const newColumns =
  'id, project_id, wallet_id, chain, token_locator, token_address, token_symbol, token_decimals, amount_minor, sender, recipient, memo, seen_id, tx_id, explorer_link, transaction_id, height, included_at, seen_at, resolution, note, resolved_at';
const prefixed = (prefix: string, columns: string) => columns.replaceAll(/\w+/g, `${prefix}.$&`);
const columns = prefixed('d', `${newColumns}, nr, status, was_final, final_at, order_id`);

function toRecord(row: DepositRow): DepositRecord {
  const { token_locator, token_address, token_symbol, token_decimals, ...plain } = row;
  return {
    ...readRow<PlainDeposit>(plain, { nr: BigInt, amountMinor: BigInt, height: BigInt }),
    token: {
      chain: row.chain,
      locator: token_locator,
      ...(token_address !== null && { address: token_address }),
      ...(token_symbol !== null && { symbol: token_symbol }),
      decimals: token_decimals,
    },
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
    text: `insert into deposits as d (${newColumns}, status)
      select ${prefixed('n', newColumns)}, $24
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::numeric[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::uuid[], $17::bigint[], $18::timestamptz[], $19::timestamptz[], $20::text[], $21::text[], $22::timestamptz[])
        with ordinality as n (${newColumns}, place) order by n.place
      on conflict (chain, seen_id) do update set status = excluded.status, tx_id = excluded.tx_id, explorer_link = excluded.explorer_link,
        height = excluded.height, included_at = excluded.included_at, memo = excluded.memo,
        transaction_id = coalesce(d.transaction_id, excluded.transaction_id)
        where d.status = $23
      returning ${columns}`,
    values: [
      ...valueListsOf(
        deposits.map(({ token, ...deposit }) => ({
          ...deposit,
          tokenLocator: token.locator,
          tokenAddress: token.address,
          tokenSymbol: token.symbol?.toLowerCase(),
          tokenDecimals: token.decimals,
        })),
        newColumns,
      ),
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
