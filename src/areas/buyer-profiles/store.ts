import type { ListPosition } from '../../lib/cursor.ts';
import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

export interface BuyerProfileRow {
  readonly id: string;
  readonly projectId: string;
  /** The user whose key seals it, who may have become another one meanwhile. */
  readonly userId: string;
  readonly sealedProfile: Buffer;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Of the user's key. */
  readonly sealedKey: Buffer;
}

type RawRow = RowOf<BuyerProfileRow>;

const columns =
  'p.id, p.project_id, p.user_id, p.sealed_profile, p.version, p.created_at, p.updated_at, u.sealed_key';

const toRow = (row: RawRow) => readRow<BuyerProfileRow>(row);

const newColumns = 'id, project_id, user_id, sealed_profile, version, created_at, updated_at';

export async function insertProfile(
  tx: Tx,
  row: Omit<BuyerProfileRow, 'sealedKey'>,
): Promise<void> {
  await tx.query({
    name: 'buyer-profiles-insert',
    text: `insert into buyer_profiles (${newColumns})
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: valuesOf(row, newColumns),
  });
}

export async function countProfiles(db: Db, personId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'buyer-profiles-count',
    text: 'select count(*)::int as count from buyer_profiles p join users u on u.id = p.user_id where u.person_id = $1',
    values: [personId],
  });
  return rows[0]!.count;
}

/** A profile of a person; that of anybody else does not exist. */
export async function selectProfile(
  db: Db,
  key: { readonly id: string; readonly personId: string },
): Promise<BuyerProfileRow | undefined> {
  const { rows } = await db.query<RawRow>({
    name: 'buyer-profiles-by-id',
    text: `select ${columns} from buyer_profiles p join users u on u.id = p.user_id where p.id = $1 and u.person_id = $2`,
    values: [key.id, key.personId],
  });
  return rows[0] && toRow(rows[0]);
}

/** Of whoever it is. */
export async function selectProfileById(db: Db, id: string): Promise<BuyerProfileRow | undefined> {
  const { rows } = await db.query<RawRow>({
    name: 'buyer-profiles-of-anybody',
    text: `select ${columns} from buyer_profiles p join users u on u.id = p.user_id where p.id = $1`,
    values: [id],
  });
  return rows[0] && toRow(rows[0]);
}

/** Newest first. */
export async function selectProfiles(
  db: Db,
  input: { readonly personId: string; readonly after?: ListPosition; readonly limit: number },
): Promise<BuyerProfileRow[]> {
  const { rows } = await db.query<RawRow>({
    name: 'buyer-profiles-page',
    text: `select ${columns} from buyer_profiles p join users u on u.id = p.user_id
           where u.person_id = $1 and ($2::timestamptz is null or (p.created_at, p.id) < ($2, $3::uuid))
           order by p.created_at desc, p.id desc limit $4`,
    values: [input.personId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map(toRow);
}

/** False when the profile was changed or deleted meanwhile. */
export async function updateProfile(
  db: Db,
  row: Pick<BuyerProfileRow, 'id' | 'sealedProfile' | 'updatedAt'> & {
    readonly versionBefore: number;
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'buyer-profiles-update',
    text: 'update buyer_profiles set sealed_profile = $3, version = version + 1, updated_at = $4 where id = $1 and version = $2',
    values: [row.id, row.versionBefore, row.sealedProfile, row.updatedAt],
  });
  return rowCount === 1;
}

export async function deleteProfile(
  db: Db,
  key: { readonly id: string; readonly personId: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'buyer-profiles-delete',
    text: 'delete from buyer_profiles p using users u where p.id = $1 and u.id = p.user_id and u.person_id = $2',
    values: [key.id, key.personId],
  });
  return rowCount === 1;
}
