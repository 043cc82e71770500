import type { Ctx } from '../../../context.ts';
import { defineFlow, effectStep, startFlow } from '../../../jobs/index.ts';
import { formatMoney } from '../../../lib/money/fiat.ts';
import { type Message, type SendOutcome } from '../../../providers/messaging/index.ts';
import type { Tx } from '../../../store/types.ts';
import { deliveriesOf, itemTermsOf } from './items.ts';
import type { OrderState } from './machine.ts';
import { selectOrder } from './store.ts';
import type { OrderMoneyFact, OrderRecord } from './types.ts';

/**
 * Receipts by e-mail: one for each end of an order, in a flow of their own, so that no mail server
 * ever holds up an order.
 */

const receiptKinds = ['order-delivered', 'order-paid-out', 'order-refunded'] as const;
type ReceiptKind = (typeof receiptKinds)[number];
type ReceiptState = { readonly orderId: string; readonly receipt: ReceiptKind };

const kindOfState: Readonly<Partial<Record<OrderState, ReceiptKind>>> = {
  delivered: 'order-delivered',
  payout_settled: 'order-paid-out',
  refunded: 'order-refunded',
};

/** About a day of tries. */
const retry = { attemptsMax: 40, baseMs: 5_000, delayMsMax: 60 * 60_000 };

/**
 * Sends one receipt. The order and the kind are its key: however often it is tried, the payer has
 * one.
 */
export const receiptFlow = defineFlow<ReceiptState, Ctx>({
  kind: 'order-receipt',
  version: 1,
  firstStep: 'send',
  steps: {
    send: effectStep<ReceiptState, Record<string, never>, SendOutcome | undefined, Ctx>({
      retry,
      timeoutMs: 60_000,
      prepare: async () => ({ intent: {} }),
      perform: async (ctx, { state }) => {
        const order = await selectOrder(ctx.store, { by: 'id', id: state.orderId });
        const to = order?.request.payment.receiptEmail;
        if (!order || to === undefined) return undefined;
        return ctx.providers.messaging.sendEmail({
          to,
          message: receiptOf(order, state.receipt),
          idempotencyKey: keyOf(state),
        });
      },
      record: async (ctx, _, { state }, outcome) => {
        if (outcome?.status === 'refused')
          ctx.log.warn(
            { orderId: state.orderId, reason: outcome.reason },
            'a receipt was refused and is not sent',
          );
        return { done: true };
      },
    }),
  },
});

/**
 * Starts the receipt of a state that an order has just come to, in the same transaction; other
 * states have none.
 */
export async function startReceipt(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  order: OrderRecord,
): Promise<void> {
  const receipt = kindOfState[order.state];
  if (receipt === undefined || order.request.payment.receiptEmail === undefined) return;
  const state: ReceiptState = { orderId: order.id, receipt };
  await startFlow(ctx, tx, receiptFlow, { projectId: order.projectId, key: keyOf(state), state });
}

const keyOf = ({ orderId, receipt }: ReceiptState) => `${orderId}-${receipt}`;

const receivedOf = (order: OrderRecord) =>
  itemTermsOf(order)
    .map(({ receive }) => formatMoney(receive))
    .join(' + ');

const txIdsOf = (order: OrderRecord) =>
  deliveriesOf(order)
    .map(({ txId }) => txId ?? '-')
    .join(', ') ||
  (order.facts.txId ?? '-');

function receiptOf(order: OrderRecord, kind: ReceiptKind): Message {
  const terms = order.terms!;
  const fact = (known: OrderMoneyFact | undefined) =>
    known ? formatMoney({ ...known, amountMinor: BigInt(known.amountMinor) }) : '-';
  const common = { order: order.id, paid: fact(order.facts.totalPaid ?? order.facts.received) };
  const feeMinor = terms.fees.reduce((sum, fee) => sum + fee.amountMinor, 0n);
  const fees = formatMoney({ ...terms.value, amountMinor: feeMinor });
  switch (kind) {
    case 'order-delivered': {
      const recipient = String(
        order.request.recipient.walletAddress ?? order.facts.recipientAddress ?? '-',
      );
      return {
        kind,
        values: { ...common, fees, received: receivedOf(order), recipient, tx: txIdsOf(order) },
      };
    }
    case 'order-paid-out':
      return {
        kind,
        values: {
          ...common,
          fees,
          received: formatMoney(terms.receive),
          rail: order.facts.rail ?? '-',
        },
      };
    case 'order-refunded':
      return {
        kind,
        values: {
          ...common,
          refunded: fact(order.facts.refunded),
          reason:
            order.facts.failure?.message ??
            (order.facts.refundGrants
              ? 'The refund was asked for.'
              : 'The order could not be delivered.'),
        },
      };
  }
}
