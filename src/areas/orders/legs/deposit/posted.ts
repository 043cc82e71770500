import { requireExtra } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import { requireTreasury } from '../../../treasury/index.ts';
import { orderEffect, sleepByAge } from '../../kinds/order-step.ts';
import { noteOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import type { OrderFacts, OrderRecord } from '../../state/types.ts';
import { releaseTx } from '../refund/requests-store.ts';
import { readPaidToken } from './preparation.ts';

const lookMsMax = 30_000;
/** How long a chain may take to show a transaction that somebody posted. */
const missingAfterMs = 5 * 60_000;

/** What came of a transaction that the payer posted; what is recorded as a deposit is the watcher's. */
type Posted = { readonly found: boolean; readonly failure?: OrderFailure };

/** Tells a payer who waits what is wrong with the transaction that was posted. The order goes on waiting for a deposit. */
export const followPostedTx = orderEffect<Posted>({
  states: ['awaiting_deposit'],
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
      await noteOrder(ctx, tx, order, { event: 'posted-tx', facts: { failure: undefined, followedTxId: postedTxId } });
      return { goto: 'look' };
    }
    return sleepByAge(ctx, order, { maxMs: lookMsMax, until: order.deadlineAt });
  },
});

/** It is not this order's, as far as anybody can see: whose it is may post it. */
async function letGo(tx: Tx, order: OrderRecord): Promise<Partial<OrderFacts>> {
  const { projectId, id: orderId, facts, request } = order;
  await releaseTx(tx, { projectId, chain: request.payment.method, txId: facts.postedTxId!, orderId });
  return { txReleases: releasesOf(order) + 1 };
}

/** How many posted transactions turned out not to be the order's. */
export function releasesOf({ facts }: Pick<OrderRecord, 'facts'>): number {
  return typeof facts.txReleases === 'number' ? facts.txReleases : 0;
}

/** True while a posted transaction has not been found yet. */
export function isPostedTxOpen(order: OrderRecord): boolean {
  const { postedTxId, followedTxId } = order.facts;
  return postedTxId !== undefined && postedTxId !== followedTxId;
}

const noDeposit: OrderFailure = {
  code: 'tx-id-not-found',
  message: 'The transaction that was posted makes no deposit for this order: post the one that does.',
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
  const { address: recipientAddress } = await requireTreasury(ctx, { projectId: order.projectId, chainType: family.chainType });
  const { status, transfers } = await requireExtra(family, 'deposits').readDeposits({
    chain,
    txId: order.facts.postedTxId!,
    recipientAddress,
  });
  if (status === 'included') {
    const payerKey = order.payerKey;
    const isOurs = transfers.some(({ memo, sender }) => (memo === undefined ? sender === payerKey : memo === order.memo));
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
    payerAddress && (await requireExtra(family, 'deposits').payerState({ chain, token, amountMinor: terms.pay.amountMinor, payerAddress }));
  return {
    found: false,
    failure:
      payer && payer !== 'ok'
        ? { code: 'insufficient-funds', message: 'The transaction failed: the payer has too little.', retryPolicy: 'retry' }
        : { code: 'unknown', message: 'The transaction that was posted failed on its chain: send another one.', retryPolicy: 'retry' },
  };
}
