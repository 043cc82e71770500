import type { PayerState } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { defineFlow } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { selectTreasuryTransfer } from '../../../treasury/index.ts';
import { releaseUnsent } from '../../legs/cover.ts';
import { type DeliveryRefusal, tryDelivery } from '../../legs/delivery/delivery.ts';
import { deliverItems, planItems } from '../../legs/delivery/items.ts';
import { deliverTokens } from '../../legs/delivery/steps.ts';
import { lateStep } from '../../legs/deposit/late.ts';
import { followPostedTx, isPostedTxOpen } from '../../legs/deposit/posted-tx.ts';
import { refundOrder } from '../../legs/deposit/settle.ts';
import { screenStep } from '../../legs/deposit/steps.ts';
import { changeOrder } from '../../state/change-order.ts';
import { undelivered } from '../../state/failures.ts';
import type { OrderFacts, OrderRecord } from '../../state/types.ts';
import { type OrderFlowState, registerOrderFlow } from '../flow-registry.ts';
import {
  assessOrder,
  lookStep,
  type OrderStepResult,
  type OrderTurns,
  orderEffect,
  waitForPayer,
} from '../steps.ts';
import { checkoutLifecycle, readPayerState } from './checkout.ts';

const dayMs = 24 * 60 * 60_000;
/** How long deposits may come after the quote, with a flow that waits for them. */
const afterQuoteMs = 30 * dayMs;
/** Beyond this what was paid goes back, whoever cannot be asked. */
const undecidedMsMax = 30 * 60_000;
const look: OrderStepResult = { goto: 'look' };

/** Whoever moves the order wakes its flow; nothing is looked for before. */
const turns: OrderTurns = {
  payer: waitForPayer,
  assess: 'assess',
  balance: 'payer',
  deposit: (ctx, tx, order) =>
    isPostedTxOpen(order) ? { goto: 'posted' } : waitForPayer(ctx, tx, order),
  late: 'late',
  screen: 'screen',
  route: 'route',
  deliver: (_ctx, _tx, order) => ({ goto: order.terms?.items ? 'deliverItems' : 'deliver' }),
  refund: async (ctx, tx, order) => {
    await refundOrder(ctx, tx, order);
    return sleep(ctx, dayMs);
  },
  expired: (ctx, _tx, order) => {
    const leftMs = order.updatedAt.getTime() + afterQuoteMs - ctx.clock.now().getTime();
    return leftMs > 0 ? sleep(ctx, leftMs) : { done: true };
  },
  end: () => ({ done: true }),
  news: (ctx) => sleep(ctx, dayMs),
};

function sleep(ctx: Ctx, ms: number): OrderStepResult {
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + ms) };
}

/** The payer had too little: looks at the balance again. */
const followPayer = orderEffect<PayerState>({
  turn: 'balance',
  perform: readPayerState,
  async record(ctx, tx, order, state) {
    const same =
      order.state === 'payer_short' ? 'insufficient-funds' : 'insufficient-funds-for-gas';
    if (state === same) return waitForPayer(ctx, tx, order);
    await changeOrder(ctx, tx, order, { event: 'changed', note: state });
    return { goto: 'assess' };
  },
});

/** With what the order is delivered, or why it cannot be. */
type Route = { readonly refusal: DeliveryRefusal } | { readonly facts: Partial<OrderFacts> };

/** A transfer that may still arrive, from before an operator looked, stays the one. */
async function planRoute(ctx: Ctx, order: OrderRecord): Promise<Route> {
  if (order.terms?.items) {
    const planned = await planItems(ctx, order);
    return 'code' in planned ? { refusal: planned } : { facts: { deliveries: planned } };
  }
  const { deliveryTransferId } = order.facts;
  const transfer =
    deliveryTransferId === undefined
      ? undefined
      : await selectTreasuryTransfer(ctx.store, deliveryTransferId);
  if (transfer && transfer.status !== 'failed') return { facts: {} };
  const refusal = await tryDelivery(ctx, order);
  return refusal ? { refusal } : { facts: { deliveryTransferId: ctx.ids.uuid() } };
}

/** The money is there: it is converted when the treasury can deliver, else it goes back. */
const routeOrder = orderEffect<Route>({
  turn: 'route',
  async perform(ctx, order) {
    try {
      return await planRoute(ctx, order);
    } catch (error) {
      const age = ctx.clock.now().getTime() - order.updatedAt.getTime();
      if (!(error instanceof ServiceError) || age < undecidedMsMax) throw error;
      return { refusal: { code: error.code, message: error.message } };
    }
  },
  async record(ctx, tx, order, route) {
    await releaseUnsent(ctx, tx, order);
    if ('refusal' in route)
      await changeOrder(ctx, tx, order, {
        event: 'delivery-failed',
        facts: { failure: undelivered },
        note: route.refusal.code,
      });
    else await changeOrder(ctx, tx, order, { event: 'routed', facts: route.facts });
    return look;
  },
});

/** Carries an order that is paid by a deposit and delivers tokens, from its quote to its end. */
export const checkoutFlow = registerOrderFlow(
  'checkout',
  defineFlow<OrderFlowState, Ctx>({
    kind: 'order-checkout',
    version: 1,
    firstStep: 'look',
    steps: {
      look: lookStep(turns),
      assess: assessOrder(checkoutLifecycle),
      payer: followPayer,
      posted: followPostedTx,
      late: lateStep,
      screen: screenStep,
      route: routeOrder,
      // What goes back is set aside in `refunding`.
      deliverItems,
      deliver: deliverTokens({ openRefund: async () => undefined }),
    },
  }),
);
