import type { ShopMoney } from '../../runner/types.ts';
import { valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

/** A row of `sandbox_issued_cards`. */
export interface SandboxCardRow {
  readonly reference: string;
  /** Null once the card was closed. */
  readonly sealedCard: Buffer | null;
  readonly limitMinor: bigint;
  readonly currency: string;
  readonly status: 'open' | 'used' | 'closed';
}

type Raw = Omit<SandboxCardRow, 'limitMinor'> & { readonly limitMinor: string };
const columns =
  'reference, sealed_card as "sealedCard", limit_minor::text as "limitMinor", currency, status';
const toCard = (row: Raw | undefined): SandboxCardRow | undefined =>
  row && { ...row, limitMinor: BigInt(row.limitMinor) };

const newColumns = 'reference, key, number_hash, sealed_card, limit_minor, currency, created_at';

/** Does nothing when there is one of that key already. */
export async function insertCard(
  db: Db,
  row: Omit<SandboxCardRow, 'status'> & {
    readonly key: string;
    readonly numberHash: Buffer;
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.query({
    text: `insert into sandbox_issued_cards (${newColumns}, status)
           values ($1, $2, $3, $4, $5, $6, $7, 'open') on conflict (key) do nothing`,
    values: valuesOf(row, newColumns),
  });
}

export async function selectCardByKey(db: Db, key: string): Promise<SandboxCardRow | undefined> {
  const { rows } = await db.query<Raw>({
    text: `select ${columns} from sandbox_issued_cards where key = $1`,
    values: [key],
  });
  return toCard(rows[0]);
}

/**
 * Locked to the end of the transaction: two shops that ask at once are asked one after the other.
 */
export async function lockCardByHash(
  tx: Tx,
  hashes: readonly Buffer[],
): Promise<SandboxCardRow | undefined> {
  const { rows } = await tx.query<Raw>({
    text: `select ${columns} from sandbox_issued_cards where number_hash = any($1::bytea[]) for update`,
    values: [hashes],
  });
  return toCard(rows[0]);
}

export async function setUsed(tx: Tx, reference: string): Promise<void> {
  await tx.query({
    text: `update sandbox_issued_cards set status = 'used' where reference = $1 and status = 'open'`,
    values: [reference],
  });
}

/** Nothing is paid any more, and nobody can read the card. */
export async function closeCard(
  db: Db,
  input: { readonly key: string; readonly at: Date },
): Promise<void> {
  await db.query({
    text: `update sandbox_issued_cards set status = 'closed', sealed_card = null, closed_at = $2 where key = $1 and status <> 'closed'`,
    values: [input.key, input.at],
  });
}

export async function insertAuthorisation(
  tx: Tx,
  row: {
    readonly reference: string;
    readonly amountMinor: bigint;
    readonly currency: string;
    readonly merchant: string;
    readonly approved: boolean;
    readonly reason: string;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query({
    text: `insert into sandbox_issued_authorisations (reference, nr, amount_minor, currency, merchant, approved, reason, at)
           values ($1, (select coalesce(max(nr), 0) + 1 from sandbox_issued_authorisations where reference = $1), $2, $3, $4, $5, $6, $7)`,
    values: [
      row.reference,
      row.amountMinor.toString(),
      row.currency,
      row.merchant,
      row.approved,
      row.reason,
      row.at,
    ],
  });
}

/** What was paid with a card; undefined: nothing. */
export async function selectUsed(db: Db, reference: string): Promise<ShopMoney | undefined> {
  const { rows } = await db.query<{ amount: string; currency: string }>({
    text: `select amount_minor::text as amount, currency from sandbox_issued_authorisations
           where reference = $1 and approved and amount_minor > 0`,
    values: [reference],
  });
  return rows[0] && { amountMinor: BigInt(rows[0].amount), currency: rows[0].currency };
}
