import type { OperationOutcome } from '../../../family.ts';
import { type Hex } from '../../abi/words.ts';
import { explorerLinkOf } from '../../config/networks.ts';
import { publishOutcomes } from '../sending/confirm.ts';
import { findExecuted } from '../sending/search.ts';
import { relayLimits } from '../spending/limits.ts';
import { type ChainState, raiseAlarm } from '../state.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';
import { endedOf } from './outcomes.ts';
import {
  endOperations,
  holdRefused,
  postponeRefused,
  type QueuedOperation,
  releaseOperations,
  treasurySubject,
} from './queue.ts';
import { readRevert, refusalKind, refusedError, revertedError } from './reasons.ts';
import { type Verdict } from './simulate.ts';

/** What happens to operations that do not run: they wait, or are told as failed. */

export type Refused = Extract<Verdict, { returnData: Hex }>;
export type Unknown = Extract<Verdict, { kind: 'unknown' }>;

export async function handleUnknown(
  state: ChainState,
  token: string,
  verdicts: readonly Unknown[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const cause = verdicts[0]!.cause;
  raiseAlarm(
    state,
    'simulation',
    { err: cause, operations: verdicts.length },
    'operations could not be simulated; they wait',
    relayLimits.alarmRepeatMs,
  );
  const unknowns = Math.max(...verdicts.map(({ operation }) => operation.unknowns));
  const pauseMs = Math.min(
    relayLimits.unknownPauseMaxMs,
    relayLimits.unknownPauseMs * 2 ** Math.min(unknowns, 10),
  );
  await releaseOperations(state.deps.store, {
    token,
    operationIds: verdicts.map(({ operation }) => operation.operationId),
    pauseMs,
    unknown: true,
  });
}

/**
 * A refusal counts once it is repeated: the node that gave it may have been behind. Then it is
 * told, unless the operation ran.
 */
export async function handleRefused(
  state: ChainState,
  token: string,
  verdicts: readonly Refused[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const early = verdicts.filter(
    (verdict) => verdict.kind === 'refused' && refusalKind(verdict.returnData) === 'not-yet-valid',
  );
  for (const { operation, returnData } of early) {
    await postponeRefused(state.deps.store, {
      token,
      operationIds: [operation.operationId],
      pauseMs: pauseUntilValid(state, returnData),
      counted: false,
    });
  }
  const due = verdicts.filter((verdict) => !early.includes(verdict));
  const first = due.filter(({ operation }) => operation.refusals + 1 < relayLimits.refusalsMax);
  await postponeRefused(state.deps.store, {
    token,
    operationIds: first.map(({ operation }) => operation.operationId),
    pauseMs: relayLimits.refusalPauseMs,
    counted: true,
  });
  const errors = new Map(
    due
      .filter((verdict) => !first.includes(verdict))
      .map((verdict) => [
        verdict.operation,
        verdict.kind === 'reverts' ? revertedError(verdict.returnData) : refusedError(verdict),
      ]),
  );
  await failUnlessExecuted(state, token, [...errors.keys()], (operation) =>
    failure(state, operation, errors.get(operation)!),
  );
}

function pauseUntilValid(state: ChainState, returnData: Hex): number {
  const pauseMs = validAfterMs(returnData) - state.deps.clock.now().getTime();
  return Math.min(relayLimits.unknownPauseMaxMs, Math.max(relayLimits.refusalPauseMs, pauseMs));
}

export function validAfterMs(returnData: Hex): number {
  return Number(readRevert(returnData).args[0] ?? 0) * 1000;
}

/**
 * Tells operations as failed, except those that the chain shows as executed by somebody else or by
 * a transaction given up. What treasuries send waits, see {@link failOperations}.
 */
export async function failUnlessExecuted(
  state: ChainState,
  token: string,
  operations: readonly QueuedOperation[],
  fail: (operation: QueuedOperation) => OperationOutcome,
): Promise<void> {
  if (operations.length === 0) return;
  const executed = await findExecuted(
    state,
    operations.filter(({ subject }) => subject !== treasurySubject),
  );
  if (executed.length > 0)
    await state.deps.store.transaction((tx) => publishOutcomes(state, tx, executed));
  const found = new Set(executed.map((outcome) => outcome.operationId));
  await failOperations(
    state,
    token,
    operations.filter((operation) => !found.has(operation.operationId)).map(fail),
  );
}

/**
 * Tells operations as failed. One of a treasury waits for {@link endTransfers}: something else is
 * sent or paid back in its place once it is told, and whoever has seen what was signed, as the node
 * that simulates it, could execute it beside that until its validity is over.
 */
export async function failOperations(
  state: ChainState,
  token: string,
  outcomes: readonly OperationOutcome[],
): Promise<void> {
  const waiting = outcomes.filter(({ subject }) => subject === treasurySubject);
  await holdTransfers(state, token, waiting);
  const over = outcomes.filter((outcome) => !waiting.includes(outcome));
  if (over.length === 0) return;
  await state.deps.store.transaction(async (tx) => {
    const ended = await endOperations(tx, endedOf(over), token);
    const told = over.filter((outcome) => ended.has(outcome.operationId));
    if (told.length > 0) await state.deps.settle(tx, told);
  });
}

async function holdTransfers(
  state: ChainState,
  token: string,
  outcomes: readonly OperationOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const valid = await holdRefused(state.deps.store, {
    token,
    operationIds: outcomes.map(({ operationId }) => operationId),
    pauseMs: relayLimits.unknownPauseMaxMs,
    pauseMaxMs: relayLimits.transferPauseMaxMs,
    now: state.deps.clock.now(),
  });
  const first = outcomes.find(({ operationId }) => valid.has(operationId));
  if (first?.status !== 'failed') return;
  await publishChainAlarm(
    state,
    'treasury',
    `A transfer of a treasury on "${state.network.name}" does not run (${first.operationId}: ${first.error.message}); it is told as failed once its validity is over, if it has not run until then.`,
  );
}

export function failure(
  state: ChainState,
  operation: QueuedOperation,
  error: Extract<OperationOutcome, { status: 'failed' }>['error'],
): OperationOutcome {
  const onChain =
    operation.lastTx === null
      ? {}
      : { txId: operation.lastTx, explorerLink: explorerLinkOf(state.network, operation.lastTx) };
  const { operationId, subject, burnedWei } = operation;
  const cost = burnedWei > 0n ? { costMinor: burnedWei } : {};
  return {
    operationId,
    subject,
    status: 'failed',
    onChain,
    error,
    ...cost,
    at: state.deps.clock.now(),
  };
}
