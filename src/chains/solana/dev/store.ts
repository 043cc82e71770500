import type { Db, Tx } from '../../../store/types.ts';

/** A mint of test tokens that somebody asked for. */
export interface MintRequest {
  readonly reference: string;
  readonly chain: string;
  readonly mint: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
}

export async function insertMint(db: Db, { reference, chain, mint, recipient, amountMinor }: MintRequest): Promise<void> {
  await db.query({
    name: 'solana-mint-insert',
    text: `insert into solana_mints (reference, chain, mint, recipient, amount_minor) values ($1, $2, $3, $4, $5)
      on conflict (reference) do nothing`,
    values: [reference, chain, mint, recipient, amountMinor.toString()],
  });
}

export interface MintState {
  readonly status: 'queued' | 'sent' | 'done' | 'failed';
  readonly signature: string | null;
  readonly error: string | null;
}

export async function selectMint(db: Db, reference: string): Promise<MintState | undefined> {
  const { rows } = await db.query<MintState & Record<string, unknown>>({
    name: 'solana-mint-select',
    text: 'select status, signature, error from solana_mints where reference = $1',
    values: [reference],
  });
  return rows[0];
}

export interface OpenMint extends MintRequest {
  /** Asked for long ago: nobody waits any more. */
  readonly isOld: boolean;
  /** Signed bytes that may be anywhere. */
  readonly sent?: { readonly raw: Uint8Array; readonly signature: string; readonly lastHeight: bigint };
}

/** The oldest that nobody else works on, locked until the transaction ends. */
export async function lockOpenMint(tx: Tx, chain: string): Promise<OpenMint | undefined> {
  const { rows } = await tx.query<{
    reference: string;
    mint: string;
    recipient: string;
    amount_minor: string;
    signature: string | null;
    raw: Buffer | null;
    last_height: string | null;
    is_old: boolean;
  }>({
    name: 'solana-mint-lock',
    text: `select reference, mint, recipient, amount_minor, signature, raw, last_height,
        created_at < now() - interval '10 minutes' as is_old from solana_mints
      where chain = $1 and status in ('queued', 'sent') order by created_at limit 1 for update skip locked`,
    values: [chain],
  });
  const row = rows[0];
  if (!row) return undefined;
  const { reference, mint, recipient, signature, raw, last_height: lastHeight } = row;
  return {
    reference,
    chain,
    mint,
    recipient,
    amountMinor: BigInt(row.amount_minor),
    isOld: row.is_old,
    ...(signature !== null && raw !== null && lastHeight !== null && { sent: { raw, signature, lastHeight: BigInt(lastHeight) } }),
  };
}

/** From here on these bytes may be anywhere. */
export async function storeSigned(db: Db, reference: string, { raw, signature, lastHeight }: NonNullable<OpenMint['sent']>): Promise<void> {
  await db.query({
    name: 'solana-mint-signed',
    text: `update solana_mints set status = 'sent', raw = $2, signature = $3, last_height = $4 where reference = $1`,
    values: [reference, raw, signature, lastHeight],
  });
}

export async function endMint(db: Db, reference: string, error: string | undefined): Promise<void> {
  await db.query({
    name: 'solana-mint-end',
    text: `update solana_mints set status = case when $2::text is null then 'done' else 'failed' end, error = $2 where reference = $1`,
    values: [reference, error ?? null],
  });
}
