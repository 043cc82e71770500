import { createHash } from 'node:crypto';
import type { OperationError, ResolvedToken } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { canonical } from '../../store/row-mac.ts';
import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { TreasuryTransferStatus } from './machine.ts';

/** Something that left a treasury, or is to leave it. */
export interface TreasuryTransfer {
  /** The transaction's id. */
  readonly id: string;
  /** Rises in the order of sending. */
  readonly nr: bigint;
  readonly projectId: string;
  readonly walletId: string;
  /** Whose it is, e.g. `order:<id>`. */
  readonly subject: string;
  readonly chain: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly recipient: string;
  /** An item of a collection, which no account of the ledger has. */
  readonly collectible: boolean;
  readonly status: TreasuryTransferStatus;
  readonly txId?: string;
  /** Where the chain executed it; absent while no block that was read has it. */
  readonly height?: bigint;
  /** Whether it moved anything there. */
  readonly executed?: boolean;
  readonly error?: OperationError;
  /** What it cost the service, in the native token's smallest unit. */
  readonly costMinor?: bigint;
  readonly createdAt: Date;
  readonly settledAt?: Date;
  readonly finalAt?: Date;
}

type PlainTransfer = Omit<TreasuryTransfer, 'token'>;

interface TransferRow extends RowOf<PlainTransfer> {
  readonly token_locator: string;
  readonly token_address: string | null;
  readonly token_symbol: string | null;
  readonly token_decimals: number;
  readonly token_id: string | null;
}

const columns =
  'id, nr, project_id, wallet_id, subject, chain, token_locator, token_address, token_symbol, token_decimals, amount_minor, recipient, collectible, token_id, status, tx_id, height, executed, error, cost_minor, created_at, settled_at, final_at';

const bigIntegers = { nr: BigInt, amountMinor: BigInt, height: BigInt, costMinor: BigInt };

function toRecord(row: TransferRow): TreasuryTransfer {
  const { token_locator, token_address, token_symbol, token_decimals, token_id, ...plain } = row;
  return {
    ...readRow<PlainTransfer>(plain, bigIntegers),
    token: {
      chain: row.chain,
      locator: token_locator,
      ...(token_address !== null && { address: token_address }),
      ...(token_id !== null && { tokenId: token_id }),
      ...(token_symbol !== null && { symbol: token_symbol }),
      decimals: token_decimals,
    },
  };
}

const digestOf = (operation: JsonObject) =>
  createHash('sha256').update(canonical(operation)).digest();

const newColumns =
  'id, project_id, wallet_id, subject, chain, token_locator, token_address, token_symbol, token_decimals, amount_minor, recipient, collectible, token_id, status, created_at';

/**
 * Together with the operation that is handed over for it. False when there is one of this id
 * already.
 */
export async function insertTransfer(
  db: Db,
  transfer: Omit<TreasuryTransfer, 'nr'>,
  operation: JsonObject,
): Promise<boolean> {
  const { address, symbol, decimals, tokenId, locator } = transfer.token;
  const stored = {
    ...transfer,
    tokenLocator: locator,
    tokenAddress: address,
    tokenSymbol: symbol,
    tokenDecimals: decimals,
    tokenId,
  };
  const { rowCount } = await db.query({
    name: 'treasury-insert',
    text: `insert into treasury_transfers (${newColumns}, operation_digest)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict (id) do nothing`,
    values: [...valuesOf(stored, newColumns), digestOf(operation)],
  });
  return rowCount === 1;
}

/** Whether a transfer of this treasury that has not ended hands this operation over. */
export async function isTransferOf(
  db: Db,
  { walletId, operation }: { readonly walletId: string; readonly operation: JsonObject },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'treasury-operation',
    text: `select 1 from treasury_transfers where operation_digest = $2 and wallet_id = $1 and status = 'pending' limit 1`,
    values: [walletId, digestOf(operation)],
  });
  return rowCount > 0;
}

export async function selectTransfer(db: Db, id: string): Promise<TreasuryTransfer | undefined> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-by-id',
    text: `select ${columns} from treasury_transfers where id = $1`,
    values: [id],
  });
  return rows[0] && toRecord(rows[0]);
}

