import type { OperationResult } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { signatureMachine } from './machine.ts';
import { endSignatures, lockOverdue } from './store-ends.ts';

/**
 * Entrance for the relay: what became of operations of signature requests. Runs in the relay's own
 * transaction, and may be told twice; after a reorganisation it is told anew, and the chain's word
 * counts.
 */
export async function settleSignatures(
  _ctx: Ctx,
  tx: Tx,
  outcomes: readonly OperationResult[],
): Promise<void> {
  for (const [status, event] of [
    ['success', 'confirmed'],
    ['failed', 'refused'],
  ] as const) {
    const ends = outcomes
      .filter((outcome) => outcome.status === status)
      .map((outcome) => ({
        id: outcome.operationId,
        status: move(signatureMachine, 'pending', event),
        ...(outcome.status === 'failed' ? { error: outcome.error } : {}),
        at: outcome.at,
      }));
    if (ends.length > 0)
      await endSignatures(tx, {
        from: statesBefore(signatureMachine, event),
        isOperation: true,
        ends,
      });
  }
}

const overdueMax = 500;

/** ScheduledJob: ends requests whose approval window has passed; answers how many. */
export async function closeSignatureWindows(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  return ctx.store.transaction(async (tx) => {
    const ids = await lockOverdue(tx, { now, limit: overdueMax });
    if (ids.length === 0) return 0;
    const error = {
      reason: 'unknown',
      message: 'The approvals did not arrive in time: create the signature request again.',
    };
    const status = move(signatureMachine, 'awaiting-approval', 'window-closed');
    const ended = await endSignatures(tx, {
      from: statesBefore(signatureMachine, 'window-closed'),
      ends: ids.map((id) => ({ id, status, error, at: now })),
    });
    return ended.length;
  });
}
