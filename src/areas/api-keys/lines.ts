import { rowMacsOf } from '../../store/row-mac.ts';
import type { Db } from '../../store/types.ts';
import { type ApiKey, columns, type KeyRow, keyOf, sealedKey } from './store.ts';

/** A key as its operator sees it: never the key, nor what it can be checked against. */
export interface KeyLine extends ApiKey {
  /** Its row is not as it was sealed: it is refused. */
  readonly isChanged?: true;
}

/**
 * Keys of projects for their operator, the newest first, behind a place: those in force, those that
 * have ended, or all.
 */
export async function listKeyLines(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly kind?: ApiKey['kind'] | undefined;
    readonly state?: 'active' | 'ended' | undefined;
    readonly now: Date;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<KeyLine[]> {
  const { projectIds, kind, state, now, before, limit } = input;
  const { rows } = await db.query<KeyRow>({
    text: `select k.* from unnest($1::uuid[]) p (id) cross join lateral (
        select ${columns} from api_keys
        where project_id = p.id and (created_at, id) < ($2::timestamptz, $3::uuid) and ($5::text is null or kind = $5)
          and ($6::text is null or (revoked_at is not null and revoked_at <= $7) = ($6 = 'ended'))
        order by created_at desc, id desc limit $4) k
      order by created_at desc, id desc limit $4`,
    values: [
      projectIds,
      before?.at ?? 'infinity',
      before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      limit,
      kind ?? null,
      state ?? null,
      now,
    ],
  });
  const macs = rowMacsOf(db);
  return rows.map((row) => ({
    ...keyOf(row),
    ...(!macs.fits(sealedKey(row), row.mac) && { isChanged: true as const }),
  }));
}
