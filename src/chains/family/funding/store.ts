import type { Db, Tx } from '../../../store/types.ts';
import type { SentBytes } from '../nodes/sent-bytes.ts';

/** SQL of `test_mints`. */

/** A mint of test tokens that somebody asked for. */
export interface MintRequest {
  /** One mint each, however often it is asked for. */
  readonly reference: string;
  readonly chain: string;
  /** Address of the token. */
  readonly token: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
}

export async function insertMint(
  db: Db,
  { reference, chain, token, recipient, amountMinor }: MintRequest,
): Promise<void> {
  await db.query({
    name: 'test-mint-insert',
    text: `insert into test_mints (reference, chain, token, recipient, amount_minor) values ($1, $2, $3, $4, $5)
      on conflict (reference) do nothing`,
    values: [reference, chain, token, recipient, amountMinor.toString()],
  });
}

export interface MintState {
  readonly status: 'queued' | 'sent' | 'done' | 'failed';
  readonly txId: string | null;
  readonly error: string | null;
}

export async function selectMint(db: Db, reference: string): Promise<MintState | undefined> {
  const { rows } = await db.query<MintState & Record<string, unknown>>({
    name: 'test-mint-select',
    text: 'select status, tx_id as "txId", error from test_mints where reference = $1',
    values: [reference],
  });
  return rows[0];
}

export interface OpenMint extends MintRequest {
  /** Asked for long ago: nobody waits any more. */
  readonly isOld: boolean;
  readonly sent?: SentBytes;
}

/**
 * The oldest, locked until the transaction ends; whoever else asks waits. So one is under way at a
 * time, and no two take what the treasury has but once.
 */
export async function lockOpenMint(tx: Tx, chain: string): Promise<OpenMint | undefined> {
  const { rows } = await tx.query<{
    reference: string;
    token: string;
    recipient: string;
    amount_minor: string;
    tx_id: string | null;
    raw: Buffer | null;
    mark: string | null;
    is_old: boolean;
  }>({
    name: 'test-mint-lock',
    text: `select reference, token, recipient, amount_minor, tx_id, raw, mark,
        created_at < now() - interval '10 minutes' as is_old from test_mints
      where chain = $1 and status in ('queued', 'sent') order by created_at limit 1 for update`,
    values: [chain],
  });
  const row = rows[0];
  if (!row) return undefined;
  const { reference, token, recipient, tx_id: txId, raw, mark } = row;
  const sent =
    txId !== null && raw !== null && mark !== null
      ? { txId, raw: new Uint8Array(raw), mark }
      : undefined;
  return {
    reference,
    chain,
    token,
    recipient,
    amountMinor: BigInt(row.amount_minor),
    isOld: row.is_old,
    ...(sent && { sent }),
  };
}

/** Whether a mint may be anywhere. */
export async function hasSentMint(db: Db, chain: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'test-mint-has-sent',
    text: `select 1 from test_mints where chain = $1 and status = 'sent' limit 1`,
    values: [chain],
  });
  return rows.length > 0;
}

/** From here on these bytes may be anywhere. */
export async function storeSignedMint(
  db: Db,
  reference: string,
  { raw, txId, mark }: SentBytes,
): Promise<void> {
  await db.query({
    name: 'test-mint-signed',
    text: `update test_mints set status = 'sent', raw = $2, tx_id = $3, mark = $4 where reference = $1`,
    values: [reference, Buffer.from(raw), txId, mark],
  });
}

/** False: another process was first. */
export async function endMint(
  db: Db,
  reference: string,
  error: string | undefined,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'test-mint-end',
    text: `update test_mints set status = case when $2::text is null then 'done' else 'failed' end, error = $2
      where reference = $1 and status in ('queued', 'sent')`,
    values: [reference, error ?? null],
  });
  return rowCount > 0;
}
