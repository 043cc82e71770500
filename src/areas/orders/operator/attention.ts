import type { Ctx } from '../../../context.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { isFiat } from '../../../lib/money/fiat.ts';
import { findDeposit } from '../../deposits/index.ts';
import {
  type AttentionDecision,
  type AttentionItem,
  type AttentionSource,
  countRows,
} from '../../operations/index.ts';
import { type DepositReason, selectHeldDeposits } from '../legs/deposit/store.ts';
import { isSentByHand } from '../legs/refund/requests.ts';
import { type RefundRequest, selectOpenRequests } from '../legs/refund/requests-store.ts';
import { type ChainRefund, selectFailedReturns } from '../legs/refund/store.ts';
import { isParked, needsOperator, parkedSql } from '../state/states.ts';
import { selectAskingOrders, selectOrder } from '../state/store.ts';
import type { OrderAmount, OrderRecord } from '../state/types.ts';

/**
 * What orders have that waits for an operator: orders, what was asked back of them, deposits that
 * match none.
 */
export const orderAttention: readonly AttentionSource[] = [
  {
    kind: 'order',
    async list(ctx, input) {
      return (await selectAskingOrders(ctx.store, input)).map(orderItem);
    },
    count: (ctx, { projectId, max }) =>
      countRows(ctx, {
        text: `select 1 from orders where project_id = $1 and (${parkedSql} or attention is not null) limit $2`,
        values: [projectId, max],
      }),
  },
  {
    kind: 'refund-request',
    async list(ctx, input) {
      const items = (await selectOpenRequests(ctx.store, input)).map(async (request) => {
        const order = await selectOrder(ctx.store, { by: 'id', id: request.orderId });
        return order && requestItem(request, order);
      });
      return (await Promise.all(items)).filter((item) => item !== undefined);
    },
    count: (ctx, { projectId, max }) =>
      countRows(ctx, {
        text: `select 1 from order_refund_requests where project_id = $1 and status in ('initiated', 'accepted') limit $2`,
        values: [projectId, max],
      }),
  },
  {
    kind: 'deposit',
    async list(ctx, input) {
      const items = (await selectHeldDeposits(ctx.store, input)).map((held) =>
        depositItem(ctx, held),
      );
      return (await Promise.all(items)).filter((item) => item !== undefined);
    },
    count: (ctx, { projectId, max }) =>
      countRows(ctx, {
        text: `select 1 from order_deposits where project_id = $1 and use = 'held' limit $2`,
        values: [projectId, max],
      }),
  },
  {
    kind: 'return',
    async list(ctx, input) {
      return (await selectFailedReturns(ctx.store, input)).map(returnItem);
    },
    count: async (ctx, { projectId, max }) =>
      (await selectFailedReturns(ctx.store, { projectId, limit: max })).length,
  },
];

/** What of an order itself waits; undefined: nothing. */
export async function attentionOfOrder(
  ctx: Ctx,
  input: { readonly projectId: string; readonly orderId: string },
) {
  const order = await selectOrder(ctx.store, { by: 'id', id: input.orderId });
  const isAsking =
    order?.projectId === input.projectId && (isParked(order) || order.attention !== undefined);
  return isAsking ? orderItem(order) : undefined;
}

const kinds = { offramp: 'Payout', onramp: 'Card purchase', checkout: 'Token purchase' } as const;
const shown = ({ amountMinor, decimals, currency }: OrderAmount) => {
  const amount = formatAmount(amountMinor, decimals);
  // Cents are written out, digits of tokens as far as there are some.
  const [, cents = ''] = amount.split('.');
  const isPadded = isFiat(currency) && decimals > 0;
  return {
    amount: isPadded ? `${amount.split('.')[0]}.${cents.padEnd(decimals, '0')}` : amount,
    currency: currency.toUpperCase(),
  };
};

/** An order that is parked or asks to be looked at, as it waits. */
export function orderItem(order: OrderRecord): AttentionItem {
  const { id, projectId, kind, terms } = order;
  const pay = terms && shown(terms.pay);
  return {
    kind: 'order',
    id,
    projectId,
    orderId: id,
    since: order.updatedAt,
    deadlineAt: order.deadlineAt,
    title: `${kinds[kind as keyof typeof kinds] ?? kind} ${order.state === 'on_hold' ? 'on hold' : isParked(order) ? 'stopped' : 'asks to be looked at'}`,
    reason:
      order.attention ??
      holdReasons[String(order.facts.holdReason)] ??
      `The order is ${order.state}.`,
    amount: pay,
    decisions: decisionsOf(
      order,
      pay === undefined ? 'what was paid' : `${pay.amount} ${pay.currency}`,
    ),
    command: `purser orders show ${id}`,
  };
}

const holdReasons: Readonly<Record<string, string>> = {
  screening: 'The payer’s address was found on a list of blocked ones.',
  'deposit-unproven': 'A second node does not show the deposit that the first one tells of.',
};

