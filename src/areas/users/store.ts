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

interface RawUserRow {
  id: string;
  project_id: string;
  person_id: string;
  sealed_key: Buffer;
  sealed_record: Buffer;
  record_version: number;
  has_data: boolean;
  created_at: Date;
}

const columns = 'u.id, u.project_id, u.person_id, u.sealed_key, u.sealed_record, u.record_version, u.has_data, u.created_at';

const toUserRow = (row: RawUserRow): UserRow => ({
  id: row.id,
  projectId: row.project_id,
  personId: row.person_id,
  sealedKey: row.sealed_key,
  sealedRecord: row.sealed_record,
  recordVersion: row.record_version,
  hasData: row.has_data,
  createdAt: row.created_at,
});

/** The persons behind locators, by the hash of the locator as hex. */
export async function selectPersonsByLocator(
  db: Db,
  key: { readonly projectId: string; readonly hashes: readonly Buffer[] },
): Promise<ReadonlyMap<string, UserRow>> {
  const { rows } = await db.query<RawUserRow & { hash: string }>({
    name: 'users-by-locator',
    text: `select encode(l.locator_hash, 'hex') as hash, ${columns}
      from user_locators l join users o on o.id = l.user_id join users u on u.id = o.person_id
      where l.project_id = $1 and l.locator_hash = any($2::bytea[])`,
    values: [key.projectId, key.hashes],
  });
  return new Map(rows.map((row) => [row.hash, toUserRow(row)]));
}

/** Locks persons until the end of the transaction, always in the same order. Those that were erased are absent. */
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

export async function insertUser(tx: Tx, row: UserRow & { readonly sealedBy: string }): Promise<void> {
  await tx.query({
    name: 'users-insert',
    text: `insert into users (id, project_id, person_id, sealed_key, sealed_by, sealed_record, record_version, has_data, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    values: [
      row.id,
      row.projectId,
      row.personId,
      row.sealedKey,
      row.sealedBy,
      row.sealedRecord,
      row.recordVersion,
      row.hasData,
      row.createdAt,
    ],
  });
}

/** How many of the locators are now this user's; fewer than given: another user has one. */
export async function insertLocators(
  tx: Tx,
  input: { readonly projectId: string; readonly userId: string; readonly hashes: readonly Buffer[] },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'users-insert-locators',
    text: `insert into user_locators (project_id, locator_hash, user_id) select $1, h, $3 from unnest($2::bytea[]) as h order by h
      on conflict do nothing`,
    values: [input.projectId, input.hashes, input.userId],
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

export async function moveLocators(tx: Tx, input: { readonly fromId: string; readonly toId: string }): Promise<void> {
  await tx.query({
    name: 'users-move-locators',
    text: 'update user_locators set user_id = $2 where user_id = $1',
    values: [input.fromId, input.toId],
  });
}

/** Makes `fromId`, with everybody who had become it, the same person as `toId`. */
export async function movePersons(tx: Tx, input: { readonly fromId: string; readonly toId: string }): Promise<void> {
  await tx.query({
    name: 'users-move-persons',
    text: 'update users set person_id = $2 where person_id = $1',
    values: [input.fromId, input.toId],
  });
}

/** Ids of the person and of everybody who became it. */
export async function selectPersonIds(db: Db, personId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'users-of-person',
    text: 'select id from users where person_id = $1 limit 1000',
    values: [personId],
  });
  return rows.map(({ id }) => id);
}

/** Deletes a person with all that hangs on it: keys, locators, documents, and the rows of other areas. */
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
