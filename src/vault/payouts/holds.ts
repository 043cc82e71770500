import type { Db, Tx } from '../../store/types.ts';
import { tellPayout } from './events.ts';
import { findHold, type PayoutHold, updateHold } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

/** For how long a new destination waits where no operator has said. */
export const waitHoursOf = (ctx: PayoutCtx): number => ctx.payouts.newDestinationWaitHours ?? 0;

/** What a payout waits for by the limits as they are now; undefined when it may be handed in. */
export function readHold(ctx: PayoutCtx, db: Db, id: string): Promise<PayoutHold | undefined> {
  return findHold(db, { id, waitHours: waitHoursOf(ctx), now: ctx.clock.now() });
}

/** Notes what a payout waits for, and tells the main side when that is news. */
export async function holdPayout(ctx: PayoutCtx, tx: Tx, payout: Payout, hold: PayoutHold): Promise<Payout> {
  const isKnown = payout.needsApproval === hold.needsApproval && payout.heldUntil?.getTime() === hold.heldUntil?.getTime();
  if (isKnown) return payout;
  const held = await updateHold(tx, { id: payout.id, hold, now: ctx.clock.now() });
  await tellPayout(ctx, tx, held, 'payouts.held');
  tx.afterCommit(() => ctx.log.warn({ payout: payout.id, ...hold }, 'a payout is held'));
  return held;
}
