import type { Ctx } from '../../../context.ts';
import { replaceSealedKey, selectKeysToRewrap } from './key-store.ts';
import { keySealer, lookupKeyContext, userKeyContext } from './user-keys.ts';

const batchSize = 200;
const zeroUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Moves the keys of users, and those of their hashes, to the first key-encryption key. Data is not
 * sealed anew. May be stopped and run again, also beside a running service.
 * @returns how many keys were moved
 * @throws SealError when a key needs a key-encryption key that is not configured
 */
export async function rewrapUserKeys(ctx: Pick<Ctx, 'config' | 'store'>): Promise<number> {
  const sealer = keySealer(ctx.config);
  let moved = 0;
  for (const table of ['user_lookup_keys', 'users'] as const) {
    for (let afterId = zeroUuid; ; ) {
      const rows = await selectKeysToRewrap(ctx.store, {
        table,
        sealedBy: sealer.keyId,
        afterId,
        limit: batchSize,
      });
      for (const row of rows) {
        const context = table === 'users' ? userKeyContext(row) : lookupKeyContext(row.projectId);
        const after = sealer.rewrap(row.sealedKey, context);
        if (
          await replaceSealedKey(ctx.store, {
            table,
            id: row.id,
            before: row.sealedKey,
            after,
            sealedBy: sealer.keyId,
          })
        )
          moved++;
      }
      if (rows.length < batchSize) break;
      afterId = rows.at(-1)!.id;
    }
  }
  return moved;
}

/** How many keys each key-encryption key wraps. */
export async function countUserKeys(
  ctx: Pick<Ctx, 'store'>,
): Promise<{ readonly id: string; readonly keys: number }[]> {
  const { rows } = await ctx.store.query<{ id: string; keys: number }>({
    text: `select sealed_by as id, count(*)::int as keys
      from (select sealed_by from users union all select sealed_by from user_lookup_keys) k group by sealed_by order by sealed_by limit 1000`,
  });
  return rows;
}
