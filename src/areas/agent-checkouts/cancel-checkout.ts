import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { tryMove } from '../../machine/machine.ts';
import { closeAction, selectOpenActions } from './actions/actions-store.ts';
import { changeCheckout } from './change-checkout.ts';
import { getCheckout } from './checkouts.ts';
import { agentCheckoutMachine } from './machine.ts';
import { lockCheckout, updateCheckout } from './store.ts';

/**
 * Asks for the end of a checkout. Who may: its user, with a key that has the scope (`routes.ts`), as
 * long as it is not finished. One that runs stops at its next safe place; once its paying click may
 * have come it is no longer cancelled but ends by what the shop says. Repeating it is the same.
 * @throws not-authorized, checkout-not-found, checkout-finished
 */
export async function cancelCheckout(ctx: RequestCtx, id: string): Promise<void> {
  const found = await getCheckout(ctx, id);
  await ctx.store.transaction(async (tx) => {
    const record = (await lockCheckout(tx, found.id))!;
    if (tryMove(agentCheckoutMachine, record.status, 'cancelled') === undefined)
      throw new ServiceError('checkout-finished');
    if (record.cancelAskedAt) return;
    const cancelAskedAt = ctx.clock.now();
    // Whoever runs it has a browser open, and may be about to click: it is told, and says itself
    // how it ended.
    if (record.status === 'running' || record.armedAt)
      return updateCheckout(tx, { ...record, cancelAskedAt, updatedAt: cancelAskedAt });
    const open = (await selectOpenActions(tx, [record.id])).get(record.id);
    if (open) await closeAction(tx, { id: open.id, status: 'superseded', at: cancelAskedAt });
    await changeCheckout(ctx, tx, record, {
      event: 'cancelled',
      set: { cancelAskedAt, outcome: 'not-placed' },
      progress: [{ type: 'step', title: 'Cancelled' }],
    });
  });
}
