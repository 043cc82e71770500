import type { Db, Tx } from '../../../store/types.ts';

/**
 * SQL of `stellar_openings`: what is being made for accounts of wallets, and why it could not be.
 */

export interface OpeningKey {
  readonly chain: string;
  readonly address: string;
  /** `CODE:G…`; empty: the account alone. */
  readonly asset: string;
}

const keepFailedDays = 1;

/** False: another operation is making it already. What failed before is asked for anew. */
export async function insertOpening(
  tx: Tx,
  { chain, address, asset }: OpeningKey,
  operationId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'stellar-openings-insert',
    text: `
      insert into stellar_openings as o (chain, address, asset, operation_id) values ($1, $2, $3, $4)
      on conflict (chain, address, asset) do update set operation_id = excluded.operation_id, failed = null, asked_at = now()
      where o.failed is not null`,
    values: [chain, address, asset, operationId],
  });
  return rowCount > 0;
}

/** Undefined: it was made, or never asked for. */
export async function selectOpening(
  db: Db,
  { chain, address, asset }: OpeningKey,
): Promise<{ readonly failed?: string } | undefined> {
  const { rows } = await db.query<{ failed: string | null }>({
    name: 'stellar-openings-select',
    text: 'select failed from stellar_openings where chain = $1 and address = $2 and asset = $3',
    values: [chain, address, asset],
  });
  return rows[0] && (rows[0].failed === null ? {} : { failed: rows[0].failed });
}

/** How they ended; `failed` is a sentence. */
export async function endOpenings(
  tx: Tx,
  ended: readonly { readonly operationId: string; readonly failed: string | undefined }[],
): Promise<void> {
  await tx.query({
    name: 'stellar-openings-prune',
    text: `delete from stellar_openings where failed is not null and asked_at < now() - $1 * interval '1 day'`,
    values: [keepFailedDays],
  });
  await tx.query({
    name: 'stellar-openings-end',
    text: 'delete from stellar_openings where operation_id = any($1::uuid[])',
    values: [
      ended.flatMap(({ operationId, failed }) => (failed === undefined ? [operationId] : [])),
    ],
  });
  await tx.query({
    name: 'stellar-openings-fail',
    text: `
      update stellar_openings o set failed = e.failed from unnest($1::uuid[], $2::text[]) as e (operation_id, failed)
      where o.operation_id = e.operation_id and e.failed is not null`,
    values: [
      ended.map(({ operationId }) => operationId),
      ended.map(({ failed }) => failed ?? null),
    ],
  });
}
