import type { Ctx } from '../../../../context.ts';
import { defineFlow } from '../../../../jobs/index.ts';
import type { Tx } from '../../../../store/types.ts';
import { lateStep } from '../../legs/deposit/late.ts';
import { followPostedTx, isPostedTxOpen } from '../../legs/deposit/posted-tx.ts';
import { refundOrder } from '../../legs/deposit/settle.ts';
import { screenStep } from '../../legs/deposit/steps.ts';
import { payoutOf } from '../../legs/payout/fact.ts';
import {
  payStep,
  retryPayout,
  returnedStep,
  routePayout,
  unwindConversion,
  waitForBank,
} from '../../legs/payout/steps.ts';
import { changeOrder } from '../../state/change-order.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OrderFlowState, registerOrderFlow } from '../flow-registry.ts';
import { assessOrder, lookStep, type OrderStepResult, type OrderTurns } from '../steps.ts';
import { followOfframpIdentity } from './identity.ts';
import { offrampLifecycle } from './offramp.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/**
 * How long deposits may come after the quote, and payouts be returned after they were final, with a
 * flow that waits for them.
 */
const afterQuoteMs = 30 * dayMs;
const afterFinalMs = 180 * dayMs;

/** Whoever moves the order wakes its flow; nothing is looked for before. */
const turns: OrderTurns = {
  assess: 'assess',
  identity: 'identity',
  deposit: (ctx, _tx, order) => (isPostedTxOpen(order) ? { goto: 'posted' } : sleep(ctx, dayMs)),
  late: 'late',
  screen: 'screen',
  route: routePayout,
  pay: (ctx, _tx, order) =>
    payoutOf(order)?.status === 'asked' ? { goto: 'pay' } : waitForBank(ctx),
  retry: retryPayout,
  returned: 'returned',
  refund,
  expired: (ctx, _tx, order) =>
    since(ctx, order) > afterQuoteMs ? { done: true } : sleep(ctx, afterQuoteMs),
  returns: (ctx, _tx, order) =>
    since(ctx, order) > afterFinalMs ? { done: true } : sleep(ctx, afterFinalMs),
  end: () => ({ done: true }),
  news: (ctx) => sleep(ctx, dayMs),
};

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

/**
 * Carries an order that is paid by a deposit and paid out to a bank account, from its quote to its
 * end.
 */
export const offrampFlow = registerOrderFlow(
  'offramp',
  defineFlow<OrderFlowState, Ctx>({
    kind: 'order-offramp',
    version: 1,
    firstStep: 'look',
    steps: {
      look: lookStep(turns),
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
