import type { Ctx } from '../../../context.ts';
import { CommandError } from '../../../lib/command.ts';
import { createSealer } from '../../../lib/sealing/seal.ts';
import { contextOf } from './secrets.ts';

const batchSize = 500;

/**
 * Moves every secret to the first key-encryption key, in batches; it may be repeated.
 * @returns how many were moved
 */
export async function rewrapWebhookSecrets(ctx: Pick<Ctx, 'config' | 'store'>): Promise<number> {
  if (ctx.config.keyEncryptionKeys.length === 0)
    throw new CommandError('KEY_ENCRYPTION_KEYS is not set.');
  const sealer = createSealer(ctx.config.keyEncryptionKeys);
  let moved = 0;
  for (let after = { endpointId: '00000000-0000-0000-0000-000000000000', version: 0 }; ; ) {
    const { rows } = await ctx.store.query<{
      endpointId: string;
      version: number;
      projectId: string;
      sealed: Buffer;
    }>({
      text: `select s.endpoint_id as "endpointId", s.version, e.project_id as "projectId", s.sealed from webhook_secrets s
             join webhook_endpoints e on e.id = s.endpoint_id
             where (s.endpoint_id, s.version) > ($1, $2) order by s.endpoint_id, s.version limit $3`,
      values: [after.endpointId, after.version, batchSize],
    });
    for (const row of rows) {
      const rewrapped = sealer.rewrap(row.sealed, contextOf(row));
      if (rewrapped.equals(row.sealed)) continue;
      await ctx.store.query({
        text: 'update webhook_secrets set sealed = $3 where endpoint_id = $1 and version = $2',
        values: [row.endpointId, row.version, rewrapped],
      });
      moved += 1;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return moved;
    after = last;
  }
}
