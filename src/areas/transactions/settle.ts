import type { OperationResult } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { databaseStep, defineFlow, wakeOrRestartFlow } from '../../jobs/index.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { recordFailedTransfers } from '../activity/index.ts';
import { transactionMachine } from './machine.ts';
import {
  endTransactions,
  selectOverdue,
  selectTransactionsById,
  settleTransactions,
  type TransactionRecord,
} from './store.ts';

/**
 * Entrance for the relay: what became of operations of transactions. Runs in the relay's own
 * transaction, and may be told twice; after a reorganisation it is told anew, and the chain's word
 * counts.
 */
export async function settleOperations(
  ctx: Ctx,
  tx: Tx,
  outcomes: readonly OperationResult[],
): Promise<void> {
  for (const [status, event] of [
    ['success', 'confirmed'],
    ['failed', 'refused'],
  ] as const) {
    const settlements = outcomes
      .filter((outcome) => outcome.status === status)
      .map((outcome) => ({
        id: outcome.operationId,
        status: move(transactionMachine, 'pending', event),
        onChain: outcome.onChain,
        fees: outcome.fees ?? {},
        ...costOf(outcome),
        ...(outcome.status === 'failed' ? { error: outcome.error } : {}),
        at: outcome.at,
      }));
    if (settlements.length === 0) continue;
    const from = statesBefore(transactionMachine, event);
    if (status === 'success') await endTransactions(tx, from, settlements);
    // A transfer that never moved anything is seen by no watcher: its failure is told from here.
    else
      for (const one of await settleTransactions(tx, from, settlements))
        if (one.status === 'failed') await announceLater(ctx, tx, one);
  }
}

/** What failed without anybody knowing of a cost is not charged for. */
function costOf({ status, costMinor }: OperationResult): { costMinor?: bigint } {
  if (costMinor !== undefined) return { costMinor };
  return status === 'failed' ? { costMinor: 0n } : {};
}

const overdueMax = 500;

/** Ends transactions whose approval window has passed; answers how many. */
export async function closeApprovalWindows(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  return ctx.store.transaction(async (tx) => {
    const ids = await selectOverdue(tx, { now, limit: overdueMax });
    if (ids.length === 0) return 0;
    const closed = await settleTransactions(
      tx,
      statesBefore(transactionMachine, 'window-closed'),
      ids.map((id) => ({
        id,
        status: 'failed',
        onChain: {},
        fees: {},
        costMinor: 0n,
        error: {
          reason: 'unknown',
          message: 'The approvals did not arrive in time: create the transaction again.',
        },
        at: now,
      })),
    );
    for (const one of closed) {
      await dropOperation(ctx, tx, one);
      // Each by itself: a node that is asked for a token, or a changed row, holds up no other.
      await announceLater(ctx, tx, one);
    }
    return closed.length;
  });
}

/**
 * It was never handed over: what it holds is free for others at once, or, of a family that this
 * instance serves no more, when its time is over.
 */
export async function dropOperation(
  ctx: Pick<Ctx, 'chains'>,
  tx: Tx,
  { chainType, operation }: TransactionRecord,
): Promise<void> {
  const family = ctx.chains.families.find((one) => one.chainType === chainType);
  await family?.dropOperation?.(tx, operation);
}

type AnnounceState = { readonly walletId: string; readonly transactionId: string };

/**
 * Tells of a transfer that a request, or its time, has ended: what the activity has is written by
 * the worker alone.
 */
export const announceFailedFlow = defineFlow<AnnounceState, Ctx>({
  kind: 'failed-transfer-announce',
  version: 1,
  firstStep: 'announce',
  steps: {
    announce: databaseStep<AnnounceState, Ctx>({
      run: async (ctx, tx, { state: { walletId, transactionId } }) => {
        const ended = await selectTransactionsById(tx, { walletId, ids: [transactionId] });
        await recordFailedTransfers(
          ctx,
          tx,
          ended.filter(({ status }) => status === 'failed'),
        );
        return { done: true };
      },
    }),
  },
});

/**
 * In the transaction in which a transfer ends without moving anything. One that failed before, and
 * whose failure a reorganisation had undone, is told again.
 */
export async function announceLater(
  ctx: Ctx,
  tx: Tx,
  { id, walletId, projectId, sendParams }: TransactionRecord,
): Promise<void> {
  if (sendParams === undefined) return;
  await wakeOrRestartFlow(ctx, tx, announceFailedFlow, {
    projectId,
    key: id,
    state: { walletId, transactionId: id },
  });
}
