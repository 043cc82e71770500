import { factsOfChain } from '../../../../chains/families.ts';
import { requireExtra } from '../../../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../../../context.ts';
import { wakeFlow } from '../../../../jobs/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Tx } from '../../../../store/types.ts';
import { requireTreasury } from '../../../treasury/index.ts';
import { findOrder } from '../../api/access.ts';
import { orderFlowOf } from '../../kinds/flow-registry.ts';
import { orderEffect, sleepByAge } from '../../kinds/steps.ts';
import { isQuoteOver } from '../../pricing/quote-life.ts';
import { noteOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import { awaitsDeposit, isExpired, stateRow } from '../../state/states.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderFacts, OrderRecord } from '../../state/types.ts';
import { claimTx, releaseTx } from '../refund/requests-store.ts';
import { readPaidToken } from './preparation.ts';

const lookMsMax = 30_000;
/** How long a chain may take to show a transaction that somebody posted. */
const missingAfterMs = 5 * 60_000;

/**
 * What came of a transaction that the payer posted; what is recorded as a deposit is the watcher's.
 */
type Posted = { readonly found: boolean; readonly failure?: OrderFailure };

/**
 * Tells a payer who waits what is wrong with the transaction that was posted. The order goes on
 * waiting for a deposit.
 */
export const followPostedTx = orderEffect<Posted>({
  turn: 'deposit',
  perform: readPosted,
  async record(ctx, tx, order, { found, failure }) {
    const { postedTxId } = order.facts;
    if (failure && (found || order.facts.failure?.code !== failure.code)) {
      await noteOrder(ctx, tx, order, {
        event: 'posted-tx',
        facts: { failure, ...(await letGo(tx, order)), ...(found && { postedTxId: undefined }) },
      });
      if (found) return { goto: 'look' };
    } else if (found) {
      await noteOrder(ctx, tx, order, {
        event: 'posted-tx',
        facts: { failure: undefined, followedTxId: postedTxId },
      });
      return { goto: 'look' };
    }
    return sleepByAge(ctx, order, { maxMs: lookMsMax, until: order.deadlineAt });
  },
});

/** It is not this order's, as far as anybody can see: whose it is may post it. */
async function letGo(tx: Tx, order: OrderRecord): Promise<Partial<OrderFacts>> {
  const { projectId, id: orderId, facts, request } = order;
  await releaseTx(tx, {
    projectId,
    chain: request.payment.method,
    txId: facts.postedTxId!,
    orderId,
  });
  return { txReleases: releasesOf(order) + 1 };
}

/** How many posted transactions turned out not to be the order's. */
function releasesOf({ facts }: Pick<OrderRecord, 'facts'>): number {
  return typeof facts.txReleases === 'number' ? facts.txReleases : 0;
}

/** True while a posted transaction has not been found yet. */
export function isPostedTxOpen(order: OrderRecord): boolean {
  const { postedTxId, followedTxId } = order.facts;
  return postedTxId !== undefined && postedTxId !== followedTxId;
}

const noDeposit: OrderFailure = {
  code: 'tx-id-not-found',
  message:
    'The transaction that was posted makes no deposit for this order: post the one that does.',
  retryPolicy: 'retry',
};

const missing: OrderFailure = {
  code: 'tx-id-not-found',
  message: 'The chain does not know the transaction that was posted.',
  retryPolicy: 'retry',
};

async function readPosted(ctx: Ctx, order: OrderRecord): Promise<Posted> {
  const { method: chain, payerAddress } = order.request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const { address: recipientAddress } = await requireTreasury(ctx, {
    projectId: order.projectId,
    chainType: family.chainType,
  });
  const { status, transfers } = await requireExtra(family, 'deposits').readDeposits({
    chain,
    txId: order.facts.postedTxId!,
    recipientAddress,
  });
  if (status === 'included') {
    const payerKey = order.payerKey;
    const isOurs = transfers.some(({ memo, sender }) =>
      memo === undefined ? sender === payerKey : memo === order.memo,
    );
    return isOurs ? { found: true } : { found: true, failure: noDeposit };
  }
  if (status === 'pending') return { found: false };
  if (status === 'unknown') {
    const sinceMs = ctx.clock.now().getTime() - order.updatedAt.getTime();
    if (order.facts.failure === undefined && sinceMs < missingAfterMs) return { found: false };
    return { found: false, failure: missing };
  }
  const terms = order.terms!;
  const token = await readPaidToken(ctx, order, terms);
  const payer =
    payerAddress &&
    (await requireExtra(family, 'deposits').payerState({
      chain,
      token,
      amountMinor: terms.pay.amountMinor,
      payerAddress,
    }));
  return {
    found: false,
    failure:
      payer && payer !== 'ok'
        ? {
            code: 'insufficient-funds',
            message: 'The transaction failed: the payer has too little.',
            retryPolicy: 'retry',
          }
        : {
            code: 'unknown',
            message: 'The transaction that was posted failed on its chain: send another one.',
            retryPolicy: 'retry',
          },
  };
}

/** Posted transactions that are not the order's, before nobody looks at another one. */
const releasesMax = 10;

/**
 * Notes the transaction in which the payer made the deposit; what is in it is for the watcher to
 * say. The same again is harmless.
 * @throws validation-error, order-not-found, not-authorized, payment-method-not-supported,
 * quote-expired, order-not-editable, tx-id-already-used
 */
export async function postPayment(
  ctx: RequestCtx,
  input: { readonly orderId: string; readonly txId: string },
): Promise<OrderRecord> {
  const found = await findOrder(ctx, input.orderId, { orUser: true });
  if (found.kind === 'onramp')
    throw new ServiceError('payment-method-not-supported', {
      message: 'The order is paid by card: there is no transaction to post.',
    });
  const txId = readTxId(found.request.payment.method, input.txId);
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: found.id });
    if (!order) throw new ServiceError('order-not-found');
    if (order.facts.postedTxId === txId) return order;
    checkPayable(order, ctx.clock.now());
    if (releasesOf(order) >= releasesMax)
      throw new ServiceError('order-not-editable', {
        message: 'Too many transactions were posted that make no deposit for this order.',
      });
    const chain = order.request.payment.method;
    const ownerId = await claimTx(tx, {
      projectId: order.projectId,
      chain,
      txId,
      orderId: order.id,
      at: ctx.clock.now(),
    });
    if (ownerId !== order.id) throw new ServiceError('tx-id-already-used');
    const noted = await noteOrder(ctx, tx, order, {
      event: 'tx-posted',
      facts: { postedTxId: txId },
    });
    const flow = orderFlowOf(order.kind);
    if (flow) await wakeFlow(ctx, tx, flow, order.id);
    return noted;
  });
}

function checkPayable(order: OrderRecord, now: Date): void {
  if (
    isExpired(order) ||
    (isQuoteOver(order, now) &&
      (awaitsDeposit(order) || stateRow(order.state).unpaid === 'preparing'))
  )
    throw new ServiceError('quote-expired', {
      message: 'The quote has expired: create a new order. A deposit that was made goes back.',
    });
  if (awaitsDeposit(order)) return;
  throw new ServiceError('order-not-editable', {
    message:
      stateRow(order.state).unpaid === 'preparing'
        ? 'The order cannot be paid yet: payment.status says what is missing.'
        : 'The order takes no more payments: payment.status says how it was paid.',
  });
}

/**
 * In the one spelling that the chain's family has for it.
 * @throws validation-error for a text that cannot be an id there
 */
function readTxId(chain: string, text: string): string {
  const read = factsOfChain(chain).readTxId(text);
  if ('mistake' in read)
    throw new ServiceError('validation-error', {
      message: `The request is not valid. body.txId: ${read.mistake}.`,
    });
  return read.txId;
}
