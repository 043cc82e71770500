import type { JSONWebKeySet } from 'jose';
import type { DirectoryChanges } from '../../providers/vault/directory-wire.ts';
import { isFitting, rowMacsOf, type SealedRow } from '../../store/row-mac.ts';
import type { Db } from '../../store/types.ts';
import { sealedKey } from '../api-keys/index.ts';
import { sealedIssuer } from '../projects/index.ts';

/** Where the main side's own list stands. */
export async function readDirectoryPlace(
  db: Db,
): Promise<{ readonly epoch: string; readonly version: bigint }> {
  const { rows } = await db.query<{ epoch: string; version: string }>({
    name: 'vault-directory-place',
    text: 'select epoch, version from vault_directory where id = 1',
  });
  return { epoch: rows[0]!.epoch, version: BigInt(rows[0]!.version) };
}

/**
 * What changed after a version, oldest change first; at most `limit` of each kind. `upTo` is how
 * far the answer is complete.
 */
export async function readDirectoryChanges(
  db: Db,
  input: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<{ readonly changes: DirectoryChanges; readonly upTo: bigint }> {
  const values = [input.after.toString(), input.upTo.toString(), input.limit];
  const keys = await db.query<DirectoryChanges['keys'][number] & ReadRow>({
    name: 'vault-directory-keys',
    text: `select id, project_id as "projectId", kind, name, encode(secret_hash, 'hex') as "secretHash", hint, scopes,
             allowed_origins as "allowedOrigins", allowed_app_ids as "allowedAppIds", allowed_extension_ids as "allowedExtensionIds",
             to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
             to_char(revoked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "revokedAt", rotated_from as "rotatedFrom",
             directory_version as version, mac
           from api_keys where directory_version > $1 and directory_version <= $2 order by directory_version limit $3`,
    values,
  });
  const issuers = await db.query<DirectoryChanges['issuers'][number] & ReadRow>({
    name: 'vault-directory-issuers',
    text: `select id, project_id as "projectId", issuer, audiences, algorithm, jwks_url as "jwksUrl", jwks, rules,
             to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt", directory_version as version, mac
           from trusted_issuers where directory_version > $1 and directory_version <= $2 order by directory_version limit $3`,
    values,
  });
  const removals = await db.query<{ issuer_id: string; version: string }>({
    name: 'vault-directory-removals',
    text: `select issuer_id, version from vault_directory_removals where version > $1 and version <= $2 order by version limit $3`,
    values,
  });
  const pages = [keys.rows, issuers.rows, removals.rows];
  // A page that is full may go on: what is complete ends at the smallest last version of the full
  // pages.
  const ends = pages
    .filter((rows) => rows.length === input.limit)
    .map((rows) => BigInt(rows.at(-1)!.version));
  const upTo = ends.reduce((least, end) => (end < least ? end : least), input.upTo);
  const within = <Row extends { version: string }>(rows: readonly Row[]) =>
    rows.filter((row) => BigInt(row.version) <= upTo);
  const genuine = <Row extends ReadRow>(rows: readonly Row[], toSealed: (row: Row) => SealedRow) =>
    within(rows)
      // One that does not fit is not passed on: the vault keeps what it was told before.
      .filter((row) => isFitting(rowMacsOf(db), toSealed(row), row.mac))
      .map(({ version: _version, mac: _mac, ...row }) => row);
  return {
    upTo,
    changes: {
      keys: genuine(keys.rows, sealedKeyOf) as unknown as DirectoryChanges['keys'],
      issuers: genuine(issuers.rows, sealedIssuerOf) as unknown as DirectoryChanges['issuers'],
      removedIssuers: within(removals.rows).map((row) => row.issuer_id),
    },
  };
}

interface ReadRow {
  readonly version: string;
  readonly mac: string | null;
}

function sealedKeyOf(key: DirectoryChanges['keys'][number]): SealedRow {
  return sealedKey({
    id: key.id,
    project_id: key.projectId,
    kind: key.kind,
    scopes: key.scopes,
    allowed_origins: key.allowedOrigins,
    allowed_app_ids: key.allowedAppIds,
    allowed_extension_ids: key.allowedExtensionIds,
    revoked_at: key.revokedAt,
    secret_hash: key.secretHash,
  });
}

function sealedIssuerOf(issuer: DirectoryChanges['issuers'][number]): SealedRow {
  return sealedIssuer({
    ...issuer,
    project_id: issuer.projectId,
    jwks_url: issuer.jwksUrl,
    jwks: issuer.jwks as JSONWebKeySet | null,
  });
}

/** Removals that the vault has seen. */
export async function forgetRemovals(db: Db, upTo: bigint): Promise<void> {
  await db.query({
    text: 'delete from vault_directory_removals where version <= $1',
    values: [upTo.toString()],
  });
}

/** A user whom the vault is to be told of, as of some change. */
export interface DuePerson {
  readonly userId: string;
  readonly version: string;
}

/**
 * Users whom the vault is to be told of, in random order, so that one which cannot be told never
 * blocks the others.
 */
export async function selectDuePersons(db: Db, limit: number): Promise<DuePerson[]> {
  const { rows } = await db.query<{ user_id: string; version: string }>({
    name: 'vault-persons-due',
    text: 'select user_id, version from vault_persons_due order by random() limit $1',
    values: [limit],
  });
  return rows.map((row) => ({ userId: row.user_id, version: row.version }));
}

/** Takes a user off the list, unless its locators changed again since. */
export async function removeDuePerson(db: Db, due: DuePerson): Promise<void> {
  await db.query({
    name: 'vault-person-told',
    text: 'delete from vault_persons_due where user_id = $1 and version = $2',
    values: [due.userId, due.version],
  });
}
