import type { Ctx } from '../../../context.ts';
import { machineClock } from '../../../lib/clock.ts';

/** Whether pictures that were taken then are still kept. */
export function isPictureKept(ctx: Pick<Ctx, 'config' | 'clock'>, takenAt: Date): boolean {
  return takenAt.getTime() > ctx.clock.now().getTime() - picturesKeptMs(ctx);
}

const dayMs = 86_400_000;
const pictureDays = 30;
const picturesKeptMs = ({ config }: Pick<Ctx, 'config'>) =>
  (config.checkoutPictureDays ?? pictureDays) * dayMs;

const picturesPerTurnMax = 1_000;
const overlapMs = 7 * dayMs;
const uuidBoundAt = (at: Date) => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
const firstUuid = uuidBoundAt(new Date(0));

/**
 * Deletes pictures of the step log when their time is over; the steps stay. Ids of checkouts are in
 * the order of time, so the primary key leads to the old ones: all of them at the first turn of a
 * process, the last week's afterwards.
 */
export function createPicturePruner(ctx: Ctx): { run(): Promise<number> } {
  let from = firstUuid;
  return {
    async run() {
      const before = new Date(ctx.clock.now().getTime() - picturesKeptMs(ctx));
      // Ids have the machine's time, which no one moves.
      const newest = new Date(Math.min(before.getTime(), machineClock(ctx.clock).now().getTime()));
      const { rowCount } = await ctx.store.query({
        name: 'agent-steps-prune-pictures',
        text: `update agent_checkout_steps set picture = null where (checkout_id, nr) in (
                 select checkout_id, nr from agent_checkout_steps
                 where checkout_id >= $1 and checkout_id < $2 and picture is not null and at < $3 limit $4)`,
        values: [from, uuidBoundAt(newest), before, picturesPerTurnMax],
      });
      if (rowCount < picturesPerTurnMax) from = uuidBoundAt(new Date(newest.getTime() - overlapMs));
      return rowCount;
    },
  };
}
