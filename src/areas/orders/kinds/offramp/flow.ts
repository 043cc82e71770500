import type { Ctx } from '../../../../context.ts';
import { defineFlow } from '../../../../jobs/index.ts';
import type { Tx } from '../../../../store/types.ts';
import { followPostedTx, isPostedTxOpen } from '../../legs/deposit/posted-tx.ts';
import { refundOrder } from '../../legs/deposit/settle.ts';
import { lateStep, screenStep } from '../../legs/deposit/steps.ts';
import { payoutOf } from '../../legs/payout/fact.ts';
import { payStep, retryPayout, returnedStep, routePayout, unwindConversion, waitForBank } from '../../legs/payout/steps.ts';
import { changeOrder } from '../../state/change-order.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OrderFlowState, registerOrderFlow } from '../flow-registry.ts';
import { assessOrder, lookStep, type OrderStepResult } from '../steps.ts';
import { followOfframpIdentity } from './identity.ts';
import { offrampLifecycle } from './offramp.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long deposits may come after the quote, and payouts be returned after they were final, with a flow that waits for them. */
const afterQuoteMs = 30 * dayMs;
const afterFinalMs = 180 * dayMs;

/** Whose turn it is, by state. */
async function stepOf(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  switch (order.state) {
    case 'quoted':
      return { goto: 'assess' };
    case 'kyc_needed':
      return { goto: 'identity' };
    case 'awaiting_deposit':
      return isPostedTxOpen(order) ? { goto: 'posted' } : sleep(ctx, dayMs);
    case 'deposit_late':
      return { goto: 'late' };
    case 'deposit_final':
      return { goto: 'screen' };
    case 'screened':
      return routePayout(ctx, tx, order);
    case 'payout_submitted':
      return payoutOf(order)?.status === 'asked' ? { goto: 'pay' } : waitForBank(ctx);
    case 'payout_rejected':
      return retryPayout(ctx, tx, order);
    case 'payout_returned':
      return { goto: 'returned' };
    case 'refunding':
      return refund(ctx, tx, order);
    case 'quote_expired':
      return since(ctx, order) > afterQuoteMs ? { done: true } : sleep(ctx, afterQuoteMs);
    case 'payout_final':
      return since(ctx, order) > afterFinalMs ? { done: true } : sleep(ctx, afterFinalMs);
    case 'kyc_failed':
    case 'refunded':
    case 'closed':
      return { done: true };
    default:
      return sleep(ctx, dayMs);
  }
}

async function refund(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const unwound = await unwindConversion(ctx, tx, order);
  if (unwound) await refundOrder(ctx, tx, unwound);
  else
    await changeOrder(ctx, tx, order, {
      event: 'attention-needed',
      set: { attention: 'a bank may still pay this order: nothing was sent back' },
    });
  return sleep(ctx, dayMs);
}

/** Whatever moves the order wakes its flow; nothing is looked for before. */
function sleep(ctx: Ctx, ms: number): OrderStepResult {
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + ms) };
}

function since(ctx: Ctx, order: OrderRecord): number {
  return ctx.clock.now().getTime() - order.updatedAt.getTime();
}

/** Carries an order that is paid by a deposit and paid out to a bank account, from its quote to its end. */
export const offrampFlow = registerOrderFlow(
  'offramp',
  defineFlow<OrderFlowState, Ctx>({
    kind: 'order-offramp',
    version: 1,
    firstStep: 'look',
    steps: {
      look: lookStep(stepOf),
      assess: assessOrder(offrampLifecycle),
      identity: followOfframpIdentity,
      posted: followPostedTx,
      late: lateStep,
      screen: screenStep,
      pay: payStep,
      returned: returnedStep,
    },
  }),
);
