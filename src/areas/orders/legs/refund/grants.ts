import type { Ctx } from '../../../../context.ts';
import { postEntries } from '../../../../ledger/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { tryMove } from '../../../../machine/machine.ts';
import type { Tx } from '../../../../store/types.ts';
import { changeOrder } from '../../state/change-order.ts';
import { isItemDelivered, itemCountOf, itemTermsOf } from '../../state/items.ts';
import { type OrderState, orderMachineOf } from '../../state/machine.ts';
import type { OrderRecord, RefundGrant } from '../../state/types.ts';
import { sumDisputes } from '../card/disputes.ts';
import { refundGrantEntry } from '../ledger.ts';
import type { RefundRequest } from './requests-store.ts';

/**
 * A delivered line item is paid back by agreement: the service owes the order its price again, out
 * of its own pocket, and the order goes the way of every refund. What was delivered stays with
 * whoever received it.
 */

/** Refunds that were granted of an order, oldest first. */
export function grantsOf(order: Pick<OrderRecord, 'facts'>): readonly RefundGrant[] {
  return order.facts.refundGrants ?? [];
}

/**
 * True of a line item that was delivered and not free, and that nobody has paid back or is about
 * to.
 */
export function isItemRefundable(order: OrderRecord, lineItem: number): boolean {
  const isPaid = itemTermsOf(order)[lineItem]?.pay.amountMinor !== 0n;
  return (
    isPaid &&
    isItemDelivered(order, lineItem) &&
    !grantsOf(order).some((grant) => grant.lineItem === lineItem)
  );
}

/** True where the service itself can send back what was paid; an offramp's money is at a bank. */
export function isPaidBackByService({ kind }: Pick<OrderRecord, 'kind'>): boolean {
  return kind !== 'offramp';
}

/** Begins to pay a locked order's line item back. @throws refund-not-allowed */
export async function grantRefund(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  input: { readonly request: RefundRequest; readonly note: string },
): Promise<OrderRecord> {
  const { request } = input;
  if (tryMove(orderMachineOf(order.kind), order.state, 'refund-granted') === undefined)
    throw notAllowed(
      whyNot[order.state] ?? `The order is ${order.state}: nothing can be paid back there.`,
    );
  if (!isItemRefundable(order, request.lineItem))
    throw notAllowed('The line item was not delivered, or was refunded already.');
  if ((await disputedMinorOf(tx, order)) > 0n)
    throw notAllowed(
      "The payer's bank is taking the payment back, or has (a dispute): it must not go back twice.",
    );
  const { pay } = itemTermsOf(order)[request.lineItem]!;
  await postEntries(ctx, tx, [
    refundGrantEntry(order, { requestId: request.id, money: pay, at: ctx.clock.now() }),
  ]);
  const grant: RefundGrant = {
    requestId: request.id,
    lineItem: request.lineItem,
    amountMinor: pay.amountMinor.toString(),
  };
  const refundGrants = [...grantsOf(order), grant];
  const isPart = refundGrants.length < itemCountOf(order);
  return changeOrder(ctx, tx, order, {
    event: 'refund-granted',
    facts: { refundGrants },
    delivery: isPart ? 'partial-delivery' : 'completed',
    note: `operator: ${input.note}`,
  });
}

const whyNot: Partial<Record<OrderState, string>> = {
  refunding: 'Another refund of the order is under way: accept this one once that has arrived.',
  needs_operator: 'The order waits for you: decide about it first (purser orders resolve).',
};

/** What the payer's bank is taking back: as the acquirer told, or as it says when it is asked. */
async function disputedMinorOf(tx: Tx, order: OrderRecord): Promise<bigint> {
  const toldMinor = await sumDisputes(tx, order.id);
  const { disputeGap } = order.facts;
  const seenMinor = typeof disputeGap === 'string' ? BigInt(disputeGap) : 0n;
  return toldMinor > seenMinor ? toldMinor : seenMinor;
}

function notAllowed(message: string): ServiceError {
  return new ServiceError('refund-not-allowed', { message });
}
