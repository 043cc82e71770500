import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

/** A code as the database keeps it. */
export interface CodeRecord {
  readonly id: string;
  readonly projectId: string;
  readonly walletId: string;
  readonly identityHash: Buffer;
  readonly deviceKey: Buffer;
  readonly codeHash: Buffer;
  readonly tries: number;
  readonly expiresAt: Date;
  readonly sessionProof?: Buffer;
  readonly sessionExpiresAt?: Date;
}

type CodeRow = RowOf<CodeRecord>;

const columns =
  'id, project_id, wallet_id, identity_hash, device_key, code_hash, tries, expires_at, session_proof, session_expires_at';

const toRecord = (row: CodeRow) => readRow<CodeRecord>(row);

const newColumns =
  'id, project_id, wallet_id, identity_hash, device_key, code_hash, expires_at, created_at';

/** Stores a code; an earlier one of the same signer and device is gone with its session. */
export async function replaceCode(
  db: Db,
  code: Omit<CodeRecord, 'tries' | 'sessionProof' | 'sessionExpiresAt'> & {
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.query({
    name: 'signer-codes-replace',
    text: `insert into signer_codes (${newColumns})
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict on constraint signer_codes_one_per_device do update set id = excluded.id, code_hash = excluded.code_hash, tries = 0,
        expires_at = excluded.expires_at, session_proof = null, session_expires_at = null, created_at = excluded.created_at`,
    values: valuesOf(code, newColumns),
  });
}

export async function deleteCode(db: Db, id: string): Promise<void> {
  await db.query({
    name: 'signer-codes-delete',
    text: 'delete from signer_codes where id = $1',
    values: [id],
  });
}

export async function selectCode(
  db: Db,
  key: { id: string; walletId: string; identityHash: Buffer },
): Promise<CodeRecord | undefined> {
  const { rows } = await db.query<CodeRow>({
    name: 'signer-codes-by-id',
    text: `select ${columns} from signer_codes where id = $1 and wallet_id = $2 and identity_hash = $3`,
    values: [key.id, key.walletId, key.identityHash],
  });
  return rows[0] && toRecord(rows[0]);
}

/**
 * Uses up one try; undefined when there is none, also because somebody else took the last one a
 * moment ago.
 */
export async function countTry(
  tx: Tx,
  input: { id: string; now: Date; triesMax: number },
): Promise<CodeRecord | undefined> {
  const { rows } = await tx.query<CodeRow>({
    name: 'signer-codes-take-try',
    text: `update signer_codes set tries = tries + 1
      where id = $1 and tries < $3 and expires_at > $2 and session_proof is null returning ${columns}`,
    values: [input.id, input.now, input.triesMax],
  });
  return rows[0] && toRecord(rows[0]);
}

/** Opens the session of a code that was right; the first of two right answers counts. */
export async function openSession(
  db: Db,
  input: { id: string; proof: Buffer; expiresAt: Date },
): Promise<void> {
  await db.query({
    name: 'signer-codes-open-session',
    text: 'update signer_codes set session_proof = $2, session_expires_at = $3 where id = $1 and session_proof is null',
    values: [input.id, input.proof, input.expiresAt],
  });
}

/** False when this nonce was used with this code before. */
export async function useNonce(
  tx: Tx,
  input: { codeId: string; nonce: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'signer-code-nonces-use',
    text: 'insert into signer_code_nonces (code_id, nonce, created_at) values ($1, $2, $3) on conflict do nothing',
    values: [input.codeId, input.nonce, input.now],
  });
  return rowCount === 1;
}

/**
 * Deletes what nothing can be done with any more, a bounded number of each kind.
 * @returns how many rows
 */
export async function deleteOld(
  db: Db,
  input: { codesBefore: Date; countersBefore: Date; limit: number },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: `with codes as (delete from signer_codes where id in
        (select id from signer_codes where expires_at < $1 order by expires_at limit $3) returning 1),
      nonces as (delete from signer_code_nonces where (code_id, nonce) in
        (select code_id, nonce from signer_code_nonces where created_at < $1 order by created_at limit $3) returning 1),
      counters as (delete from signer_code_counters where scope in
        (select scope from signer_code_counters where window_start < $2 order by window_start limit $3) returning 1)
      select ((select count(*) from codes) + (select count(*) from nonces) + (select count(*) from counters))::int as count`,
    values: [input.codesBefore, input.countersBefore, input.limit],
  });
  return rows[0]?.count ?? 0;
}
