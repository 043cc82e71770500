import type { Ctx } from '../../../context.ts';
import type { UserActionRequest } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { changeCheckout } from '../change-checkout.ts';
import { lockCheckout } from '../store.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';
import { formOf } from './action-forms.ts';
import {
  closeAction,
  forgetOldAnswers,
  insertAction,
  selectExpiredActions,
} from './actions-store.ts';

const expiriesPerTurnMax = 100;
/** An answer that no run has fetched by then is forgotten. */
const answerLifeMs = 5 * 60_000;
/**
 * An answer that was taken can be taken again for so long by the same hold: it may have been lost
 * on its way.
 */
export const takenLifeMs = 30_000;

/**
 * Asks the user: the checkout waits from now on, in the transaction that stores the question.
 * `requestKey` is the run's name of it.
 */
export async function openAction(
  ctx: Ctx,
  tx: Tx,
  record: CheckoutRecord,
  request: UserActionRequest,
  requestKey?: string,
): Promise<ActionRecord> {
  const { message, responseSchema, lifeMs } = formOf(request, {
    hasSavedCards: ctx.config.vault !== undefined,
  });
  const now = ctx.clock.now();
  const action: ActionRecord = {
    id: ctx.ids.randomUuid(),
    checkoutId: record.id,
    request,
    message,
    responseSchema,
    status: 'open',
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  };
  await insertAction(tx, action, requestKey);
  await changeCheckout(ctx, tx, record, {
    event: 'user-needed',
    progress: [{ type: 'user-action', title: 'Waiting for you', message }],
  });
  return action;
}

/**
 * Ends what waited for a user in vain, and forgets answers that nobody fetched. A question that
 * comes after the paying click leaves the purchase unknown: the item stays locked.
 */
export async function expireActions(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  await forgetOldAnswers(ctx.store, {
    taken: new Date(now.getTime() - takenLifeMs),
    answered: new Date(now.getTime() - answerLifeMs),
  });
  for (const { checkoutId, id } of await selectExpiredActions(ctx.store, {
    now,
    limit: expiriesPerTurnMax,
  })) {
    await ctx.store.transaction(async (tx) => {
      const record = await lockCheckout(tx, checkoutId);
      if (!record || !(await closeAction(tx, { id, status: 'expired', at: now }))) return;
      if (record.status !== 'awaiting_user_action') return;
      await changeCheckout(ctx, tx, record, {
        event: 'action-expired',
        set: {
          outcome: record.armedAt ? 'unknown' : 'not-placed',
          failure: {
            reason: 'user_action_expired',
            message: 'The question was not answered in time.',
            failedAt: now.toISOString(),
          },
        },
        progress: [{ type: 'step', title: 'Ended: the question was not answered in time' }],
      });
    });
  }
}
