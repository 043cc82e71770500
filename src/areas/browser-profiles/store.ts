import { valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

export interface BrowserProfileRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly sealedKey: Buffer;
  readonly sealedLabel: Buffer | null;
  readonly labelVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BrowserStateRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly sealedKey: Buffer;
  readonly sealedState: Buffer | null;
  readonly stateVersion: number;
}

const columns = `p.id, p.project_id as "projectId", p.user_id as "userId", p.sealed_key as "sealedKey", p.sealed_label as "sealedLabel",
  p.label_version as "labelVersion", p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const newColumns =
  'id, project_id, user_id, sealed_key, sealed_by, sealed_label, label_version, created_at, updated_at';

export async function insertProfile(
  tx: Tx,
  row: BrowserProfileRow & { readonly sealedBy: string },
): Promise<void> {
  await tx.query({
    name: 'browser-profiles-insert',
    text: `insert into browser_profiles
             (${newColumns}, state_version)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)`,
    values: valuesOf(row, newColumns),
  });
}

/** The profile of a person; at most one lives. Without an id, whichever it is. */
export async function selectProfile(
  db: Db,
  key: { readonly personId: string; readonly id?: string },
): Promise<BrowserProfileRow | undefined> {
  const { rows } = await db.query<BrowserProfileRow>({
    name: 'browser-profiles-of-person',
    text: `select ${columns} from browser_profiles p join users u on u.id = p.user_id
           where u.person_id = $1 and ($2::uuid is null or p.id = $2) and p.deleted_at is null order by p.created_at limit 1`,
    values: [key.personId, key.id ?? null],
  });
  return rows[0];
}

/** False when it was changed or deleted meanwhile. */
export async function updateLabel(
  db: Db,
  row: {
    readonly id: string;
    readonly versionBefore: number;
    readonly sealedLabel: Buffer;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'browser-profiles-label',
    text: `update browser_profiles set sealed_label = $3, label_version = label_version + 1, updated_at = $4
           where id = $1 and label_version = $2 and deleted_at is null`,
    values: [row.id, row.versionBefore, row.sealedLabel, row.now],
  });
  return rowCount === 1;
}

export async function markDeleted(
  tx: Tx,
  input: { readonly id: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'browser-profiles-delete',
    text: 'update browser_profiles set deleted_at = $2 where id = $1 and deleted_at is null',
    values: [input.id, input.now],
  });
  return rowCount === 1;
}

/** The key goes with the row: what it sealed can never be read again. */
export async function eraseProfile(tx: Tx, id: string): Promise<void> {
  await tx.query({
    name: 'browser-profiles-erase',
    text: 'delete from browser_profiles where id = $1',
    values: [id],
  });
}

export async function selectState(db: Db, id: string): Promise<BrowserStateRow | undefined> {
  const { rows } = await db.query<BrowserStateRow>({
    name: 'browser-profiles-state',
    text: `select id, project_id as "projectId", user_id as "userId", sealed_key as "sealedKey", sealed_state as "sealedState", state_version as "stateVersion"
           from browser_profiles where id = $1 and deleted_at is null`,
    values: [id],
  });
  return rows[0];
}

/**
 * False when another run has saved since the snapshot, or the profile was deleted. `updated_at` is
 * the label's.
 */
export async function updateState(
  db: Db,
  row: { readonly id: string; readonly versionBefore: number; readonly sealedState: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'browser-profiles-save-state',
    text: `update browser_profiles set sealed_state = $3, state_version = state_version + 1
           where id = $1 and state_version = $2 and deleted_at is null`,
    values: [row.id, row.versionBefore, row.sealedState],
  });
  return rowCount === 1;
}

/** Notes that a checkout runs with the profile. False when there is no such profile any more. */
export async function insertUse(
  tx: Tx,
  use: { readonly checkoutId: string; readonly profileId: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'browser-profiles-use',
    text: `insert into browser_profile_uses (checkout_id, profile_id)
           select $1, id from browser_profiles where id = $2 and deleted_at is null for share on conflict do nothing`,
    values: [use.checkoutId, use.profileId],
  });
  return rowCount === 1;
}

export async function deleteUse(tx: Tx, checkoutId: string): Promise<void> {
  await tx.query({
    name: 'browser-profiles-unuse',
    text: 'delete from browser_profile_uses where checkout_id = $1',
    values: [checkoutId],
  });
}

export async function isInUse(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'browser-profiles-in-use',
    text: 'select 1 from browser_profile_uses where profile_id = $1 limit 1',
    values: [profileId],
  });
  return rows.length > 0;
}
