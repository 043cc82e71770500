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
import { checkRefunded, openCardRefund, refundPayment } from '../../legs/card/refunds.ts';
import { deliverTokens } from '../../legs/delivery/steps.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OrderFlowState, registerOrderFlow } from '../flow-registry.ts';
import { assessOrder, lookStep, type OrderStepResult, orderEffect, waitForPayer } from '../steps.ts';
import { checkAuthorised } from './checks.ts';
import { followIdentity } from './identity.ts';
import { onrampLifecycle, requireCard } from './onramp.ts';

const hour = 60 * 60_000;
/** Payers' banks take payments back for about half a year. */
const disputeMsMax = 180 * 24 * hour;

/** Whose turn it is, by state. */
function stepOf(ctx: Ctx, order: OrderRecord): OrderStepResult | 'wait' {
  switch (order.state) {
    case 'quoted':
      return { goto: 'assess' };
    case 'kyc_needed':
    case 'kyc_review':
    case 'kyc_manual':
      return { goto: 'identity' };
    case 'proof_needed':
      return { goto: 'proof' };
    case 'awaiting_payment':
      return { goto: 'watchPayment' };
    case 'payment_authorised':
      return { goto: 'check' };
    case 'capturing':
      return { goto: 'capture' };
    case 'releasing':
      return { goto: 'release' };
    case 'delivering':
      return { goto: 'deliver' };
    case 'refunding':
      return { goto: 'refund' };
    case 'quote_expired':
      return order.cardReference === undefined || order.facts.cardClosed === true ? { done: true } : { goto: 'closeLatePayment' };
    case 'delivered':
    case 'refunded':
    case 'closed':
      return isBooked(order) ? { goto: 'afterwards' } : { done: true };
    case 'payment_failed':
    case 'kyc_failed':
      return { done: true };
    case 'on_hold':
    case 'needs_operator':
      return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + hour) };
    default:
      return 'wait';
  }
}

/** Carries an order that is paid by card from its quote to its end. Callbacks wake it; without any it looks by itself. */
export const onrampFlow = registerOrderFlow(
  'onramp',
  defineFlow<OrderFlowState, Ctx>({
    kind: 'order-onramp',
    version: 1,
    firstStep: 'look',
    steps: {
      look: lookStep((ctx, tx, order) => {
        const step = stepOf(ctx, order);
        return step === 'wait' ? waitForPayer(ctx, tx, order) : step;
      }),
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
          isBooked(order) && order.facts.deliveryTransferId !== undefined ? undefined : { goto: 'reconcile' },
        stopped: async (tx, order) => ((await sumDisputes(tx, order.id)) > 0n ? disputed : undefined),
        openRefund: async (ctx, tx, order) => {
          await openCardRefund(ctx, tx, order);
        },
      }),
      refund: refundPayment,
      afterwards: orderEffect<CardPayment | undefined>({
        states: ['delivered', 'refunded', 'closed'],
        perform: (ctx, order) => requireCard(ctx).findPayment(referenceOf(order)),
        async record(ctx, tx, order, payment) {
          if (payment) await checkDisputes(ctx, tx, await checkRefunded(ctx, tx, order, payment.refundedMinor), payment.disputedMinor);
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
