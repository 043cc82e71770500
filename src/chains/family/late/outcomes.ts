import type { OperationError, OperationOutcome } from '../capabilities/entrances.ts';
import { charge } from '../spending/budgets.ts';
import type { LateEnd } from './network.ts';
import { settle } from './queue.ts';
import { type Intent, intents } from './store.ts';
import type { LateRelayDeps } from './types.ts';

/** How operations end, and how that is told. */

export interface Ended {
  readonly intent: Intent;
  readonly outcome: OperationOutcome;
}

/** Of a transaction that stands in a block. */
export function landed(intent: Intent, end: LateEnd, at: Date): Ended {
  const { operationId, subject } = intent;
  const { onChain, fees, costMinor } = end;
  const common = { operationId, subject, onChain, fees, costMinor, at };
  if (end.status === 'success')
    return { intent, outcome: { ...common, executed: true, status: end.status } };
  const { status, error, notRun } = end;
  return { intent, outcome: { ...common, ...(!notRun && { executed: true }), status, error } };
}

/** Of an operation that no block has, and none will. */
export function lost(deps: LateRelayDeps, intent: Intent, message: string): Ended {
  const { operationId, subject, txId } = intent;
  const error: OperationError = { reason: 'failed_to_land_on_chain', message };
  const onChain = txId === null ? {} : deps.onChainOf(txId);
  return {
    intent,
    outcome: {
      operationId,
      subject,
      onChain,
      costMinor: 0n,
      status: 'failed',
      error,
      at: deps.clock.now(),
    },
  };
}

/** Of an operation that no transaction can be made of any more. */
export function unbuilt(deps: LateRelayDeps, intent: Intent, message: string): Ended {
  const { outcome, ...ended } = lost(deps, intent, message);
  return {
    ...ended,
    outcome: { ...outcome, status: 'failed', error: { reason: 'build_failed', message } },
  };
}

export const expired = 'The operation expired before it was included in a block. Create it again.';

/** Tells how operations of one claim ended, in the transaction that records it. */
export async function publishOutcomes(
  deps: LateRelayDeps,
  token: string,
  ended: readonly Ended[],
): Promise<void> {
  if (ended.length === 0) return;
  deps.killPoint?.('before-confirmation');
  await deps.store.transaction(async (tx) => {
    const done = await settle(
      tx,
      intents,
      token,
      ended.map(({ outcome: { operationId, status } }) => ({ operationId, status })),
    );
    const told = ended.filter(({ intent }) => done.has(intent.operationId));
    if (told.length === 0) return;
    await deps.network.ended?.(
      tx,
      told.map(({ intent }) => intent.operationId),
    );
    await charge(
      tx,
      deps.kind,
      deps.chain,
      told.map(({ intent: { projectId, owner }, outcome }) => ({
        projectId,
        owner,
        minor: outcome.costMinor ?? 0n,
      })),
    );
    await deps.settleOperations(
      tx,
      told.map(({ outcome }) => outcome),
    );
  });
}
