import { factsOfChain } from '../../../../chains/families.ts';
import type { RequestCtx } from '../../../../context.ts';
import { wakeFlow } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { findOrder } from '../../api/access.ts';
import { orderFlowOf } from '../../kinds/flow-registry.ts';
import { noteOrder } from '../../state/change-order.ts';
import type { OrderState } from '../../state/machine.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { claimTx } from '../refund/requests-store.ts';
import { releasesOf } from './posted.ts';

/** Posted transactions that are not the order's, before nobody looks at another one. */
const releasesMax = 10;
/** States in which a deposit is waited for. */
const payable: ReadonlySet<OrderState> = new Set(['awaiting_deposit', 'deposit_short']);
const prepared: ReadonlySet<OrderState> = new Set([
  'incomplete',
  'quoted',
  'email_needed',
  'kyc_needed',
  'kyc_review',
  'kyc_manual',
  'proof_needed',
  'payer_needed',
  'payer_short',
  'payer_short_of_gas',
]);

/**
 * Notes the transaction in which the payer made the deposit; what is in it is for the watcher to say. The same again is harmless.
 * @throws validation-error, order-not-found, not-authorized, payment-method-not-supported, quote-expired, order-not-editable, tx-id-already-used
 */
export async function postPayment(ctx: RequestCtx, input: { readonly orderId: string; readonly txId: string }): Promise<OrderRecord> {
  const found = await findOrder(ctx, input.orderId, { orUser: true });
  if (found.kind === 'onramp')
    throw new ServiceError('payment-method-not-supported', { message: 'The order is paid by card: there is no transaction to post.' });
  const txId = readTxId(found.request.payment.method, input.txId);
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: found.id });
    if (!order) throw new ServiceError('order-not-found');
    if (order.facts.postedTxId === txId) return order;
    checkPayable(order, ctx.clock.now());
    if (releasesOf(order) >= releasesMax)
      throw new ServiceError('order-not-editable', { message: 'Too many transactions were posted that make no deposit for this order.' });
    const chain = order.request.payment.method;
    const ownerId = await claimTx(tx, { projectId: order.projectId, chain, txId, orderId: order.id, at: ctx.clock.now() });
    if (ownerId !== order.id) throw new ServiceError('tx-id-already-used');
    const noted = await noteOrder(ctx, tx, order, { event: 'tx-posted', facts: { postedTxId: txId } });
    const flow = orderFlowOf(order.kind);
    if (flow) await wakeFlow(ctx, tx, flow, order.id);
    return noted;
  });
}

function checkPayable(order: OrderRecord, now: Date): void {
  const isOver = order.quoteExpiresAt !== undefined && order.quoteExpiresAt <= now;
  if (order.state === 'quote_expired' || (isOver && (payable.has(order.state) || prepared.has(order.state))))
    throw new ServiceError('quote-expired', { message: 'The quote has expired: create a new order. A deposit that was made goes back.' });
  if (payable.has(order.state)) return;
  throw new ServiceError('order-not-editable', {
    message: prepared.has(order.state)
      ? 'The order cannot be paid yet: payment.status says what is missing.'
      : 'The order takes no more payments: payment.status says how it was paid.',
  });
}

/** In the one spelling that the chain's family has for it. @throws validation-error for a text that cannot be an id there */
function readTxId(chain: string, text: string): string {
  const read = factsOfChain(chain).readTxId(text);
  if ('mistake' in read) throw new ServiceError('validation-error', { message: `The request is not valid. body.txId: ${read.mistake}.` });
  return read.txId;
}
