import type { Db } from '../../../store/types.ts';

export async function selectLookupKey(db: Db, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed_key: Buffer }>({
    name: 'users-lookup-key',
    text: 'select sealed_key from user_lookup_keys where project_id = $1',
    values: [projectId],
  });
  return rows[0]?.sealed_key;
}

export async function insertLookupKey(
  db: Db,
  row: {
    readonly projectId: string;
    readonly sealedKey: Buffer;
    readonly sealedBy: string;
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.query({
    text: `insert into user_lookup_keys (project_id, sealed_key, sealed_by, created_at) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [row.projectId, row.sealedKey, row.sealedBy, row.createdAt],
  });
}

/** A sealed key of either table, for moving it to another key-encryption key. */
export interface SealedKeyRow {
  readonly id: string;
  readonly projectId: string;
  readonly sealedKey: Buffer;
}

/**
 * Keys that another key-encryption key than `sealedBy` wraps, in the order of their ids, after
 * `afterId`.
 */
export async function selectKeysToRewrap(
  db: Db,
  input: {
    readonly table: 'users' | 'user_lookup_keys';
    readonly sealedBy: string;
    readonly afterId: string;
    readonly limit: number;
  },
): Promise<SealedKeyRow[]> {
  const id = input.table === 'users' ? 'id' : 'project_id';
  const { rows } = await db.query<{ id: string; project_id: string; sealed_key: Buffer }>({
    text: `select ${id} as id, project_id, sealed_key from ${input.table} where sealed_by <> $1 and ${id} > $2 order by ${id} limit $3`,
    values: [input.sealedBy, input.afterId, input.limit],
  });
  return rows.map((row) => ({ id: row.id, projectId: row.project_id, sealedKey: row.sealed_key }));
}

/** False when the row changed meanwhile. */
export async function replaceSealedKey(
  db: Db,
  input: {
    readonly table: 'users' | 'user_lookup_keys';
    readonly id: string;
    readonly before: Buffer;
    readonly after: Buffer;
    readonly sealedBy: string;
  },
): Promise<boolean> {
  const id = input.table === 'users' ? 'id' : 'project_id';
  const { rowCount } = await db.query({
    text: `update ${input.table} set sealed_key = $3, sealed_by = $4 where ${id} = $1 and sealed_key = $2`,
    values: [input.id, input.before, input.after, input.sealedBy],
  });
  return rowCount === 1;
}