/** Newest first. */
export async function selectTransfers(
  db: Db,
  filter: { projectId: string; before?: bigint; limit: number },
): Promise<TreasuryTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-page',
    text: `select ${columns} from treasury_transfers where project_id = $1 and ($2::bigint is null or nr < $2) order by nr desc limit $3`,
    values: [filter.projectId, filter.before?.toString() ?? null, filter.limit],
  });
  return rows.map(toRecord);
}

const looked = 10_000;

/**
 * What left the treasuries since then, by token as in the ledger: of the newest ten thousand
 * transfers of each project.
 */
export async function selectOutflow(
  db: Db,
  input: { readonly projectIds: readonly string[]; readonly since: Date },
): Promise<{ readonly projectId: string; readonly asset: string; readonly amountMinor: bigint }[]> {
  const { rows } = await db.query<{ project_id: string; asset: string; amount: string }>({
    text: `select p.id as project_id, t.chain || ':' || coalesce(t.token_address, 'native') as asset, sum(t.amount_minor)::text as amount
      from unnest($1::uuid[]) p (id) cross join lateral (
        select chain, token_address, amount_minor, created_at, status, collectible from treasury_transfers
        where project_id = p.id order by nr desc limit ${looked}) t
      where t.created_at > $2 and t.status <> 'failed' and not t.collectible group by 1, 2`,
    values: [input.projectIds, input.since],
  });
  return rows.map(({ project_id: projectId, asset, amount }) => ({
    projectId,
    asset,
    amountMinor: BigInt(amount),
  }));
}

const ofSubjectMax = 1_000;

/** In the order of sending. */
export async function selectTransfersOfSubject(
  db: Db,
  subject: string,
): Promise<TreasuryTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-of-subject',
    text: `select ${columns} from treasury_transfers where subject = $1 order by nr limit ${ofSubjectMax}`,
    values: [subject],
  });
  return rows.map(toRecord);
}

/**
 * Those of these ids that there are, locked until the database transaction ends, in one order for
 * everybody.
 */
export async function lockTransfers(db: Db, ids: readonly string[]): Promise<TreasuryTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-lock',
    text: `select ${columns} from treasury_transfers where id = any($1::uuid[]) order by id for update`,
    values: [ids],
  });
  return rows.map(toRecord);
}

/** Some of those that no block has which was read: each time others. */
export async function selectUnread(
  db: Db,
  input: { readonly chains: readonly string[]; readonly createdBefore: Date },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'treasury-unread',
    text: `select id from treasury_transfers
      where chain = any($1) and status in ('pending', 'success') and height is null and created_at < $2 order by random() limit 200`,
    values: [input.chains, input.createdBefore],
  });
  return rows.map(({ id }) => id);
}

/** Unfinished ones that were executed at this height or below, locked. */
export async function lockExecutedUpTo(
  db: Db,
  input: { chain: string; height: bigint },
): Promise<TreasuryTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-lock-final',
    text: `select ${columns} from treasury_transfers
      where chain = $1 and height <= $2 and status in ('pending', 'success') order by id for update`,
    values: [input.chain, input.height.toString()],
  });
  return rows.map(toRecord);
}

/** Those that were executed at this height or above, locked. */
export async function lockExecutedFrom(
  db: Db,
  input: { chain: string; height: bigint },
): Promise<TreasuryTransfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'treasury-lock-retracted',
    text: `select ${columns} from treasury_transfers where chain = $1 and height >= $2 order by id for update`,
    values: [input.chain, input.height.toString()],
  });
  return rows.map(toRecord);
}

const movedColumns = 'status, tx_id, height, executed, error, cost_minor, settled_at, final_at';

/** Stores what a locked transfer has become. */
export async function updateTransfer(
  db: Db,
  from: TreasuryTransferStatus,
  transfer: TreasuryTransfer,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'treasury-update',
    text: `update treasury_transfers set (${movedColumns}) = ($3, $4, $5, $6, $7, $8, $9, $10)
      where id = $2 and status = $1`,
    values: [from, ...valuesOf(transfer, `id, ${movedColumns}`)],
  });
  if (rowCount !== 1)
    throw new Error(`treasury transfer ${transfer.id} left "${from}" while it was locked`);
}