/** What fits an order; that it can be done now is looked at when it is. */
function decisionsOf(order: OrderRecord, paid: string): AttentionDecision[] {
  const receive = order.terms && shown(order.terms.receive);
  const given = receive ? `${receive.amount} ${receive.currency}` : 'what was ordered';
  const params = { orderId: order.id };
  if (order.state === 'on_hold')
    return [
      {
        rule: 'orders.hold.refuse',
        label: 'Refuse',
        effect: `${paid} goes back to whoever paid it, or is not taken. The order ends.`,
        params,
      },
      {
        rule: 'orders.hold.release',
        label: 'Release',
        effect: `The order goes on: ${given} is given out for ${paid}.`,
        params,
      },
    ];
  if (needsOperator(order))
    return [
      {
        rule: 'orders.resolve.refund',
        label: 'Pay back',
        effect: `${paid} goes back to whoever paid it.`,
        params,
      },
      {
        rule: 'orders.resolve.continue',
        label: 'Go on',
        effect: `It is tried again: ${given} is given out for ${paid}.`,
        params,
      },
      {
        rule: 'orders.resolve.close',
        label: 'Close by hand',
        effect:
          'No money moves. The order ends as settled by hand, and what it owed is set aside in the books.',
        params,
      },
    ];
  return [
    {
      rule: 'orders.acknowledge',
      label: 'Acknowledge',
      effect: 'No money moves. The order asks for no attention any more.',
      params,
    },
  ];
}

function requestItem(request: RefundRequest, order: OrderRecord): AttentionItem {
  const isAsked = request.status === 'initiated';
  const isByHand = isSentByHand(order);
  const params = { orderId: order.id, lineItem: request.lineItem };
  const reject = {
    rule: 'orders.refunds.reject',
    label: 'Reject',
    effect: 'No money moves. The buyer may ask again.',
    params,
  };
  const accept = {
    rule: 'orders.refunds.accept',
    label: 'Accept',
    effect: isByHand
      ? 'No money moves by itself: you send it back, and say so here.'
      : 'What was paid for the item goes back by itself.',
    params,
  };
  const complete = {
    rule: 'orders.refunds.complete',
    label: 'Sent by hand',
    effect: 'No money moves: you have sent it back.',
    params,
  };
  return {
    kind: 'refund-request',
    id: request.id,
    projectId: request.projectId,
    orderId: order.id,
    since: request.createdAt,
    title: isAsked ? 'A buyer asks for money back' : 'Agreed to be paid back',
    reason: request.reason,
    amount: order.terms && shown(order.terms.pay),
    decisions: isAsked ? [accept, reject] : isByHand ? [complete] : [],
    command: `purser orders refunds ${isAsked ? 'accept' : 'complete'} ${order.id} --note "…"`,
  };
}

const depositReasons: Readonly<Record<DepositReason, string>> = {
  second: 'Its order has been paid already.',
  'order-closed': 'Its order has ended.',
  'wrong-chain': 'Its order is to be paid on another chain.',
  'wrong-token': 'Its order is to be paid in another token.',
  'wrong-payer': 'It comes from somebody else than the payer of its order.',
  'memo-unknown': 'It names no order that is known here.',
  'memo-missing': 'It names no order.',
  'not-recordable': 'Its order takes no deposit now.',
};

/** A deposit that waits; undefined when it is gone. */
export async function depositItem(
  ctx: Ctx,
  held: Awaited<ReturnType<typeof selectHeldDeposits>>[number],
): Promise<AttentionItem | undefined> {
  const deposit = await findDeposit(ctx.store, held.depositId);
  if (!deposit) return undefined;
  const { id, projectId, token } = deposit;
  const amount = {
    amount: formatAmount(deposit.amountMinor, token.decimals),
    currency: token.symbol ?? token.locator,
  };
  const money = `${amount.amount} ${amount.currency}`;
  const params = { depositId: id };
  return {
    kind: 'deposit',
    id,
    projectId,
    orderId: held.orderId,
    since: held.createdAt,
    title: 'Deposit that matches no order',
    reason:
      `${held.reason === undefined ? '' : depositReasons[held.reason]}${held.counts ? '' : ' It is not final yet.'}`.trim(),
    amount,
    decisions: [
      {
        rule: 'deposits.return',
        label: 'Return',
        effect: `${money} goes back to ${deposit.sender}.`,
        params,
      },
      {
        rule: 'deposits.assign',
        label: 'Assign to an order',
        effect: `${money} pays the order that you name, which goes on as if it had matched.`,
        params,
        asks: [{ name: 'orderId', label: 'Order' }],
      },
      {
        rule: 'deposits.keep',
        label: 'Keep as our own',
        effect: `No money moves: ${money} is owed to nobody.`,
        params,
      },
    ],
    command: `purser deposits show ${id}`,
  };
}

function returnItem(refund: ChainRefund): AttentionItem {
  const { id, projectId, depositId, amountMinor, decimals, recipient } = refund;
  const amount = { amount: formatAmount(amountMinor, decimals), currency: refund.asset };
  return {
    kind: 'return',
    id,
    projectId,
    since: refund.createdAt,
    title: 'Deposit that could not be returned',
    reason: refund.error ?? 'The transfer failed.',
    amount,
    decisions: [
      {
        rule: 'deposits.return',
        label: 'Try again',
        effect: `${amount.amount} ${amount.currency} are sent to ${recipient} again.`,
        params: { depositId },
      },
    ],
    command: `purser deposits return ${depositId} --note "…"`,
  };
}
