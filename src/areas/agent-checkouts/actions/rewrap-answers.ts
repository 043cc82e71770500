import type { Ctx } from '../../../context.ts';
import { keySealer } from '../../users/index.ts';
import { answerContext } from './respond.ts';

const batchSize = 200;
const zeroUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Moves answers that wait for their run to the first key-encryption key: minutes later there would
 * be none of the old one. May be stopped and run again, also beside a running service.
 * @returns how many were moved
 * @throws SealError when an answer needs a key-encryption key that is not configured
 */
export async function rewrapAnswers(ctx: Pick<Ctx, 'config' | 'store'>): Promise<number> {
  const sealer = keySealer(ctx.config);
  let moved = 0;
  for (let afterId = zeroUuid; ; ) {
    const { rows } = await ctx.store.query<{ id: string; projectId: string; sealed: Buffer }>({
      text: `select a.id, c.project_id as "projectId", a.sealed_answer as sealed
             from agent_checkout_actions a join agent_checkouts c on c.id = a.checkout_id
             where a.sealed_answer is not null and a.id > $1 order by a.id limit $2`,
      values: [afterId, batchSize],
    });
    for (const row of rows) {
      if (sealer.keyIdOf(row.sealed) === sealer.keyId) continue;
      const after = sealer.rewrap(row.sealed, answerContext(row, row.projectId));
      const { rowCount } = await ctx.store.query({
        text: 'update agent_checkout_actions set sealed_answer = $3 where id = $1 and sealed_answer = $2',
        values: [row.id, row.sealed, after],
      });
      moved += rowCount;
    }
    if (rows.length < batchSize) return moved;
    afterId = rows.at(-1)!.id;
  }
}
