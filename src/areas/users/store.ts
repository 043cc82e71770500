import { type RowMacs, rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';

/** A user as the database keeps it. */
export interface UserRow {
  readonly id: string;
  readonly projectId: string;
  readonly personId: string;
  readonly sealedKey: Buffer;
  readonly sealedRecord: Buffer;
  readonly recordVersion: number;
  readonly hasData: boolean;
  readonly createdAt: Date;
}

type RawUserRow = RowOf<UserRow>;

const columns =
  'u.id, u.project_id, u.person_id, u.sealed_key, u.sealed_record, u.record_version, u.has_data, u.created_at';

const toUserRow = (row: RawUserRow) => readRow<UserRow>(row);

/** Which person a user is: whatever hangs on a user is found, and opened, through it. */
const sealedPerson = ({
  id,
  projectId,
  personId,
}: Pick<UserRow, 'id' | 'projectId' | 'personId'>): SealedRow => ({
  table: 'users',
  id,
  fields: { projectId, personId },
});

interface LocatorRow {
  readonly projectId: string;
  /** Hex. */
  readonly hash: string;
  readonly userId: string;
}

const sealedLocator = ({ projectId, hash, userId }: LocatorRow): SealedRow => ({
  table: 'user_locators',
  id: hash,
  fields: { projectId, userId },
});

export const sealedPersons: SealedTable = {
  table: 'users',
  columns: 'id, project_id as "projectId", person_id as "personId", mac',
  toSealed: sealedPerson,
};
export const sealedLocators: SealedTable = {
  table: 'user_locators',
  columns: `id, project_id as "projectId", encode(locator_hash, 'hex') as hash, user_id as "userId", mac`,
  toSealed: sealedLocator,
};

interface Member {
  readonly id: string;
  readonly projectId: string;
  readonly mac: string | null;
}

const membersOf = `(select json_agg(json_build_object('id', m.id, 'projectId', m.project_id, 'mac', m.mac)) from users m where m.person_id = u.id)`;

function checkMembers(macs: RowMacs, personId: string, members: readonly Member[]): void {
  for (const { mac, ...member } of members) macs.check(sealedPerson({ ...member, personId }), mac);
}

/**
 * The persons behind locators, by the hash of the locator as hex.
 * @throws internal-error when one of them, or who belongs to it, was changed behind the service
 */
export async function selectPersonsByLocator(
  db: Db,
  key: { readonly projectId: string; readonly hashes: readonly Buffer[] },
): Promise<ReadonlyMap<string, UserRow>> {
  const { rows } = await db.query<
    RawUserRow & { hash: string; owner_id: string; locator_mac: string | null; members: Member[] }
  >({
    name: 'users-by-locator',
    text: `select encode(l.locator_hash, 'hex') as hash, o.id as owner_id, l.mac as locator_mac, ${membersOf} as members, ${columns}
      from user_locators l join users o on o.id = l.user_id join users u on u.id = o.person_id
      where l.project_id = $1 and l.locator_hash = any($2::bytea[])`,
    values: [key.projectId, key.hashes],
  });
  const macs = rowMacsOf(db);
  return new Map(
    rows.map(({ hash, owner_id: userId, locator_mac, members, ...row }) => {
      macs.check(sealedLocator({ projectId: key.projectId, hash, userId }), locator_mac);
      checkMembers(macs, row.id, members);
      return [hash, toUserRow(row)];
    }),
  );
}

/**
 * Locks persons until the end of the transaction, always in the same order. Those that were erased
 * are absent.
 */
export async function lockPersons(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const { rows } = await tx.query<RawUserRow>({
    name: 'users-lock',
    text: `select ${columns} from users u where u.id = any($1::uuid[]) order by u.id for update`,
    values: [ids],
  });
  return rows.map(toUserRow);
}

export async function selectUserById(db: Db, id: string): Promise<UserRow | undefined> {
  const { rows } = await db.query<RawUserRow>({
    name: 'users-by-id',
    text: `select ${columns} from users u where u.id = $1`,
    values: [id],
  });
  return rows[0] && toUserRow(rows[0]);
}

/** Persons of projects, the newest first, behind a place. */
export async function selectPersonPage(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<UserRow[]> {
  const { rows } = await db.query<RawUserRow>({
    text: `select o.* from unnest($1::uuid[]) p (id) cross join lateral (
        select ${columns} from users u
        where u.project_id = p.id and u.person_id = u.id and (u.created_at, u.id) < ($2::timestamptz, $3::uuid)
        order by u.created_at desc, u.id desc limit $4) o
      order by o.created_at desc, o.id desc limit $4`,
    values: [
      input.projectIds,
      input.before?.at ?? 'infinity',
      input.before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      input.limit,
    ],
  });
  return rows.map(toUserRow);
}

const newColumns =
  'id, project_id, person_id, sealed_key, sealed_by, sealed_record, record_version, has_data, created_at';

export async function insertUser(
  tx: Tx,
  row: UserRow & { readonly sealedBy: string },
): Promise<void> {
  await tx.query({
    name: 'users-insert',
    text: `insert into users (${newColumns}, updated_at, mac)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    values: [...valuesOf(row, newColumns), rowMacsOf(tx).seal(sealedPerson(row))],
  });
}

/** How many of the locators are now this user's; fewer than given: another user has one. */
export async function insertLocators(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly userId: string;
    readonly hashes: readonly Buffer[];
  },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'users-insert-locators',
    text: `insert into user_locators (project_id, locator_hash, user_id, mac)
      select $1, h, $3, m from unnest($2::bytea[], $4::text[]) as l (h, m) order by h on conflict do nothing`,
    values: [
      input.projectId,
      input.hashes,
      input.userId,
      input.hashes.map((hash) =>
        rowMacsOf(tx).seal(sealedLocator({ ...input, hash: hash.toString('hex') })),
      ),
    ],
  });
  return rowCount;
}

/** False when the record was changed meanwhile. */
export async function updateRecord(
  tx: Tx,
  input: {
    readonly id: string;
    readonly versionBefore: number;
    readonly sealedRecord: Buffer;
    readonly hasData: boolean;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'users-update',
    text: `update users set sealed_record = $3, record_version = record_version + 1, has_data = $4, updated_at = $5
      where id = $1 and record_version = $2`,
    values: [input.id, input.versionBefore, input.sealedRecord, input.hasData, input.now],
  });
  return rowCount === 1;
}

export async function moveLocators(
  tx: Tx,
  input: { readonly fromId: string; readonly toId: string },
): Promise<void> {
  const macs = rowMacsOf(tx);
  const { rows } = await tx.query<LocatorRow & { id: string; mac: string | null }>({
    name: 'users-lock-locators',
    text: `select ${sealedLocators.columns} from user_locators where user_id = $1 order by locator_hash for update`,
    values: [input.fromId],
  });
  for (const row of rows) macs.check(sealedLocator(row), row.mac);
  await tx.query({
    name: 'users-move-locators',
    text: 'update user_locators l set user_id = $1, mac = s.mac from unnest($2::uuid[], $3::text[]) as s (id, mac) where l.id = s.id and l.user_id = $4',
    values: [
      input.toId,
      rows.map(({ id }) => id),
      rows.map((row) => macs.seal(sealedLocator({ ...row, userId: input.toId }))),
      input.fromId,
    ],
  });
}

/** Makes `fromId`, with everybody who had become it, the same person as `toId`. */
export async function movePersons(
  tx: Tx,
  input: { readonly fromId: string; readonly toId: string },
): Promise<void> {
  const macs = rowMacsOf(tx);
  const members = await selectMembers(tx, input.fromId);
  await tx.query({
    name: 'users-move-persons',
    text: 'update users u set person_id = $1, mac = s.mac from unnest($2::uuid[], $3::text[]) as s (id, mac) where u.id = s.id',
    values: [
      input.toId,
      members.map(({ id }) => id),
      members.map((member) => macs.seal(sealedPerson({ ...member, personId: input.toId }))),
    ],
  });
}

/**
 * Ids of the person and of everybody who became it.
 * @throws internal-error when one of them was changed behind the service
 */
export async function selectPersonIds(db: Db, personId: string): Promise<string[]> {
  return (await selectMembers(db, personId)).map(({ id }) => id);
}

async function selectMembers(db: Db, personId: string): Promise<Member[]> {
  const { rows } = await db.query<Member>({
    name: 'users-of-person',
    text: 'select id, project_id as "projectId", mac from users where person_id = $1 order by id limit 1000',
    values: [personId],
  });
  checkMembers(rowMacsOf(db), personId, rows);
  return [...rows];
}

/**
 * Deletes a person with all that hangs on it: keys, locators, documents, and the rows of other
 * areas.
 */
export async function deletePerson(
  tx: Tx,
  input: { readonly personId: string; readonly projectId: string; readonly now: Date },
): Promise<void> {
  await tx.query({
    text: `insert into user_erasures (user_id, project_id, erased_at) select id, project_id, $2 from users where person_id = $1 on conflict do nothing`,
    values: [input.personId, input.now],
  });
  await tx.query({
    text: `delete from user_allowances where project_id = $2 and subject in (select id from users where person_id = $1)`,
    values: [input.personId, input.projectId],
  });
  await tx.query({ text: 'delete from users where person_id = $1', values: [input.personId] });
}
