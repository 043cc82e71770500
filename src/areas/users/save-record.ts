import type { Ctx } from '../../context.ts';
import type { Tx } from '../../store/types.ts';
import { sealRecord, type User, type UserRecord } from './record.ts';
import { updateRecord } from './store.ts';

/** Another call changed the same person between our look and our lock: the work starts over. */
export class LostRace extends Error {}

/**
 * Stores another record of a user that this transaction has locked.
 * @returns the user as it is now
 */
export async function saveRecord(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  user: User,
  change: { readonly record: UserRecord; readonly hasData?: boolean },
): Promise<User> {
  const next = {
    ...user,
    record: change.record,
    recordVersion: user.recordVersion + 1,
    hasData: change.hasData ?? user.hasData,
  };
  const stored = await updateRecord(tx, {
    id: user.id,
    versionBefore: user.recordVersion,
    sealedRecord: sealRecord(user.sealer, next, next.record),
    hasData: next.hasData,
    now: ctx.clock.now(),
  });
  if (!stored) throw new LostRace();
  return next;
}
