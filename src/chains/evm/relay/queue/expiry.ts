import type { OperationOutcome } from '../../../family.ts';
import { publishOutcomes } from '../sending/confirm.ts';
import { findExecuted } from '../sending/search.ts';
import { relayLimits } from '../spending/limits.ts';
import type { ChainState } from '../state.ts';
import { keepOver } from '../trust/over.ts';
import { endedOf } from './outcomes.ts';
import { endOperations, readExpired } from './queue.ts';
import { expiredError } from './reasons.ts';

/**
 * Ends operations whose validity is over, those of treasuries and those that were in a transaction
 * by the chain's own time. Its logs are searched first: anybody may have sent what is signed.
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
  const outcomes = (await keepOver(state, missing)).map(
    (operation): OperationOutcome => ({
      operationId: operation.operationId,
      subject: operation.subject,
      status: 'failed',
      onChain: operation.lastTx === null ? {} : { txId: operation.lastTx },
      error: expiredError(),
      at: now,
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
