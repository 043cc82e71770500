import type { Ctx } from '../../context.ts';
import { deleteOld } from './store.ts';

const hourMs = 3_600_000;
const batchMax = 1_000;

/**
 * Forgets codes, nonces and counters an hour after they have lost their meaning.
 * @returns how many rows
 */
export function pruneSignerCodes(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const nowMs = ctx.clock.now().getTime();
  return deleteOld(ctx.store, {
    codesBefore: new Date(nowMs - hourMs),
    countersBefore: new Date(nowMs - 25 * hourMs),
    limit: batchMax,
  });
}
