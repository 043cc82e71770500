import type { Ctx } from '../../../../context.ts';
import { type FlowDefinition, wakeFlow } from '../../../../jobs/index.ts';
import { move, tryMove } from '../../../../machine/machine.ts';
import type { Tx } from '../../../../store/types.ts';
import { findDeposit } from '../../../deposits/index.ts';
import { selectTreasuryTransfer, type TreasuryChange } from '../../../treasury/index.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { orderMachineOf } from '../../state/machine.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { post, treasuryOf } from '../deposit/postings.ts';
import { leg } from '../ledger.ts';
import { type RefundEvent, refundMachine } from './machine.ts';
import {
  type ChainRefund,
  isOwedByOrder,
  lockRefund,
  selectRefundsOfOrder,
  updateRefund,
} from './store.ts';

/** Transfers of one refund that may fail on the chain before an operator is asked. */
const transfersMax = 3;

/** The refund flow's name, so that what it hears of a chain can wake it. */
type Waker = Pick<FlowDefinition<{ readonly refundId: string }, Ctx>, 'kind'>;
const refundFlow = { kind: 'order-refund' } satisfies Waker;

/** The treasury has taken it. */
export async function markSent(ctx: Ctx, tx: Tx, refund: ChainRefund): Promise<void> {
  await save(ctx, tx, refund, 'sent');
}

/** How the attention of an order ends whose deposit was final and is not there any more. */
export const goneWords = 'was final and a reorganisation took it back';

const stoppedCode = 'deposit-retracted';

/** What is not there any more does not go back. */
export function stopRefund(ctx: Ctx, tx: Tx, refund: ChainRefund): Promise<void> {
  return failRefund(ctx, tx, refund, {
    code: stoppedCode,
    message: 'A reorganisation took the deposit back.',
  });
}

/** True of a refund that `stopRefund` has stopped. */
export function isStopped({ status, error }: ChainRefund): boolean {
  return status === 'failed' && error?.startsWith(`${stoppedCode}:`) === true;
}

/** It cannot be sent: the order's operator is told, and the money stays set aside. */
export async function failRefund(
  ctx: Ctx,
  tx: Tx,
  refund: ChainRefund,
  refusal: { readonly code: string; readonly message: string },
): Promise<void> {
  const error = `${refusal.code}: ${refusal.message}`.slice(0, 1_000);
  await save(ctx, tx, refund, 'refused', { error });
  ctx.log.error(
    {
      refundId: refund.id,
      orderId: refund.orderId,
      depositId: refund.depositId,
      code: refusal.code,
    },
    'a refund cannot be sent',
  );
  const order =
    refund.orderId === undefined
      ? undefined
      : await lockOrder(tx, { by: 'id', id: refund.orderId });
  if (!order) return;
  const attention = `refund ${refund.id}: ${refusal.code}`;
  if (isOwedByOrder(refund) && order.state === 'refunding')
    await changeOrder(ctx, tx, order, {
      event: 'attention-needed',
      set: { attention },
      note: attention,
    });
  else
    await noteOrder(ctx, tx, order, {
      event: 'refund-failed',
      set: { attention },
      note: attention,
    });
}

/**
 * What an order that goes on still asks of its operator: a refund beside it that failed, or a
 * deposit that is gone, is not mended by that.
 */
export function lastingAttention({
  attention,
}: Pick<OrderRecord, 'attention'>): string | undefined {
  return attention?.startsWith('refund ') || attention?.endsWith(goneWords) ? attention : undefined;
}

/** What became of a refund's transfer, in the transaction in which the chain's news is recorded. */
export async function followRefund(ctx: Ctx, tx: Tx, change: TreasuryChange): Promise<void> {
  const refund = await lockRefund(tx, { transferId: change.transferId });
  if (!refund) return;
  if (change.change === 'final' && tryMove(refundMachine, refund.status, 'finalized'))
    return finish(ctx, tx, refund, change);
  if (change.change === 'failed') return sendAgain(ctx, tx, refund, change);
  if (change.change === 'reverted-to-pending' && refund.status === 'final')
    return takeBack(ctx, tx, refund, change);
  if (change.change === 'success' && change.txId !== undefined && refund.txId !== change.txId)
    await updateRefund(tx, refund.status, {
      ...refund,
      txId: change.txId,
      updatedAt: ctx.clock.now(),
    });
}

/**
 * True while the deposit that goes back is final: what is not there any more must not be paid back.
 */
export async function isCovered(tx: Tx, { depositId }: ChainRefund): Promise<boolean> {
  return (await findDeposit(tx, depositId))?.status === 'final';
}

async function finish(
  ctx: Ctx,
  tx: Tx,
  refund: ChainRefund,
  change: TreasuryChange,
): Promise<void> {
  const final = await save(ctx, tx, refund, 'finalized', {
    finals: refund.finals + 1,
    ...(change.txId !== undefined && { txId: change.txId }),
  });
  await postRefund(ctx, tx, final, 'final', change.at);
  await wake(ctx, tx, final);
  const order =
    final.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: final.orderId });
  if (order) await tellOrder(ctx, tx, order, final);
  if (!(await isCovered(tx, final))) await tellUncovered(ctx, tx, final);
}

/**
 * Whoever had the transfer's bytes was faster than the withholding: only people can ask for the
 * money.
 */
