import type { Ctx } from '../../../../context.ts';
import { defineFlow } from '../../../../jobs/index.ts';
import type { CardPayment } from '../../../../providers/card/card.ts';
import { followProof } from '../../identity/recipient-proof.ts';
import { checkDisputes, sumDisputes } from '../../legs/card/disputes.ts';
import {
  capturePayment,
  closeLatePayment,
  closePayment,
  isBooked,
  reconcilePayment,
  referenceOf,
  releasePayment,
  watchPayment,
} from '../../legs/card/payment.ts';
import {
  checkRefunded,
  followStopped,
  openCardRefund,
  refundPayment,
} from '../../legs/card/refunds.ts';
import { deliverTokens } from '../../legs/delivery/steps.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OrderFlowState, registerOrderFlow } from '../flow-registry.ts';
import {
  assessOrder,
  lookStep,
  type OrderStepResult,
  type OrderTurns,
  orderEffect,
  waitForPayer,
} from '../steps.ts';
import { checkAuthorised } from './checks.ts';
import { followIdentity } from './identity.ts';
import { onrampLifecycle, requireCard } from './onramp.ts';

const hour = 60 * 60_000;
/** Payers' banks take payments back for about half a year. */
const disputeMsMax = 180 * 24 * hour;

const turns: OrderTurns = {
  payer: waitForPayer,
  assess: 'assess',
  identity: 'identity',
  proof: 'proof',
  card: 'watchPayment',
  check: 'check',
  capture: 'capture',
  release: 'release',
  deliver: 'deliver',
  refund: 'refund',
  expired: (_ctx, _tx, order) =>
    order.cardReference === undefined || order.facts.cardClosed === true
      ? { done: true }
      : { goto: 'closeLatePayment' },
  end: (_ctx, _tx, order) => (isBooked(order) ? { goto: 'afterwards' } : { done: true }),
  news: (ctx, _tx, order) =>
    order.cardReference === undefined
      ? { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + hour) }
      : { goto: 'stopped' },
};

/**
 * Carries an order that is paid by card from its quote to its end. Callbacks wake it; without any
 * it looks by itself.
 */
export const onrampFlow = registerOrderFlow(
  'onramp',
  defineFlow<OrderFlowState, Ctx>({
    kind: 'order-onramp',
    version: 1,
    firstStep: 'look',
    steps: {
      look: lookStep(turns),
      assess: assessOrder(onrampLifecycle),
      identity: followIdentity,
      proof: followProof,
      watchPayment,
      closePayment,
      closeLatePayment,
      check: checkAuthorised,
      capture: capturePayment,
      release: releasePayment,
      reconcile: reconcilePayment,
      deliver: deliverTokens({
        before: async (_ctx, _tx, order) =>
          isBooked(order) && order.facts.deliveryTransferId !== undefined
            ? undefined
            : { goto: 'reconcile' },
        stopped: async (tx, order) =>
          (await sumDisputes(tx, order.id)) > 0n ? disputed : undefined,
        openRefund: async (ctx, tx, order) => {
          await openCardRefund(ctx, tx, order);
        },
      }),
      refund: refundPayment,
      stopped: followStopped,
      afterwards: orderEffect<CardPayment | undefined>({
        turn: 'end',
        perform: (ctx, order) => requireCard(ctx).findPayment(referenceOf(order)),
        async record(ctx, tx, order, payment) {
          if (payment)
            await checkDisputes(
              ctx,
              tx,
              await checkRefunded(ctx, tx, order, payment.refundedMinor),
              payment.disputedMinor,
            );
          const isOver = ctx.clock.now().getTime() - order.createdAt.getTime() > disputeMsMax;
          return isOver ? { done: true } : afterwards(ctx, order);
        },
      }),
    },
  }),
);

const disputed =
  'The payer’s bank is taking the payment back, or has (a dispute): nothing more is delivered for it, and nothing given back.';

/** Rarely, and ever less: a callback tells at once. */
function afterwards(ctx: Ctx, order: OrderRecord): OrderStepResult {
  const ageMs = ctx.clock.now().getTime() - order.createdAt.getTime();
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + Math.max(24 * hour, ageMs)) };
}
