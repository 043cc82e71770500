import type { Ctx } from '../../context.ts';
import { requireTreasury } from '../treasury/index.ts';
import { noteOrder } from './change-order.ts';
import { readPaidToken } from './deposit-leg-preparation.ts';
import { orderEffect, sleepByAge } from './order-step.ts';
import type { OrderFailure, OrderRecord } from './types.ts';

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
    if (failure && order.facts.failure?.code !== failure.code) await noteOrder(ctx, tx, order, { event: 'posted-tx', facts: { failure } });
    if (found) {
      await noteOrder(ctx, tx, order, { event: 'posted-tx', facts: { failure: undefined, followedTxId: postedTxId } });
      return { goto: 'look' };
    }
    return sleepByAge(ctx, order, { maxMs: lookMsMax, until: order.deadlineAt });
  },
});

/** True while a posted transaction has not been found yet. */
export function isPostedTxOpen(order: OrderRecord): boolean {
  const { postedTxId, followedTxId } = order.facts;
  return postedTxId !== undefined && postedTxId !== followedTxId;
}

async function readPosted(ctx: Ctx, order: OrderRecord): Promise<Posted> {
  const { method: chain, payerAddress } = order.request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const { address: recipientAddress } = await requireTreasury(ctx, { projectId: order.projectId, chainType: family.chainType });
  const { status } = await family.readDeposits({ chain, txId: order.facts.postedTxId!, recipientAddress });
  if (status === 'included') return { found: true };
  if (status === 'pending') return { found: false };
  if (status === 'unknown') {
    const sinceMs = ctx.clock.now().getTime() - order.updatedAt.getTime();
    if (order.facts.failure === undefined && sinceMs < missingAfterMs) return { found: false };
    return { found: false, failure: { code: 'tx-id-not-found', message: 'The chain does not know the transaction that was posted.' } };
  }
  const terms = order.terms!;
  const token = await readPaidToken(ctx, order, terms);
  const payer = payerAddress && (await family.payerState({ chain, token, amountMinor: terms.pay.amountMinor, payerAddress }));
  return {
    found: false,
    failure:
      payer && payer !== 'ok'
        ? { code: 'insufficient-funds', message: 'The transaction failed: the payer has too little.' }
        : { code: 'unknown', message: 'The transaction that was posted failed on its chain: send another one.' },
  };
}
