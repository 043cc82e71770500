import type { Ctx } from '../../../../context.ts';
import type { Step } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Tx } from '../../../../store/types.ts';
import { selectDepositsOfOrder } from '../../../deposits/index.ts';
import { askPayout, type PayoutAnswer, readPayout } from '../../../payment-methods/index.ts';
import type { OrderFlowState } from '../../kinds/flow-registry.ts';
import { type OrderStepResult, orderEffect } from '../../kinds/steps.ts';
import { readOrderSettings } from '../../pricing/index.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import type { OrderRecord } from '../../state/types.ts';
import { clearedMinor, holdCover, releaseCover, uncovered } from '../cover.ts';
import { countDeposits, rulesOf } from '../deposit/rules.ts';
import { readPaying } from '../deposit/settle.ts';
import { selectRefundRequests } from '../refund/requests-store.ts';
import { receiveSoon, recordHold } from './events.ts';
import { conversionOf, isPaidOut, isWorthAnother, type PayoutFact, payoutOf } from './fact.ts';
import { postConversion, postReconversion, postUnwinding } from './ledger.ts';

/** Steps of an order's payout. */

const dayMs = 24 * 3_600_000;

/**
 * A screened order: its rail is set for good, what was paid is converted, and the payout's id is
 * stored.
 */
export async function routePayout(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const terms = order.terms!;
  const rail = order.facts.rail ?? order.facts.quotedRail;
  if (typeof rail !== 'string') return ask(ctx, tx, order, 'no rail was agreed for the payout');
  if (isPaidOut(order)) return ask(ctx, tx, order, 'a payout of this order is under way already');
  if (conversionOf(order)?.open) return ask(ctx, tx, order, 'what was paid is converted already');
  const cleared = await clearedMinor(tx, order, terms.pay.asset);
  if (cleared < terms.pay.amountMinor) {
    const missing = 'a deposit is missing, or an earlier payout came back and its fees were kept';
    return ask(
      ctx,
      tx,
      order,
      `a payout needs ${terms.pay.amountMinor} minor units of ${terms.pay.asset}, and the order holds ${cleared}: ${missing}`,
    );
  }
  const conversion = { nr: (conversionOf(order)?.nr ?? 0) + 1, open: true };
  const routed = await changeOrder(ctx, tx, order, {
    event: 'routed',
    facts: { rail, conversion },
  });
  await postConversion(ctx, tx, routed, conversion);
  const payout = newPayout(ctx, routed, rail);
  await changeOrder(ctx, tx, routed, {
    event: 'converted',
    facts: { payout },
    set: { payoutId: payout.id },
  });
  return { goto: 'pay' };
}

async function ask(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  attention: string,
): Promise<OrderStepResult> {
  ctx.log.error({ orderId: order.id }, attention);
  await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
  return { goto: 'look' };
}

function newPayout(ctx: Ctx, order: OrderRecord, rail: string): PayoutFact {
  const { asset, amountMinor } = order.terms!.receive;
  const askedAt = ctx.clock.now().toISOString();
  return {
    id: ctx.ids.uuid(),
    rail,
    currency: asset,
    amountMinor: amountMinor.toString(),
    askedAt,
    status: 'asked',
  };
}

/** What the vault refuses for good, without having sent anything. */
const refusals: ReadonlySet<string> = new Set([
  'payment-method-not-found',
  'rail-not-supported',
  'validation-error',
]);
type Asked =
  | { readonly answer: PayoutAnswer }
  | { readonly refused: { readonly code: string; readonly message: string } };

/** Asks the vault for the payout whose id is stored; asked again, it is the same payout. */
export const payStep: Step<OrderFlowState, Ctx> = orderEffect<Asked>({
  turn: 'pay',
  async prepare(ctx, tx, order) {
    const payout = payoutOf(order);
    if (payout?.status !== 'asked') return waitForBank(ctx);
    const money = { asset: payout.currency, amountMinor: BigInt(payout.amountMinor) };
    return (await holdCover(ctx, tx, order, { key: payout.id, money })) === 'held'
      ? undefined
      : stopUncovered(ctx, tx, order, payout);
  },
  perform: (ctx, order) => askForPayout(ctx, order, payoutOf(order)!),
  record: async (ctx, tx, order, asked) => {
    const payout = payoutOf(order)!;
    if (payout.status !== 'asked') return { goto: 'look' };
    if ('answer' in asked) {
      await recordHold(ctx, tx, order, { ...payout, provider: asked.answer.provider });
      tx.afterCommit(() => receiveSoon(ctx));
      return waitForBank(ctx);
    }
    const { code, message } = asked.refused;
    await releaseCover(ctx, tx, order, payout.id);
    await changeOrder(ctx, tx, order, {
      event: 'payout-rejected',
      facts: {
        payout: { ...payout, status: 'rejected', code, reason: message, accountUnusable: true },
      },
      note: `payout ${payout.id}: ${code}`,
    });
    return { goto: 'look' };
  },
});

