import type { Ctx } from '../../../context.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { changeCheckout } from '../change-checkout.ts';
import { moneyView } from '../money.ts';
import { lockCheckout } from '../store.ts';
import { selectDecision } from './decisions-store.ts';

/**
 * The card of a checkout that ended without an order was charged all the same: then nobody knows,
 * the item is locked, and somebody decides. What an operator has decided stays.
 */
export async function noteUsedCard(
  ctx: Ctx,
  tx: Tx,
  { checkoutId, total }: { readonly checkoutId: string; readonly total: ShopMoney },
): Promise<void> {
  const record = await lockCheckout(tx, checkoutId);
  if (record?.outcome !== 'not-placed' || (await selectDecision(tx, checkoutId))) return;
  const { amount, currency } = moneyView(total);
  const message = `The card was charged ${String(amount)} ${String(currency)}. Nobody knows whether the shop has the order: it is not bought again before that is decided.`;
  ctx.log.error(
    { checkoutId },
    'the card of a checkout that ended without an order was charged: purser checkouts decide',
  );
  await changeCheckout(ctx, tx, record, {
    event: 'found-used',
    set: {
      outcome: 'unknown',
      failure: { reason: 'automation_failed', message, failedAt: ctx.clock.now().toISOString() },
    },
    progress: [{ type: 'step', title: 'The card was charged', message }],
  });
}
