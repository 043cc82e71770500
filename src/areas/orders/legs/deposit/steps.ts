import type { Ctx } from '../../../../context.ts';
import type { Step } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { screenAddresses } from '../../../../providers/screening/index.ts';
import { type DepositRecord, selectDepositsOfOrder } from '../../../deposits/index.ts';
import type { OrderFlowState } from '../../kinds/flow-registry.ts';
import { orderEffect } from '../../kinds/steps.ts';
import { isFairPrice, repriceOrder } from '../../pricing/index.ts';
import { changeOrder } from '../../state/change-order.ts';
import { isAllCollectible } from '../../state/items.ts';
import type { OrderRecord } from '../../state/types.ts';
import { lastingAttention } from '../refund/follow.ts';
import { refuteDeposits, refuteOwner } from './proof.ts';
import { countDeposits, rulesOf } from './rules.ts';
import { readPaying, receivedOf } from './settle.ts';

/** Steps of the flows of orders that are paid by a deposit; each goes on with `look`. */

type Screening =
  | { readonly status: 'clear' | 'blocked' }
  | { readonly unproven: string }
  | { readonly unfair: string };

const unfairPrice =
  'it gives far more for what is paid than the price of now: compare its terms with its request before anything is paid';

/**
 * Has the deposits proven, compares who paid with the sanctions lists, and what is to leave with
 * the price of now. Until all are clear nothing leaves the order.
 */
export const screenStep: Step<OrderFlowState, Ctx> = orderEffect<Screening>({
  turn: 'screen',
  perform: async (ctx, order) => {
    const deposits = await selectDepositsOfOrder(ctx.store, order.id);
    const paying = await payingOf(ctx, order, deposits);
    const unproven = refuteOwner(order, paying) ?? (await refuteDeposits(ctx, order, paying));
    if (unproven !== undefined) return { unproven };
    if (!(await isFairNow(ctx, order))) return { unfair: unfairPrice };
    if (order.facts.screeningReleased === true) return { status: 'clear' };
    const { status } = await screenAddresses(ctx, {
      projectId: order.projectId,
      subject: `order:${order.id}`,
      chain: order.request.payment.method,
      addresses: [...new Set(deposits.map(({ sender }) => sender))],
    });
    return { status };
  },
  record: async (ctx, tx, order, screening) => {
    if ('unproven' in screening) {
      ctx.log.error(
        { orderId: order.id, reason: screening.unproven },
        'deposits of an order are not proven: nothing is paid for them',
      );
      await changeOrder(ctx, tx, order, {
        event: 'deposit-unproven',
        facts: { holdReason: 'deposit-unproven' },
        set: { attention: `its deposits ${screening.unproven}` },
      });
      return { goto: 'look' };
    }
    if ('unfair' in screening) {
      ctx.log.error({ orderId: order.id }, screening.unfair);
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: { attention: screening.unfair },
      });
      return { goto: 'look' };
    }
    if (screening.status === 'blocked') {
      await changeOrder(ctx, tx, order, {
        event: 'screening-review',
        facts: { holdReason: 'screening' },
        set: { attention: 'the payer is on a sanctions list' },
      });
      return { goto: 'look' };
    }
    const paying = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
    // An operator may have gone on without the money.
    if (countDeposits(order.terms!, rulesOf(order), paying.sumMinor).fit === 'short') {
      await changeOrder(ctx, tx, order, {
        event: 'attention-needed',
        set: { attention: 'the deposits do not cover the order' },
      });
      return { goto: 'look' };
    }
    const received = receivedOf(order, paying);
    await changeOrder(ctx, tx, order, {
      event: 'screening-clear',
      facts: { received, totalPaid: paidOf(order) },
      set: { paidCurrency: order.terms!.pay.currency, attention: lastingAttention(order) },
    });
    return { goto: 'look' };
  },
});

/**
 * Items that cannot be had any more are not judged: their delivery fails, and what was paid goes
 * back.
 */
async function isFairNow(ctx: Ctx, order: OrderRecord): Promise<boolean> {
  try {
    return isFairPrice(order.terms!, (await repriceOrder(ctx, order)).terms);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return isAllCollectible(order);
    throw error;
  }
}

const payingOf = (ctx: Ctx, order: OrderRecord, deposits: readonly DepositRecord[]) =>
  ctx.store.transaction(async (tx) => (await readPaying(tx, order, deposits)).final);

/** `payment.totalPaid`: what the order cost, without what was too much. */
function paidOf(order: OrderRecord) {
  const { currency, decimals, amountMinor } = order.terms!.pay;
  return { currency, decimals, amountMinor: amountMinor.toString() };
}
