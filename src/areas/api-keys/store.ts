import type { Caller } from '../../context.ts';
import type { Db } from '../../store/types.ts';

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

interface Row {
  id: string;
  project_id: string;
  kind: Caller['keyKind'];
  name: string;
  hint: string;
  scopes: string[];
  allowed_origins: string[];
  allowed_app_ids: string[];
  allowed_extension_ids: string[];
  created_at: Date;
  revoked_at: Date | null;
  rotated_from: string | null;
}

const columns =
  'id, project_id, kind, name, hint, scopes, allowed_origins, allowed_app_ids, allowed_extension_ids, created_at, revoked_at, rotated_from';

function readRow(row: Row): ApiKey {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedAppIds: row.allowed_app_ids,
    allowedExtensionIds: row.allowed_extension_ids,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
    rotatedFrom: row.rotated_from ?? undefined,
  };
}

export async function insertKey(db: Db, key: ApiKey, secretHash: Buffer): Promise<void> {
  await db.query({
    text: `insert into api_keys (${columns}, secret_hash) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
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
    ],
  });
}

export async function findKeyBySecret(db: Db, secretHash: Buffer): Promise<ApiKey | undefined> {
  const { rows } = await db.query<Row>({
    name: 'api-key-by-secret',
    text: `select ${columns} from api_keys where secret_hash = $1`,
    values: [secretHash],
  });
  return rows[0] && readRow(rows[0]);
}

export async function findKey(db: Db, input: { id: string; lock: boolean }): Promise<ApiKey | undefined> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from api_keys where id = $1 ${input.lock ? 'for update' : ''}`,
    values: [input.id],
  });
  return rows[0] && readRow(rows[0]);
}

export async function listKeyRows(db: Db, input: { projectId: string; limit: number }): Promise<ApiKey[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from api_keys where project_id = $1 order by created_at desc, id desc limit $2`,
    values: [input.projectId, input.limit],
  });
  return rows.map(readRow);
}

/** An earlier end stays: revoking can only bring it forward. */
export async function endKey(db: Db, input: { id: string; at: Date }): Promise<void> {
  await db.query({
    text: 'update api_keys set revoked_at = least(coalesce(revoked_at, $2), $2) where id = $1',
    values: [input.id, input.at],
  });
}

/** Every distinct origin that some active client key allows. */
export async function listClientOrigins(db: Db, input: { now: Date; limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ origin: string }>({
    name: 'client-origins',
    text: `select distinct origin from api_keys, unnest(allowed_origins) as origin
           where kind = 'client' and (revoked_at is null or revoked_at > $1) limit $2`,
    values: [input.now, input.limit],
  });
  return rows.map((row) => row.origin);
}
