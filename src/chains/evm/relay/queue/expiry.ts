import type { OperationOutcome } from '../../../family.ts';
import { publishOutcomes } from '../sending/confirm.ts';
import { findExecuted } from '../sending/search.ts';
import { relayLimits } from '../spending/limits.ts';
import type { ChainState } from '../state.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';
import { readTransferEnds } from '../trust/transfer-ends.ts';
import { endedOf } from './outcomes.ts';
import {
  endOperations,
  type QueuedOperation,
  readDoubtfulTransfers,
  readExpired,
} from './queue.ts';
import { expiredError } from './reasons.ts';

/**
 * Ends operations of users whose validity is over, those that were in a transaction by the chain's
 * own time. Its logs are searched first: anybody may have sent what is signed.
 */
export async function endExpired(state: ChainState): Promise<void> {
  const now = state.deps.clock.now();
  const chainTime = state.head
    ? new Date(Number(state.head.timestamp) * 1000 - relayLimits.expiryMarginMs)
    : new Date(0);
  const expired = await readExpired(state.deps.store, {
    chain: state.chain,
    serviceTime: now,
    chainTime,
    countMax: relayLimits.expiredPerSweepMax,
  });
  if (expired.length === 0) return;
  const executed = await findExecuted(state, expired);
  const found = new Set(executed.map((outcome) => outcome.operationId));
  const missing = expired.filter((operation) => !found.has(operation.operationId));
  await settleExpired(state, executed, missing);
}

/**
 * Ends transfers of treasuries that were refused or are past their validity, as far as the nodes can
 * tell how they ended.
 * @returns whether one may be left open; an alarm says so an hour after its validity, or at once
 * where what the nodes say cannot be
 */
export async function endTransfers(state: ChainState): Promise<boolean> {
  const now = state.deps.clock.now();
  const transfers = await readDoubtfulTransfers(state.deps.store, {
    chain: state.chain,
    serviceTime: now,
    refusals: relayLimits.refusalsMax,
    countMax: relayLimits.expiredPerSweepMax,
  });
  const publishLate = (open: readonly QueuedOperation[]) =>
    publishChainAlarm(state, 'treasury-end', lateAlarm(state, open, now));
  if (!state.head) {
    await publishLate(transfers);
    return true;
  }
  const ends = await readTransferEnds(state, transfers).catch(async (error: unknown) => {
    await publishLate(transfers);
    throw error;
  });
  await settleExpired(state, ends.executed, ends.over);
  const ended = new Set([...ends.executed, ...ends.over].map(({ operationId }) => operationId));
  const open = transfers.filter(({ operationId }) => !ended.has(operationId));
  if (ends.doubt === undefined) await publishLate(open);
  else await publishChainAlarm(state, 'treasury-end', ends.doubt);
  return open.length > 0;
}

function lateAlarm(
  { network }: ChainState,
  open: readonly QueuedOperation[],
  now: Date,
): string | undefined {
  const late = open.find(
    ({ validUntil }) => now.getTime() - validUntil.getTime() > relayLimits.transferLateMs,
  );
  return (
    late &&
    `A transfer of a treasury on "${network.name}" (${late.operationId}) is past its validity, and its nodes have no final block behind it, or do not answer: it is neither told as failed nor sent anew. Look at EVM_RPC_URL_* and EVM_RPC_SECOND_URL_*.`
  );
}

async function settleExpired(
  state: ChainState,
  executed: readonly OperationOutcome[],
  expired: readonly QueuedOperation[],
): Promise<void> {
  if (executed.length + expired.length === 0) return;
  const outcomes = expired.map(
    (operation): OperationOutcome => ({
      operationId: operation.operationId,
      subject: operation.subject,
      status: 'failed',
      onChain: operation.lastTx === null ? {} : { txId: operation.lastTx },
      error: expiredError(),
      at: state.deps.clock.now(),
    }),
  );
  const count = await state.deps.store.transaction(async (tx) => {
    await publishOutcomes(state, tx, executed);
    const ended = await endOperations(tx, endedOf(outcomes));
    const told = outcomes.filter((outcome) => ended.has(outcome.operationId));
    if (told.length > 0) await state.deps.settle(tx, told);
    return told.length;
  });
  if (count > 0)
    state.log.warn({ operations: count }, 'operations expired before they were executed');
}
