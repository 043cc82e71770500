import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import { selectDepositsOfOrder } from '../../../deposits/index.ts';
import { changeOrder } from '../../state/change-order.ts';
import type { OrderRecord } from '../../state/types.ts';
import { clearedMinor } from '../cover.ts';
import { clearingOf } from '../ledger.ts';
import { grantsOf } from '../refund/grants.ts';
import { createRefund, unrefundedOf } from '../refund/refunds.ts';
import { isOwedByOrder, selectRefundsOfOrder } from '../refund/store.ts';
import { readPaying } from './settle.ts';

/**
 * Sends back what an order in `refunding` still owes in what was paid, to whoever sent it. To be called again is harmless; the
 * order ends when every refund is final.
 */
export async function refundOrder(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<void> {
  let left = await clearedMinor(tx, order, order.terms!.pay.asset);
  // The same deposit goes back once for one reason.
  const grant = grantsOf(order).at(-1);
  const reason = grant ? (`request-${grant.lineItem}` as const) : 'order';
  const { final } = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
  for (const deposit of final) {
    const open = await unrefundedOf(tx, deposit);
    const amountMinor = open < left ? open : left;
    if (amountMinor <= 0n) continue;
    const refund = await createRefund(ctx, tx, { deposit, orderId: order.id, reason, amountMinor, from: clearingOf(order) });
    if (refund) left -= amountMinor;
  }
  if (left > 0n) {
    const attention = 'what is owed cannot be matched with deposits: refund it by hand';
    ctx.log.error({ orderId: order.id }, attention);
    await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
    return;
  }
  const refunds = (await selectRefundsOfOrder(tx, order.id)).filter(isOwedByOrder);
  if (refunds.every(({ status }) => status === 'final'))
    await changeOrder(ctx, tx, order, { event: 'refund-final', ...(refunds.length === 0 && { note: 'nothing is left to send back' }) });
}