/** Nobody was asked, and nobody will be. */
async function stopUncovered(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  payout: PayoutFact,
): Promise<OrderStepResult> {
  const rejected = { ...payout, status: 'rejected', code: 'uncovered', accountUnusable: true };
  ctx.log.error({ orderId: order.id, payoutId: payout.id }, uncovered);
  await changeOrder(ctx, tx, order, {
    event: 'attention-needed',
    facts: { payout: rejected },
    set: { attention: uncovered },
  });
  return { goto: 'look' };
}

/** The bank's news wake the flow. */
export function waitForBank(ctx: Ctx): OrderStepResult {
  return { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + dayMs) };
}

async function askForPayout(ctx: Ctx, order: OrderRecord, payout: PayoutFact): Promise<Asked> {
  const { id: payoutId, rail, currency, amountMinor } = payout;
  const { projectId } = order;
  const paymentMethodId = order.request.recipient.paymentMethodId!;
  try {
    const object = `order:${order.id}`;
    return {
      answer: await askPayout(ctx, {
        projectId,
        paymentMethodId,
        payoutId,
        object,
        rail,
        amountMinor: BigInt(amountMinor),
        currency,
      }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || !refusals.has(error.code)) throw error;
    // The answer to an earlier call may have been lost.
    const known = await readPayout(ctx, { projectId, payoutId });
    return known ? { answer: known } : { refused: { code: error.code, message: error.message } };
  }
}

/** How the vault refuses to pay an order twice (`src/vault/payouts/limits.ts`). */
const paidBesides = 'limit-object';

/**
 * A refused payout is asked for once more on the same rail, unless the account is what is wrong, or
 * somebody has decided against it. Nothing is sent back for an order that was paid out besides.
 */
export async function retryPayout(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const last = payoutOf(order)!;
  if (last.code === paidBesides) {
    const attention =
      'The vault says that another payout of this order has left, or may yet: the order or its books are not what they were.';
    ctx.log.error({ alarm: 'order-paid-besides', orderId: order.id, payoutId: last.id }, attention);
    await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
    return waitForBank(ctx);
  }
  if (order.facts.payoutRetried !== true && isWorthAnother(last) && (await isCovered(tx, order))) {
    const payout = newPayout(ctx, order, last.rail);
    await changeOrder(ctx, tx, order, {
      event: 'payout-retried',
      facts: { payout, payoutRetried: true },
      set: { payoutId: payout.id },
      note: `after ${last.code ?? 'a rejection'}`,
    });
    return { goto: 'pay' };
  }
  const failure: OrderFailure = {
    code: 'payout-rejected',
    message: `${whyUnpaid(last)}: what was paid is sent back.`,
    retryPolicy: 'new-order',
  };
  await changeOrder(ctx, tx, order, { event: 'refund', facts: { failure } });
  return { goto: 'look' };
}

const goneAccounts: ReadonlySet<string> = new Set(['payment-method-not-found', 'method-unusable']);

/**
 * For the payer: no bank was asked where the account had been deleted meanwhile, or a rail was
 * taken away.
 */
function whyUnpaid({ code, provider }: PayoutFact): string {
  if (code !== undefined && goneAccounts.has(code))
    return 'The bank account of the order was deleted before it could be paid';
  return provider === undefined ? 'The payout could not be made' : 'The bank refused the payout';
}

/** False when a reorganisation has taken what was paid. */
async function isCovered(tx: Tx, order: OrderRecord): Promise<boolean> {
  const { sumMinor } = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
  return countDeposits(order.terms!, rulesOf(order), sumMinor).fit !== 'short';
}

/**
 * A payout came back: refunded, or left to the operator, as the project wants it. Where an operator
 * has agreed to send the money by hand, only the operator knows whether it was.
 */
export const returnedStep: Step<OrderFlowState, Ctx> = orderEffect<'refund' | 'operator'>({
  turn: 'returned',
  perform: async (ctx, order) => (await readOrderSettings(ctx, order.projectId)).onPayoutReturned,
  record: async (ctx, tx, order, wanted) => {
    const requests = await selectRefundRequests(tx, { orderId: order.id });
    const isAgreed = requests.some(({ status }) => status === 'accepted' || status === 'completed');
    const returned = `the bank returned the payout: ${payoutOf(order)?.code ?? 'no code'}`;
    const attention = isAgreed
      ? `${returned}; a refund by hand was agreed: see whether it was sent`
      : returned;
    const refunds = wanted === 'refund' && !isAgreed;
    await changeOrder(
      ctx,
      tx,
      order,
      refunds ? { event: 'refund' } : { event: 'attention-needed', set: { attention } },
    );
    return { goto: 'look' };
  },
});

/**
 * Makes tokens again of what was converted, so that it can go back: all of it when nothing was paid
 * out, what came back when a bank returned it. @returns undefined when a bank may still have it:
 * then nothing goes back
 */
export async function unwindConversion(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
): Promise<OrderRecord | undefined> {
  const conversion = conversionOf(order);
  if (!conversion?.open) return order;
  if (isPaidOut(order)) return undefined;
  const payout = payoutOf(order);
  if (payout?.status === 'returned') await postReconversion(ctx, tx, order, payout);
  else await postUnwinding(ctx, tx, order, conversion);
  return noteOrder(ctx, tx, order, {
    event: 'conversion-unwound',
    facts: { conversion: { ...conversion, open: false } },
  });
}