async function tellUncovered(ctx: Ctx, tx: Tx, refund: ChainRefund): Promise<void> {
  const { id, orderId, depositId } = refund;
  ctx.log.error({ refundId: id, orderId, depositId }, 'a deposit that is gone was sent back');
  const order = orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: orderId });
  const attention = `refund ${id} was sent, and its deposit ${depositId} is not there`;
  if (order)
    await noteOrder(ctx, tx, order, {
      event: 'refund-uncovered',
      set: { attention },
      note: attention,
    });
}

/** A payer sees what came back; the order itself ends when all of it is final. */
async function tellOrder(ctx: Ctx, tx: Tx, order: OrderRecord, refund: ChainRefund): Promise<void> {
  const refunds = await selectRefundsOfOrder(tx, order.id);
  const paysBack = refunds.filter(
    ({ asset, status }) =>
      asset === refund.asset && asset === order.terms?.pay.asset && status === 'final',
  );
  const amountMinor = paysBack.reduce((sum, one) => sum + one.amountMinor, 0n);
  const currency = order.terms?.pay.currency ?? refund.asset;
  const facts = {
    refunded: {
      currency,
      decimals: refund.decimals,
      amountMinor: amountMinor.toString(),
      chain: refund.chain,
      ...(refund.txId !== undefined && { txId: refund.txId }),
    },
  };
  const ends = refunds.filter(isOwedByOrder);
  const isOver =
    order.state === 'refunding' &&
    ends.length > 0 &&
    ends.every(({ status }) => status === 'final');
  if (isOver && tryMove(orderMachineOf(order.kind), order.state, 'refund-final'))
    await changeOrder(ctx, tx, order, {
      event: 'refund-final',
      facts,
      note: `refund ${refund.id} is final`,
    });
  else
    await noteOrder(ctx, tx, order, {
      event: 'refund-final',
      ...(paysBack.some(({ id }) => id === refund.id) && { facts }),
      ...(order.attention?.startsWith(`refund ${refund.id}:`) && { set: { attention: undefined } }),
      note: `refund ${refund.id} (${refund.reason}) is final`,
    });
}

/**
 * Nothing can make the last transfer arrive any more: a new one, with a new id, while there is
 * something to send back.
 */
async function sendAgain(
  ctx: Ctx,
  tx: Tx,
  refund: ChainRefund,
  change: TreasuryChange,
): Promise<void> {
  if (refund.status !== 'sent' && refund.status !== 'pending') return;
  if (!(await isCovered(tx, refund))) return stopRefund(ctx, tx, refund);
  const message = change.error?.message ?? 'the transfer failed on the chain';
  if (refund.transfers >= transfersMax)
    return failRefund(ctx, tx, refund, { code: 'transfer-failed', message });
  const next = {
    transferId: ctx.ids.uuid(),
    transfers: refund.transfers + 1,
    error: message.slice(0, 1_000),
  };
  if (refund.status === 'sent') await save(ctx, tx, refund, 'transfer-failed', next);
  else await updateRefund(tx, refund.status, { ...refund, ...next, updatedAt: ctx.clock.now() });
  await wake(ctx, tx, refund);
}

/** The network broke its own rule; the relay sends the same transfer again. */
async function takeBack(
  ctx: Ctx,
  tx: Tx,
  refund: ChainRefund,
  change: TreasuryChange,
): Promise<void> {
  const sent = await save(ctx, tx, refund, 'retracted');
  ctx.log.error(
    { refundId: refund.id, orderId: refund.orderId },
    'a reorganisation took a final refund back',
  );
  await postRefund(ctx, tx, sent, 'retracted', change.at);
}

/**
 * What kept a failed refund from being sent is mended. It has a new transfer only if the last one
 * can never arrive: the answer of one that was handed over may have been lost.
 */
export async function retryRefund(ctx: Ctx, tx: Tx, refund: ChainRefund): Promise<ChainRefund> {
  const last = await selectTreasuryTransfer(tx, refund.transferId);
  const transferId = last?.status === 'failed' ? ctx.ids.uuid() : refund.transferId;
  return save(ctx, tx, refund, 'retried', { transferId, transfers: 1 });
}

async function save(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  refund: ChainRefund,
  event: RefundEvent,
  fields: Partial<Pick<ChainRefund, 'txId' | 'error' | 'transferId' | 'transfers' | 'finals'>> = {},
): Promise<ChainRefund> {
  const next = {
    ...refund,
    ...fields,
    status: move(refundMachine, refund.status, event),
    updatedAt: ctx.clock.now(),
  };
  await updateRefund(tx, refund.status, next);
  return next;
}

/** `finals` counts, since a network that breaks its rule may make one transfer final twice. */
async function postRefund(
  ctx: Ctx,
  tx: Tx,
  refund: ChainRefund,
  step: 'final' | 'retracted',
  at: Date,
): Promise<void> {
  const treasury = treasuryOf(refund.chain);
  await post(ctx, tx, {
    projectId: refund.projectId,
    reference: `refund:${refund.id}:${step}:${refund.finals}`,
    kind: `refund-${step}`,
    ...(refund.orderId !== undefined && { orderId: refund.orderId }),
    effectiveAt: at,
    postings:
      step === 'final'
        ? leg(treasury, refund.account, refund)
        : leg(refund.account, treasury, refund),
    ...(refund.txId !== undefined && { data: { txId: refund.txId } }),
  });
}

function wake(ctx: Ctx, tx: Tx, refund: ChainRefund): Promise<boolean> {
  return wakeFlow(ctx, tx, refundFlow as FlowDefinition<{ refundId: string }, Ctx>, refund.id);
}
