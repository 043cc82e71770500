import type { Caller } from '../../context.ts';
import { rowMacsOf, type SealedRow, type SealedTable, sealAgain } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

/** An API key as it is kept: everything but the key. */
export interface ApiKey {
  /** Public id, for listing and revoking. */
  readonly id: string;
  readonly projectId: string;
  readonly kind: Caller['keyKind'];
  readonly name: string;
  /** Last characters of the key. */
  readonly hint: string;
  readonly scopes: readonly string[];
  /** Origins a browser may call from: exact, `https://*.example.com`, or `*`. */
  readonly allowedOrigins: readonly string[];
  readonly allowedAppIds: readonly string[];
  readonly allowedExtensionIds: readonly string[];
  readonly createdAt: Date;
  /** From then on refused; in the future while a rotation overlaps. */
  readonly revokedAt?: Date;
  readonly rotatedFrom?: string;
}

/** As the database keeps it. */
export interface KeyRow extends RowOf<ApiKey> {
  readonly secret_hash: Buffer;
  readonly mac: string | null;
}

export const columns =
  'id, project_id, kind, name, hint, scopes, allowed_origins, allowed_app_ids, allowed_extension_ids, created_at, revoked_at, rotated_from, secret_hash, mac';

const sealedColumns =
  'project_id, kind, scopes, allowed_origins, allowed_app_ids, allowed_extension_ids, revoked_at, secret_hash';

export interface SealedKeyFields
  extends Pick<
    KeyRow,
    | 'id'
    | 'project_id'
    | 'kind'
    | 'scopes'
    | 'allowed_origins'
    | 'allowed_app_ids'
    | 'allowed_extension_ids'
  > {
  /** Or its ISO 8601 form with milliseconds. */
  readonly revoked_at: Date | string | null;
  /** Or in hexadecimal. */
  readonly secret_hash: Buffer | string;
}

/** Whose the key is, what it may, from where, and until when. */
export function sealedKey(row: SealedKeyFields): SealedRow {
  return { table: 'api_keys', id: row.id, fields: fieldsOf(row, sealedColumns) };
}

export const sealedApiKeys: SealedTable = { table: 'api_keys', columns, toSealed: sealedKey };

export function keyOf({ secret_hash: _, ...row }: KeyRow): ApiKey {
  return readRow<ApiKey>(row);
}

export async function insertKey(db: Db, key: ApiKey, secretHash: Buffer): Promise<void> {
  await db.query({
    text: `insert into api_keys (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      key.id,
      key.projectId,
      key.kind,
      key.name,
      key.hint,
      key.scopes,
      key.allowedOrigins,
      key.allowedAppIds,
      key.allowedExtensionIds,
      key.createdAt,
      key.revokedAt ?? null,
      key.rotatedFrom ?? null,
      secretHash,
      rowMacsOf(db).seal(
        sealedKey({
          id: key.id,
          project_id: key.projectId,
          kind: key.kind,
          scopes: [...key.scopes],
          allowed_origins: [...key.allowedOrigins],
          allowed_app_ids: [...key.allowedAppIds],
          allowed_extension_ids: [...key.allowedExtensionIds],
          revoked_at: key.revokedAt ?? null,
          secret_hash: secretHash,
        }),
      ),
    ],
  });
}

/** The key of this secret. @throws internal-error when the row was changed behind the service */
export async function findKeyBySecret(db: Db, secretHash: Buffer): Promise<ApiKey | undefined> {
  const { rows } = await db.query<KeyRow>({
    name: 'api-key-by-secret',
    text: `select ${columns} from api_keys where secret_hash = $1`,
    values: [secretHash],
  });
  return rows[0] && readSealed(db, rows[0]);
}

export async function findKey(
  db: Db,
  input: { id: string; lock: boolean },
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<KeyRow>({
    text: `select ${columns} from api_keys where id = $1 ${input.lock ? 'for update' : ''}`,
    values: [input.id],
  });
  return rows[0] && readSealed(db, rows[0]);
}

/** Also of a row that was changed: whoever may not use it any more can still end it. */
export async function selectKeyProject(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ project_id: string }>({
    text: 'select project_id from api_keys where id = $1',
    values: [id],
  });
  return rows[0]?.project_id;
}

export async function listKeyRows(
  db: Db,
  input: { projectId: string; limit: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<KeyRow>({
    text: `select ${columns} from api_keys where project_id = $1 order by created_at desc, id desc limit $2`,
    values: [input.projectId, input.limit],
  });
  return rows.map(keyOf);
}

function readSealed(db: Db, row: KeyRow): ApiKey {
  rowMacsOf(db).check(sealedKey(row), row.mac);
  return keyOf(row);
}

/**
 * An earlier end stays: revoking can only bring it forward. A row that was changed is ended too,
 * and stays one that is refused.
 * @returns undefined when there is no such key
 */
export async function endKey(
  tx: Tx,
  input: { id: string; at: Date },
): Promise<{ before: ApiKey; after: ApiKey } | undefined> {
  const macs = rowMacsOf(tx);
  const { rows } = await tx.query<KeyRow>({
    text: `select ${columns} from api_keys where id = $1 for update`,
    values: [input.id],
  });
  const before = rows[0];
  if (!before) return undefined;
  const revoked_at =
    before.revoked_at && before.revoked_at < input.at ? before.revoked_at : input.at;
  const after = { ...before, revoked_at };
  const mac = sealAgain(macs, { row: sealedKey(before), mac: before.mac }, sealedKey(after));
  await tx.query({
    text: 'update api_keys set revoked_at = $2, mac = $3 where id = $1',
    values: [input.id, revoked_at, mac],
  });
  return { before: keyOf(before), after: keyOf(after) };
}

/** Every distinct origin that some active client key allows. */
export async function listClientOrigins(
  db: Db,
  input: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ origin: string }>({
    name: 'client-origins',
    text: `select distinct origin from api_keys, unnest(allowed_origins) as origin
           where kind = 'client' and (revoked_at is null or revoked_at > $1) limit $2`,
    values: [input.now, input.limit],
  });
  return rows.map((row) => row.origin);
}
