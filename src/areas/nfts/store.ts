import type { Db } from '../../store/types.ts';

export interface NftMetadata {
  readonly name?: string;
  readonly description?: string;
  readonly image?: string;
}

export interface CollectibleKey {
  readonly tokenKey: string;
  readonly tokenId: string;
}

export interface CachedMetadata extends CollectibleKey {
  /** Absent: nothing could be read then. */
  readonly metadata?: NftMetadata;
  readonly checkedAt: Date;
}

export async function selectMetadata(
  db: Db,
  chain: string,
  keys: readonly CollectibleKey[],
): Promise<CachedMetadata[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{
    token_key: string;
    token_id: string;
    metadata: NftMetadata | null;
    checked_at: Date;
  }>({
    name: 'nfts-select-metadata',
    text: `select m.token_key, m.token_id, m.metadata, m.checked_at
      from unnest($2::text[], $3::text[]) as k (token_key, token_id)
      join collectible_metadata m on m.chain = $1 and m.token_key = k.token_key and m.token_id = k.token_id`,
    values: [chain, keys.map((key) => key.tokenKey), keys.map((key) => key.tokenId)],
  });
  return rows.map((row) => ({
    tokenKey: row.token_key,
    tokenId: row.token_id,
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    checkedAt: row.checked_at,
  }));
}

/**
 * Stores what was read; a reading that gave nothing does not take away what an earlier one gave.
 */
export async function upsertMetadata(
  db: Db,
  chain: string,
  entries: readonly CachedMetadata[],
): Promise<void> {
  if (entries.length === 0) return;
  await db.query({
    name: 'nfts-upsert-metadata',
    text: `insert into collectible_metadata as m (chain, token_key, token_id, metadata, checked_at)
      select $1::text, * from unnest($2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
      on conflict (chain, token_key, token_id) do update set metadata = coalesce(excluded.metadata, m.metadata), checked_at = excluded.checked_at`,
    values: [
      chain,
      entries.map((entry) => entry.tokenKey),
      entries.map((entry) => entry.tokenId),
      entries.map((entry) =>
        entry.metadata === undefined ? null : JSON.stringify(entry.metadata),
      ),
      entries.map((entry) => entry.checkedAt),
    ],
  });
}
