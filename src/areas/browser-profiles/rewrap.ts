import type { Ctx } from '../../context.ts';
import { keySealer } from '../users/index.ts';
import { keyContext } from './sealed.ts';

const batchSize = 200;
const zeroUuid = '00000000-0000-0000-0000-000000000000';

interface KeyRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly sealedKey: Buffer;
}

/**
 * Moves the keys of browser profiles to the first key-encryption key. What they seal is not sealed
 * anew: a run keeps its snapshot, and what it learned can be kept. May be stopped and run again,
 * also beside a running service.
 * @returns how many keys were moved
 * @throws SealError when a key needs a key-encryption key that is not configured
 */
export async function rewrapProfileKeys(ctx: Pick<Ctx, 'config' | 'store'>): Promise<number> {
  const sealer = keySealer(ctx.config);
  let moved = 0;
  for (let afterId = zeroUuid; ; ) {
    const { rows } = await ctx.store.query<KeyRow>({
      text: `select id, project_id as "projectId", user_id as "userId", sealed_key as "sealedKey" from browser_profiles
             where sealed_by <> $1 and id > $2 order by id limit $3`,
      values: [sealer.keyId, afterId, batchSize],
    });
    for (const row of rows) {
      // A profile that is deleted or moved by another command meanwhile is left alone.
      const { rowCount } = await ctx.store.query({
        text: 'update browser_profiles set sealed_key = $3, sealed_by = $4 where id = $1 and sealed_key = $2',
        values: [
          row.id,
          row.sealedKey,
          sealer.rewrap(row.sealedKey, keyContext(row)),
          sealer.keyId,
        ],
      });
      moved += rowCount;
    }
    if (rows.length < batchSize) return moved;
    afterId = rows.at(-1)!.id;
  }
}

/** How many keys of profiles each key-encryption key wraps. */
export async function countProfileKeys(
  ctx: Pick<Ctx, 'store'>,
): Promise<{ readonly id: string; readonly keys: number }[]> {
  const { rows } = await ctx.store.query<{ id: string; keys: number }>({
    text: 'select sealed_by as id, count(*)::int as keys from browser_profiles group by sealed_by order by sealed_by limit 1000',
  });
  return [...rows];
}
