import type { Ctx } from '../../context.ts';
import type { AuditLog } from '../audit/audit.ts';
import type { KeyRing } from './key-ring.ts';
import { userKeyContext } from './user-keys.ts';
import { vaultKeyContext } from './vault-keys.ts';

const batchSize = 100;

export interface RewrapProgress {
  /** Rewrapped by this call. */
  readonly done: number;
  /** Still wrapped by another key-encryption key than the current one. */
  readonly left: number;
}

/**
 * Brings up to `limit` keys under the current key-encryption key. Each row moves by itself, from
 * what was read to what was wrapped, so an interrupted run has lost nothing and several may run at
 * once; the next run goes on with what is left.
 * @throws provider-unavailable, internal-error a key-encryption key that some rows need is away or
 * not configured
 */
export async function rewrapKeys(
  ctx: Pick<Ctx, 'store'>,
  input: {
    readonly ring: KeyRing;
    readonly audit: AuditLog;
    readonly actor: string;
    readonly limit: number;
  },
): Promise<RewrapProgress> {
  const { ring } = input;
  let done = await rewrapVaultKeys(ctx, ring);
  while (done < input.limit) {
    const { rows } = await ctx.store.query<{
      id: string;
      project_id: string;
      kek_id: string;
      wrapped: Buffer;
    }>({
      name: 'user-keys-to-rewrap',
      text: `select id, project_id, kek_id, wrapped from user_keys where destroyed_at is null and kek_id <> $1 order by kek_id, id limit $2`,
      values: [ring.currentId, Math.min(batchSize, input.limit - done)],
    });
    for (const row of rows) {
      const next = await ring.rewrap(
        { kekId: row.kek_id, wrapped: row.wrapped },
        userKeyContext({ id: row.id, projectId: row.project_id }),
      );
      // Another process may have been faster, or the user was erased.
      await ctx.store.query({
        name: 'user-key-rewrap',
        text: 'update user_keys set kek_id = $3, wrapped = $4 where id = $1 and kek_id = $2 and destroyed_at is null',
        values: [row.id, row.kek_id, next.kekId, next.wrapped],
      });
      done += 1;
    }
    if (rows.length === 0) break;
  }
  if (done > 0)
    await ctx.store.transaction((tx) =>
      input.audit.append(tx, [
        {
          actor: input.actor,
          action: 'keys.rewrapped',
          detail: { count: done, kek: ring.currentId },
        },
      ]),
    );
  return {
    done,
    left: (await countKeys(ctx))
      .filter(({ kekId }) => kekId !== ring.currentId)
      .reduce((sum, { count }) => sum + count, 0),
  };
}

async function rewrapVaultKeys(ctx: Pick<Ctx, 'store'>, ring: KeyRing): Promise<number> {
  const { rows } = await ctx.store.query<{ purpose: string; kek_id: string; wrapped: Buffer }>({
    text: 'select purpose, kek_id, wrapped from vault_keys where kek_id <> $1',
    values: [ring.currentId],
  });
  for (const row of rows) {
    const next = await ring.rewrap(
      { kekId: row.kek_id, wrapped: row.wrapped },
      vaultKeyContext(row.purpose),
    );
    await ctx.store.query({
      text: 'update vault_keys set kek_id = $3, wrapped = $4 where purpose = $1 and kek_id = $2',
      values: [row.purpose, row.kek_id, next.kekId, next.wrapped],
    });
  }
  return rows.length;
}

/** How many keys each key-encryption key wraps. */
export async function countKeys(
  ctx: Pick<Ctx, 'store'>,
): Promise<{ readonly kekId: string; readonly count: number }[]> {
  const { rows } = await ctx.store.query<{ kek_id: string; count: string }>({
    text: `select kek_id, count(*) from (
             select kek_id from user_keys where destroyed_at is null union all select kek_id from vault_keys) k
           group by kek_id order by kek_id`,
  });
  return rows.map((row) => ({ kekId: row.kek_id, count: Number(row.count) }));
}
