import type { SubmittedApproval } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { move } from '../../machine/machine.ts';
import { toFamilyWallet, type WalletRecord } from '../wallets/index.ts';
import { transactionMachine } from './machine.ts';
import {
  type Approvals,
  lockTransaction,
  type PendingApproval,
  type SubmittedEntry,
  selectTransaction,
  type TransactionRecord,
  updateApprovals,
} from './store.ts';
import { isId, isSameSigner } from './transactions.ts';

export interface ApprovalInput {
  /** Locator of the approving signer. */
  readonly signer: string;
  readonly signature: Json;
  readonly metadata?: JsonObject;
}

/**
 * Takes approvals, all or none; the last one hands the operation to the relay in the same database transaction.
 * @throws transaction-not-found, validation-error, signer-not-approver, invalid-signature, approval-already-submitted,
 *   approvals-complete, approval-window-closed
 */
export async function submitApprovals(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; id: string; approvals: readonly ApprovalInput[] },
): Promise<TransactionRecord> {
  const key = { walletId: input.wallet.id, id: input.id };
  const seen = isId(input.id) ? await selectTransaction(ctx.store, key) : undefined;
  if (!seen) throw new ServiceError('transaction-not-found');
  if (input.approvals.length === 0) return acceptEmpty(seen);
  // Signatures are checked before the row is locked: they depend on nothing that can change.
  const entries = matchApprovals(ctx, input.wallet, seen, input.approvals);
  await checkSignatures(ctx, seen, entries);
  return ctx.store.transaction(async (tx) => {
    const current = await lockTransaction(tx, key);
    if (!current) throw new ServiceError('transaction-not-found');
    const fresh = matchApprovals(ctx, input.wallet, current, input.approvals);
    const approvals = withSubmitted(current.approvals, fresh);
    const complete = approvals.submitted.length >= (approvals.required ?? 0);
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
          approvals: approvals.submitted,
        },
      ]);
    }
    return { ...current, status, approvals };
  });
}

/** Existing clients post an empty list when nothing is pending: they get the object back. */
function acceptEmpty(record: TransactionRecord): TransactionRecord {
  if (record.approvals.pending.length === 0) return record;
  throw new ServiceError('validation-error', {
    message: 'approvals: send at least one approval; approvals.pending of the transaction names the signers and their messages.',
  });
}

function matchApprovals(
  ctx: RequestCtx,
  wallet: WalletRecord,
  record: TransactionRecord,
  inputs: readonly ApprovalInput[],
): SubmittedEntry[] {
  const { pending, submitted } = record.approvals;
  const taken = new Set<PendingApproval>();
  return inputs.map((input) => {
    if (submitted.some(({ signer }) => isSameSigner(ctx, wallet, signer, input.signer)))
      throw new ServiceError('approval-already-submitted');
    if (record.status === 'failed')
      throw new ServiceError('approval-window-closed', {
        message: 'The transaction has failed already and takes no approvals: create a new one.',
      });
    if (record.status !== 'awaiting-approval') throw new ServiceError('approvals-complete');
    if (record.validUntil <= ctx.clock.now())
      throw new ServiceError('approval-window-closed', { message: 'The approval window of the transaction has passed: create a new one.' });
    const entry = pending.find(({ signer }) => isSameSigner(ctx, wallet, signer, input.signer));
    if (!entry)
      throw new ServiceError('signer-not-approver', {
        message: `This signer has no pending approval here. Pending: ${pending.map(({ signer }) => signer.locator).join(', ')}.`,
      });
    if (taken.has(entry)) throw new ServiceError('validation-error', { message: 'approvals: the same signer stands in the list twice.' });
    taken.add(entry);
    return {
      ...entry,
      signature: input.signature,
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
      submittedAt: ctx.clock.now().getTime(),
    };
  });
}

async function checkSignatures(ctx: RequestCtx, record: TransactionRecord, entries: readonly SubmittedApproval[]): Promise<void> {
  const family = ctx.chains.family(record.chainType);
  for (const entry of entries) {
    if (!(await family.checkApproval(record.operation, entry))) {
      throw new ServiceError('invalid-signature', {
        message: 'The signature does not verify: sign the `message` of the pending approval with the key of this signer.',
      });
    }
  }
}

function withSubmitted(approvals: Approvals, entries: readonly SubmittedEntry[]): Approvals {
  const moved = new Set(entries.map((entry) => entry.signer.locator));
  return {
    ...approvals,
    pending: approvals.pending.filter(({ signer }) => !moved.has(signer.locator)),
    submitted: [...approvals.submitted, ...entries],
  };
}
