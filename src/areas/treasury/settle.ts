import type {
  ChainFamily,
  OperationError,
  OperationResult,
  SeenOperation,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { move, tryMove } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { treasuryTransferMachine } from './machine.ts';
import {
  lockExecutedFrom,
  lockExecutedUpTo,
  lockTransfers,
  selectUnread,
  type TreasuryTransfer,
  updateTransfer,
} from './store.ts';

/** What became of something that a treasury sends. */
export interface TreasuryChange {
  readonly transferId: string;
  readonly projectId: string;
  readonly subject: string;
  /** `failed` is for good: what the transfer was for may be sent anew, with another id. */
  readonly change: 'success' | 'final' | 'failed' | 'reverted-to-pending';
  readonly txId?: string;
  readonly error?: OperationError;
  /** What it cost the service, in the native token's smallest unit; absent while nobody knows. */
  readonly costMinor?: bigint;
  readonly at: Date;
}

/** Whoever must know: called in the same database transaction, which may run again. */
export type TreasuryListener = (changes: readonly TreasuryChange[]) => Promise<void>;

type Step = { readonly next: TreasuryTransfer; readonly change?: TreasuryChange['change'] };

/**
 * Of what a family's relay tells, that which is of transfers on its own chains. What has the id of
 * another one is not it: the API's host, which seals what it hands over, could write it there.
 */
export async function pickOwnOutcomes<Outcome extends OperationResult>(
  tx: Tx,
  { networks }: Pick<ChainFamily, 'networks'>,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const chains = new Set(networks.map(({ name }) => name));
  const found = await lockTransfers(
    tx,
    outcomes.map(({ operationId }) => operationId),
  );
  const own = new Set(found.filter(({ chain }) => chains.has(chain)).map(({ id }) => id));
  return outcomes.filter(({ operationId }) => own.has(operationId));
}

/**
 * Entrance for the relay: what became of what treasuries send. A revert is only noted: it counts
 * once its block is final.
 */
export async function settleTreasuryTransfers(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  outcomes: readonly OperationResult[],
  onChange: TreasuryListener,
): Promise<void> {
  const byId = new Map(outcomes.map((outcome) => [outcome.operationId, outcome]));
  await stepAll(ctx, tx, await lockTransfers(tx, [...byId.keys()]), onChange, (transfer) =>
    afterOutcome(transfer, byId.get(transfer.id)!),
  );
}

/**
 * The relay may tell of a block that is gone: once the watcher has read the transfer in a block,
 * that counts.
 */
function afterOutcome(transfer: TreasuryTransfer, outcome: OperationResult): Step {
  const { txId } = outcome.onChain;
  const cost = outcome.costMinor === undefined ? {} : { costMinor: outcome.costMinor };
  const error = outcome.status === 'failed' ? { error: outcome.error } : {};
  if (transfer.executed !== undefined)
    return { next: { ...transfer, ...cost, ...(transfer.executed ? {} : error) } };
  const told = {
    ...transfer,
    ...cost,
    ...error,
    ...(typeof txId === 'string' ? { txId } : {}),
    settledAt: outcome.at,
  };
  if (outcome.status === 'success') return succeeded(told);
  // One that no block has is over, whatever was told before; a block that has it may still go.
  const isOver = !outcome.executed && transfer.status !== 'failed' && transfer.status !== 'final';
  return isOver ? refused(told) : { next: told };
}

/**
 * Entrance for the watchers: what stands in the blocks just read. What has the id of a transfer on
 * another chain is not it.
 */
export async function recordTreasuryOperations(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  operations: readonly SeenOperation[],
  onChange: TreasuryListener,
): Promise<void> {
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const found = await lockTransfers(tx, [...byId.keys()]);
  const own = found.filter(({ id, chain }) => byId.get(id)!.chain === chain);
  await stepAll(ctx, tx, own, onChange, (transfer) => {
    const { txId, height, succeeded: executed, at } = byId.get(transfer.id)!;
    const seen = { ...transfer, txId, height, executed, settledAt: transfer.settledAt ?? at };
    if (executed) return succeeded(seen);
    return transfer.status === 'success' ? retracted(seen) : { next: seen };
  });
}

/** Entrance for the watchers: what stands at this height or below stays. */
export async function finalizeTreasuryTransfers(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  chain: string,
  height: bigint,
  onChange: TreasuryListener,
): Promise<void> {
  const finalAt = ctx.clock.now();
  await stepAll(ctx, tx, await lockExecutedUpTo(tx, { chain, height }), onChange, (transfer) =>
    transfer.executed
      ? {
          next: {
            ...transfer,
            status: move(treasuryTransferMachine, transfer.status, 'finalized'),
            finalAt,
          },
          change: 'final',
        }
      : refused({ ...transfer, finalAt }),
  );
}

/**
 * Entrance for the watchers: what stood at this height or above is gone, also what was final. One
 * that was told as failed for good has a successor by now: it is not sent again, whatever undid its
 * failure.
 */
export async function retractTreasuryTransfers(
  ctx: Pick<Ctx, 'clock' | 'log' | 'chains'>,
  tx: Tx,
  chain: string,
  fromHeight: bigint,
  onChange: TreasuryListener,
): Promise<void> {
  const gone = await lockExecutedFrom(tx, { chain, height: fromHeight });
  const failed = gone.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (failed.length > 0) await ctx.chains.familyOfChain(chain).withholdOperations(tx, failed);
  await stepAll(ctx, tx, gone, onChange, (transfer) => {
    const {
      height: _height,
      executed: _executed,
      finalAt: _finalAt,
      error: _error,
      ...rest
    } = transfer;
    const level = transfer.finalAt === undefined ? 'warn' : 'error';
    ctx.log[level](
      { chain, transferId: transfer.id, subject: transfer.subject },
      'a reorganisation took a transfer of a treasury back',
    );
    return transfer.status === 'pending' ? { next: rest } : retracted(rest);
  });
}

const readWithinMs = 3_600_000;

/**
 * ScheduledJob: transfers that a node said to have run, and that no block has which was read in an
 * hour, go back to the relay: the same ones, so that none moves anything twice.
 */
export async function resumeLostTransfers(
  ctx: Pick<Ctx, 'store' | 'clock' | 'chains' | 'log'>,
): Promise<number> {
  const createdBefore = new Date(ctx.clock.now().getTime() - readWithinMs);
  let count = 0;
  for (const family of ctx.chains.families) {
    if (!family.resumeOperations) continue;
    const chains = family.networks.map(({ name }) => name);
    const ids = await selectUnread(ctx.store, { chains, createdBefore });
    if (ids.length === 0) continue;
    const resumed = await ctx.store.transaction((tx) => family.resumeOperations!(tx, ids));
    count += resumed.length;
    for (const transferId of resumed)
      ctx.log.error(
        { transferId },
        'a transfer of a treasury was told to have run and no block has it: the relay takes it up again. Look at the chain’s node',
      );
  }
  return count;
}

function succeeded(transfer: TreasuryTransfer): Step {
  const { error: _error, ...next } = transfer;
  const status = tryMove(treasuryTransferMachine, transfer.status, 'executed');
  return status === undefined ? { next } : { next: { ...next, status }, change: 'success' };
}

function refused(transfer: TreasuryTransfer): Step {
  const error: OperationError = transfer.error ?? {
    reason: 'execution_reverted',
    message: 'The transfer reverted on the chain.',
  };
  return {
    next: { ...transfer, error, status: move(treasuryTransferMachine, transfer.status, 'refused') },
    change: 'failed',
  };
}

function retracted(transfer: TreasuryTransfer): Step {
  return {
    next: { ...transfer, status: move(treasuryTransferMachine, transfer.status, 'retracted') },
    change: 'reverted-to-pending',
  };
}

/** Stores each step and tells of those that are a change. */
async function stepAll(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  transfers: readonly TreasuryTransfer[],
  onChange: TreasuryListener,
  stepOf: (transfer: TreasuryTransfer) => Step,
): Promise<void> {
  const changes: TreasuryChange[] = [];
  for (const transfer of transfers) {
    const { next, change } = stepOf(transfer);
    await updateTransfer(tx, transfer.status, next);
    if (change) changes.push(toChange(next, change, ctx.clock.now()));
  }
  if (changes.length > 0) await onChange(changes);
}

function toChange(
  transfer: TreasuryTransfer,
  change: TreasuryChange['change'],
  now: Date,
): TreasuryChange {
  const { id, projectId, subject, txId, error, costMinor, settledAt } = transfer;
  return {
    transferId: id,
    projectId,
    subject,
    change,
    txId,
    ...(change === 'failed' && error !== undefined ? { error } : {}),
    costMinor,
    at: change === 'success' ? (settledAt ?? now) : now,
  };
}
