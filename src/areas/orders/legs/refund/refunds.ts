import type { Ctx } from '../../../../context.ts';
import { startFlow, wakeFlow } from '../../../../jobs/index.ts';
import { move } from '../../../../machine/machine.ts';
import type { Tx } from '../../../../store/types.ts';
import type { DepositRecord } from '../../../deposits/index.ts';
import { releaseTransfer } from '../../../treasury/index.ts';
import { heldAccount, post } from '../deposit/postings.ts';
import { assetOf } from '../deposit/rules.ts';
import { leg } from '../ledger.ts';
import { orderRefundFlow } from './flow.ts';
import { isStopped, retryRefund } from './follow.ts';
import { refundMachine } from './machine.ts';
import {
  type ChainRefund,
  insertRefund,
  lockRefund,
  type RefundReason,
  selectRefundsOfDeposit,
} from './store.ts';

/**
 * Sends money of a deposit back to whoever sent it: stores the refund with the id of its transfer,
 * sets the money aside, and starts the flow that sends it. The same deposit goes back once for one
 * reason.
 */
export async function createRefund(
  ctx: Ctx,
  tx: Tx,
  input: {
    readonly deposit: DepositRecord;
    readonly orderId?: string | undefined;
    readonly reason: RefundReason;
    readonly amountMinor: bigint;
    /** Ledger account that owes it now. */
    readonly from: string;
  },
): Promise<ChainRefund | undefined> {
  const { deposit, orderId, reason, amountMinor, from } = input;
  const now = ctx.clock.now();
  const refund: ChainRefund = {
    id: ctx.ids.uuid(),
    ...(orderId !== undefined && { orderId }),
    projectId: deposit.projectId,
    reason,
    depositId: deposit.id,
    chain: deposit.chain,
    asset: assetOf(ctx, deposit.token),
    decimals: deposit.token.decimals,
    amountMinor,
    recipient: deposit.sender,
    status: move(refundMachine, '*', 'created'),
    transferId: ctx.ids.uuid(),
    transfers: 1,
    finals: 0,
    account: heldAccount,
    createdAt: now,
    updatedAt: now,
  };
  if (!(await insertRefund(tx, refund))) return undefined;
  if (from !== heldAccount)
    await post(ctx, tx, {
      projectId: refund.projectId,
      reference: `refund:${refund.id}:held`,
      kind: 'refund-held',
      ...(orderId !== undefined && { orderId }),
      effectiveAt: now,
      postings: leg(heldAccount, from, refund),
    });
  await startFlow(ctx, tx, orderRefundFlow, {
    projectId: refund.projectId,
    key: refund.id,
    state: { refundId: refund.id },
  });
  return refund;
}

/**
 * Refunds of a deposit that a reorganisation took, and that is final again: those that were
 * withheld go on, and so do those that were stopped, unless an operator is to decide.
 */
export async function resumeRefunds(
  ctx: Ctx,
  tx: Tx,
  deposit: DepositRecord,
  { isDecided }: { readonly isDecided: boolean },
): Promise<void> {
  for (const { id } of await selectRefundsOfDeposit(tx, deposit.id)) {
    const refund = await lockRefund(tx, { id });
    if (!refund) continue;
    await releaseTransfer(ctx, tx, refund.transferId);
    if (isDecided && isStopped(refund)) await retryRefund(ctx, tx, refund);
    await wakeFlow(ctx, tx, orderRefundFlow, id);
  }
}

/** What has not gone back of a deposit, and is not on its way. */
export async function unrefundedOf(tx: Tx, deposit: DepositRecord): Promise<bigint> {
  const refunds = await selectRefundsOfDeposit(tx, deposit.id);
  return refunds.reduce((left, refund) => left - refund.amountMinor, deposit.amountMinor);
}
