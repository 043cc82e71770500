import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { findDeposit, selectDepositsOfOrder } from '../../deposits/index.ts';
import { type OperatorRule, operatorRule } from '../../operations/index.ts';
import { decideRefundRequest, type RefundDecision } from '../legs/refund/requests.ts';
import { divide } from '../pricing/decimals.ts';
import { selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { assignHeldDeposit, keepHeldDeposit, returnHeldDeposit } from './deposits.ts';
import {
  acknowledgeAttention,
  lookNow,
  type OperatorInput,
  refuseHold,
  releaseHold,
  resolveByClosing,
  resolveByContinuing,
  resolveByRefund,
} from './operator.ts';

const orderParams = z.strictObject({ orderId: z.uuid() });

/**
 * What an order is worth, in the fiat currency that it is priced in, and as much more as more than
 * its price was paid in: what goes back by a decision may be all of it. What has no price moves
 * nothing by a decision.
 */
async function amountOfOrder(
  ctx: Ctx,
  {
    projectId,
    params,
  }: { readonly projectId: string; readonly params: { readonly orderId: string } },
) {
  const order = await selectOrder(ctx.store, { by: 'id', id: params.orderId });
  if (order?.projectId !== projectId || !order.terms) return undefined;
  const { value, pay } = order.terms;
  const paid = (await selectDepositsOfOrder(ctx.store, order.id)).filter(
    ({ status }) => status !== 'retracted',
  );
  const paidMinor = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (pay.amountMinor === 0n || paidMinor <= pay.amountMinor) return value;
  return { ...value, amountMinor: divide(value.amountMinor * paidMinor, pay.amountMinor, 'up') };
}

/** What a deposit is, in its token. */
async function amountOfDeposit(
  ctx: Ctx,
  {
    projectId,
    params,
  }: { readonly projectId: string; readonly params: { readonly depositId: string } },
) {
  const deposit = await findDeposit(ctx.store, params.depositId);
  if (deposit?.projectId !== projectId) return undefined;
  const { token, amountMinor } = deposit;
  return { currency: token.symbol ?? token.locator, decimals: token.decimals, amountMinor };
}

function orderRule(
  name: string,
  role: OperatorRule['role'],
  decide: (ctx: Ctx, input: OperatorInput) => Promise<OrderRecord>,
  moves?: string,
): OperatorRule<z.infer<typeof orderParams>> {
  return {
    name,
    role,
    params: orderParams,
    ...(moves !== undefined && { moves: { title: moves, amount: amountOfOrder } }),
    async run(ctx, { projectId, params, reason, record }) {
      const { id, state } = await decide(ctx, {
        projectId,
        orderId: params.orderId,
        note: reason,
        record,
      });
      return { id, state };
    },
  };
}

export const holdRelease = orderRule(
  'orders.hold.release',
  'finance',
  releaseHold,
  'Release a held order',
);
export const holdRefuse = orderRule(
  'orders.hold.refuse',
  'finance',
  refuseHold,
  'Refuse a held order',
);
export const resolveRefund = orderRule(
  'orders.resolve.refund',
  'finance',
  resolveByRefund,
  'Pay back a stopped order',
);
export const resolveContinue = orderRule(
  'orders.resolve.continue',
  'finance',
  resolveByContinuing,
  'Go on with a stopped order',
);
export const resolveClose = orderRule(
  'orders.resolve.close',
  'finance',
  resolveByClosing,
  'Close a stopped order by hand',
);
export const acknowledge = orderRule('orders.acknowledge', 'support', acknowledgeAttention);

export const look = orderRule('orders.look', 'support', lookNow);

const requestParams = z.strictObject({
  orderId: z.uuid(),
  lineItem: z.int().min(0).max(99).optional(),
});

function requestRule(
  word: string,
  role: OperatorRule['role'],
  decision: RefundDecision,
  moves?: string,
): OperatorRule<z.infer<typeof requestParams>> {
  return {
    name: `orders.refunds.${word}`,
    role,
    params: requestParams,
    ...(moves !== undefined && { moves: { title: moves, amount: amountOfOrder } }),
    async run(ctx, { projectId, params, reason, record }) {
      const { createdAt, ...request } = await decideRefundRequest(ctx, {
        projectId,
        ...params,
        decision,
        note: reason,
        record,
      });
      return { ...request, createdAt: createdAt.toISOString() };
    },
  };
}

export const refundRequestRules = {
  accept: requestRule('accept', 'finance', 'accepted', 'Pay back what a buyer asks for'),
  reject: requestRule('reject', 'support', 'rejected'),
  complete: requestRule('complete', 'finance', 'completed', 'Book a refund as sent by hand'),
} as const;

const depositParams = z.strictObject({ depositId: z.uuid() });

export const depositAssign: OperatorRule<{ depositId: string; orderId: string }> = {
  name: 'deposits.assign',
  role: 'finance',
  params: depositParams.extend({ orderId: z.uuid() }),
  moves: { title: 'Assign a deposit to an order', amount: amountOfDeposit },
  async run(ctx, { projectId, params, reason, record }) {
    const { id, state } = await assignHeldDeposit(ctx, {
      projectId,
      ...params,
      note: reason,
      record,
    });
    return { id, state };
  },
};

export const depositReturn: OperatorRule<z.infer<typeof depositParams>> = {
  name: 'deposits.return',
  role: 'finance',
  params: depositParams,
  moves: { title: 'Return a deposit', amount: amountOfDeposit },
  async run(ctx, { projectId, params, reason, record }) {
    return {
      refundId: await returnHeldDeposit(ctx, { projectId, ...params, note: reason, record }),
    };
  },
};

export const depositKeep: OperatorRule<z.infer<typeof depositParams>> = {
  name: 'deposits.keep',
  role: 'finance',
  params: depositParams,
  moves: { title: 'Keep a deposit as our own', amount: amountOfDeposit },
  async run(ctx, { projectId, params, reason, record }) {
    await keepHeldDeposit(ctx, { projectId, ...params, note: reason, record });
    return {};
  },
};

/**
 * What an operator may decide about orders, what was asked back of them, and deposits that match
 * none.
 */
export const orderRules: readonly OperatorRule[] = [
  ...[holdRelease, holdRefuse, resolveRefund, resolveContinue, resolveClose, acknowledge, look].map(
    operatorRule,
  ),
  ...Object.values(refundRequestRules).map(operatorRule),
  operatorRule(depositAssign),
  operatorRule(depositReturn),
  operatorRule(depositKeep),
];
