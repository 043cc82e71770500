import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import {
  type ApprovalInput,
  type ApprovalTarget,
  acceptEmptyList,
  applyApprovals,
  checkApprovals,
  givenApprovals,
  isAsked,
} from '../approvals/index.ts';
import { toFamilyWallet, type WalletRecord } from '../wallets/index.ts';
import { transactionMachine } from './machine.ts';
import { lockTransaction, selectTransaction, selectTransactionsAsking, type TransactionRecord, updateApprovals } from './store.ts';
import { isId } from './transactions.ts';

interface SubmitInput {
  readonly wallet: WalletRecord;
  readonly id: string;
  readonly approvals: readonly ApprovalInput[];
}

/**
 * Takes approvals, all or none; the last one hands the operation to the relay in the same database transaction.
 * @throws transaction-not-found, validation-error, signer-not-approver, invalid-signature, approval-already-submitted,
 *   approvals-complete, approval-window-closed
 */
export async function submitApprovals(ctx: RequestCtx, input: SubmitInput): Promise<TransactionRecord> {
  const key = { walletId: input.wallet.id, id: input.id };
  const seen = isId(input.id) ? await selectTransaction(ctx.store, key) : undefined;
  if (!seen) throw new ServiceError('transaction-not-found');
  if (input.approvals.length === 0) {
    acceptEmptyList(targetOf(input.wallet, seen));
    return seen;
  }
  // Signatures are checked before the row is locked: they depend on nothing that can change.
  const { added } = applyApprovals(ctx, targetOf(input.wallet, seen), input.approvals);
  await checkApprovals(ctx.chains.family(seen.chainType), seen.operation, added);
  return ctx.store.transaction(async (tx) => {
    const current = await lockTransaction(tx, key);
    if (!current) throw new ServiceError('transaction-not-found');
    const { approvals, complete } = applyApprovals(ctx, targetOf(input.wallet, current), input.approvals);
    const status = move(transactionMachine, current.status, complete ? 'approved' : 'approved-in-part');
    await updateApprovals(tx, { id: current.id, from: current.status, to: status, approvals });
    if (complete) {
      await ctx.chains.family(current.chainType).submitOperations(tx, [
        {
          operationId: current.id,
          projectId: current.projectId,
          wallet: toFamilyWallet(input.wallet),
          chain: current.chain,
          operation: current.operation,
          approvals: givenApprovals(approvals),
        },
      ]);
    }
    return { ...current, status, approvals };
  });
}

/** The transaction of this wallet that asks this signer to sign this message now. */
export async function findTransactionAsking(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; signerLocator: string; message: string },
): Promise<TransactionRecord | undefined> {
  const candidates = await selectTransactionsAsking(ctx.store, {
    walletId: input.wallet.id,
    message: input.message,
    now: ctx.clock.now(),
  });
  return candidates.find((record) => isAsked(ctx, targetOf(input.wallet, record), input));
}

function targetOf(wallet: WalletRecord, record: TransactionRecord): ApprovalTarget {
  const { status, approvals, validUntil } = record;
  return { noun: 'transaction', wallet, status, approvals, validUntil };
}
