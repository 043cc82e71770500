import { delegationBytesMax } from '../../wallet/delegation.ts';
import { sortByGasBudget } from '../spending/budgets.ts';
import { relayLimits } from '../spending/limits.ts';
import { type ChainState } from '../state.ts';
import { itemsGasMax } from './batch.ts';
import { type QueuedOperation, releaseOperations } from './queue.ts';
import { gaveUpError } from './reasons.ts';
import { failOperations, failUnlessExecuted, failure } from './refusals.ts';

/** Which of the operations that were claimed go into a common batch. */

/**
 * Operations that do not suit a common batch: too big for any, given up, or landed without running
 * before and tried alone.
 */
export async function splitOff(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  const isTooBig = (operation: QueuedOperation) =>
    operation.batchGas > itemsGasMax(state.head!.gasLimit) ||
    operation.item.length > relayLimits.batchBytesMax;
  const tooBig = operations.filter(isTooBig);
  const spent = operations.filter((operation) => isSpent(operation) && !tooBig.includes(operation));
  const rest = operations.filter(
    (operation) => !tooBig.includes(operation) && !spent.includes(operation),
  );
  await failOperations(
    state,
    token,
    tooBig.map((operation) =>
      failure(state, operation, {
        reason: 'build_failed',
        message: `The operation needs ${operation.batchGas} gas and ${operation.item.length} bytes, more than one transaction may have on this chain.`,
      }),
    ),
  );
  await failUnlessExecuted(state, token, spent, (operation) =>
    failure(state, operation, gaveUpError(operation)),
  );
  const fitting = await keepWithinBytes(state, token, rest);
  const suspect = fitting.find((operation) => operation.tries >= 2);
  if (!suspect) return fitting;
  await releaseOperations(state.deps.store, {
    token,
    operationIds: fitting
      .filter((operation) => operation !== suspect)
      .map((operation) => operation.operationId),
    pauseMs: 0,
    unknown: false,
  });
  return [suspect];
}

/** Whether it was tried as often as it may be. */
function isSpent({ tries, itemRefusals }: QueuedOperation): boolean {
  return tries >= relayLimits.triesMax || itemRefusals >= relayLimits.itemRefusalsMax;
}

/**
 * Ends what is above a budget, and lets wait what the rest of one is too small for at the moment.
 */
export async function keepBudgeted(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  const { within, waiting, over } = await sortByGasBudget(state, token, operations);
  await releaseOperations(state.deps.store, {
    token,
    operationIds: waiting.map(({ operationId }) => operationId),
    // Two that see each other's claim do not meet again at once.
    pauseMs: relayLimits.budgetPauseMs * (0.5 + Math.random()),
    unknown: false,
  });
  await failUnlessExecuted(state, token, [...over.keys()], (operation) =>
    failure(state, operation, { reason: 'failed_to_land_on_chain', message: over.get(operation)! }),
  );
  return within;
}

/** Nodes take transactions up to a size; what is beyond it goes back for the next batch. */
async function keepWithinBytes(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
): Promise<readonly QueuedOperation[]> {
  let byteCount = 0;
  const bytesOfOne = ({ item, delegation }: QueuedOperation) =>
    item.length + (delegation ? delegationBytesMax : 0);
  const kept = operations.filter(
    (operation) => (byteCount += bytesOfOne(operation)) <= relayLimits.batchBytesMax,
  );
  const rest = operations.filter((operation) => !kept.includes(operation));
  await releaseOperations(state.deps.store, {
    token,
    operationIds: rest.map((operation) => operation.operationId),
    pauseMs: 0,
    unknown: false,
  });
  return kept;
}
