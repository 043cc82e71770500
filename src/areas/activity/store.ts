import type { JsonObject } from '../../lib/json/json.ts';
import { type RowOf, readRow, valueListsOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';

/** One side of a movement: what a wallet of ours sent or received. */
export interface NewTransfer {
  readonly id: string;
  readonly walletId: string;
  readonly direction: 'in' | 'out';
  readonly seenId: string;
  readonly status: 'succeeded' | 'failed';
  readonly chain: string;
  readonly tokenLocator: string;
  readonly tokenAddress?: string;
  readonly tokenKey?: string;
  /** Present for a collectible. */
  readonly tokenId?: string;
  readonly tokenSymbol?: string;
  readonly tokenDecimals: number;
  readonly amountMinor: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly txId?: string;
  readonly explorerLink?: string;
  readonly transactionId?: string;
  readonly error?: JsonObject;
  readonly height?: bigint;
  readonly completedAt: Date;
}

export interface TransferRecord extends NewTransfer {
  /** Rises in the order of recording: decides between rows of the same second. */
  readonly nr: bigint;
}

type TransferRow = RowOf<TransferRecord>;

const columns =
  'id, wallet_id, direction, seen_id, status, chain, token_locator, token_address, token_key, token_id, token_symbol, token_decimals, amount_minor, sender, recipient, tx_id, explorer_link, transaction_id, error, height, completed_at';

const toRecord = (row: TransferRow): TransferRecord =>
  readRow(row, { nr: BigInt, amountMinor: BigInt, height: BigInt });

/**
 * Records what was seen; a row that is there already comes back to life and takes the new place on
 * the chain. Answers the ids that were new: a row that was there keeps its own. No two records may
 * have the same wallet, seen id and direction.
 */
export async function upsertTransfers(
  db: Db,
  records: readonly NewTransfer[],
): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    name: 'activity-upsert',
    text: `insert into wallet_transfers as t (${columns})
      select ${columns} from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::int[], $13::numeric[], $14::text[], $15::text[], $16::text[], $17::text[], $18::uuid[], $19::jsonb[], $20::bigint[], $21::timestamptz[])
        with ordinality as seen (${columns}, nr) order by seen.nr
      on conflict (wallet_id, seen_id, direction) do update set retracted = false, transaction_id = coalesce(t.transaction_id, excluded.transaction_id),
        tx_id = excluded.tx_id, explorer_link = excluded.explorer_link, height = excluded.height, completed_at = excluded.completed_at
      returning t.id`,
    values: valueListsOf(records, columns),
  });
  const ids = new Set(rows.map((row) => row.id));
  return new Set(records.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
}

/** Takes back every row of the chain from a height on; answers how many. */
export async function retractFrom(db: Db, chain: string, fromHeight: bigint): Promise<number> {
  const { rowCount } = await db.query({
    name: 'activity-retract',
    text: 'update wallet_transfers set retracted = true where chain = $1 and height >= $2 and not retracted',
    values: [chain, fromHeight.toString()],
  });
  return rowCount;
}

/** A transfer that counted as failed and then went through after all: the failure never was. */
export async function retractFailures(db: Db, transactionIds: readonly string[]): Promise<void> {
  if (transactionIds.length === 0) return;
  await db.query({
    name: 'activity-retract-failures',
    text: `update wallet_transfers set retracted = true where transaction_id = any($1::uuid[]) and status = 'failed' and not retracted`,
    values: [transactionIds],
  });
}

/** A place between rows in the order of time. */
export interface Position {
  readonly at: Date;
  readonly nr: bigint;
}

export interface PageFilter {
  readonly walletId: string;
  readonly chain: string;
  readonly status: 'succeeded' | 'failed';
  readonly tokenSymbols?: readonly string[];
  readonly tokenKeys?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  /** Rows strictly beyond this place, in the direction of `order`. */
  readonly beyond?: Position;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

export async function selectPage(db: Db, filter: PageFilter): Promise<TransferRecord[]> {
  const beyond = filter.order === 'asc' ? '>' : '<';
  const { rows } = await db.query<TransferRow>({
    name: `activity-page-${filter.order}`,
    text: `select nr, ${columns} from wallet_transfers
      where wallet_id = $1 and chain = $2 and status = $3 and not retracted and token_id is null
        and ($4::text[] is null or token_symbol = any($4::text[]) or token_key = any($5::text[]))
        and ($6::timestamptz is null or completed_at >= $6) and ($7::timestamptz is null or completed_at <= $7)
        and ($8::timestamptz is null or (completed_at, nr) ${beyond} ($8::timestamptz, $9::bigint))
      order by completed_at ${filter.order}, nr ${filter.order} limit $10`,
    values: [
      filter.walletId,
      filter.chain,
      filter.status,
      filter.tokenSymbols ?? null,
      filter.tokenKeys ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.beyond?.at ?? null,
      filter.beyond?.nr.toString() ?? null,
      filter.limit,
    ],
  });
  return rows.map(toRecord);
}

/** A collectible that a wallet holds. */
export interface Holding {
  readonly tokenLocator: string;
  readonly tokenAddress: string;
  readonly tokenKey: string;
  readonly tokenId: string;
  readonly amountMinor: bigint;
}

/** What came in and did not go out, the latest arrival first. */
export async function selectHoldings(
  db: Db,
  input: { walletId: string; chain: string; limit: number; offset: number },
): Promise<Holding[]> {
  const { rows } = await db.query<RowOf<Holding>>({
    name: 'activity-holdings',
    text: `select max(token_locator) as token_locator, max(token_address) as token_address, token_key, token_id,
        sum(case direction when 'in' then amount_minor else -amount_minor end) as amount_minor
      from wallet_transfers
      where wallet_id = $1 and chain = $2 and token_id is not null and not retracted
      group by token_key, token_id
      having sum(case direction when 'in' then amount_minor else -amount_minor end) > 0
      order by max(nr) desc limit $3 offset $4`,
    values: [input.walletId, input.chain, input.limit, input.offset],
  });
  return rows.map((row) => readRow<Holding>(row, { amountMinor: BigInt }));
}

/** Forgets a failure that was taken back: it happened again, and is told as a new one. */
export async function deleteRetracted(
  db: Db,
  { walletId, seenId, direction }: Pick<NewTransfer, 'walletId' | 'seenId' | 'direction'>,
): Promise<void> {
  await db.query({
    name: 'activity-delete-retracted',
    text: 'delete from wallet_transfers where wallet_id = $1 and seen_id = $2 and direction = $3 and retracted',
    values: [walletId, seenId, direction],
  });
}
