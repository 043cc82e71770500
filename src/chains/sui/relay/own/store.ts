import type { Db, Tx } from '../../../../store/types.ts';

/** SQL of `sui_own_transactions`. */

export interface OwnTransaction {
  readonly digest: string;
  readonly raw: Uint8Array;
}

export interface OpenTransaction extends OwnTransaction {
  /** Since it was signed. */
  readonly ageMs: number;
}

export async function selectOwn(
  db: Db,
  chain: string,
  account: string,
): Promise<OpenTransaction | undefined> {
  const { rows } = await db.query<{ digest: string; raw: Buffer; age_ms: string }>({
    name: 'sui-own-select',
    text: `
      select digest, raw, extract(epoch from now() - created_at) * 1000 as age_ms from sui_own_transactions
      where chain = $1 and account = $2`,
    values: [chain, account],
  });
  return (
    rows[0] && {
      digest: rows[0].digest,
      raw: new Uint8Array(rows[0].raw),
      ageMs: Number(rows[0].age_ms),
    }
  );
}

/**
 * From here on these bytes may be anywhere. False: another transaction of the account is under way.
 */
export async function insertOwn(
  db: Db,
  chain: string,
  account: string,
  { digest, raw }: OwnTransaction,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sui-own-insert',
    text: 'insert into sui_own_transactions (chain, account, digest, raw) values ($1, $2, $3, $4) on conflict do nothing',
    values: [chain, account, digest, Buffer.from(raw)],
  });
  return rowCount > 0;
}

/** False: another process was first. */
export async function deleteOwn(tx: Tx, chain: string, digest: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'sui-own-delete',
    text: 'delete from sui_own_transactions where chain = $1 and digest = $2',
    values: [chain, digest],
  });
  return rowCount > 0;
}
