import type { OperationResult } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import {
  chainAsStored,
  type DelegateChainUpdate,
  type DelegateOnChain,
  lockDelegatesOnChains,
  onChainKey,
  saveDelegateChains,
  updateAsked,
} from '../wallets/index.ts';
import { signerChangeMachine } from './machine.ts';
import { moveChanges, type SignerChange, selectChanges, selectOverdueChanges } from './store.ts';
import { loadChangeObjects } from './view.ts';

/**
 * How soon the chain is read after it is said to have changed: nodes behind a load balancer may lag
 * that much.
 */
export const checkSoonMs = 3_000;

/**
 * Entrance for the relay: what became of operations that change signers. Runs in the relay's own
 * transaction, and may be told twice; after a reorganisation it is told anew, and the chain's word
 * counts.
 */
export async function settleRegistrations(
  ctx: Ctx,
  tx: Tx,
  outcomes: readonly OperationResult[],
): Promise<void> {
  const changes = new Map(
    (
      await selectChanges(
        tx,
        outcomes.map(({ operationId }) => operationId),
      )
    ).map((change) => [change.id, change]),
  );
  const ends = outcomes.flatMap(({ operationId, status, at }) => {
    const change = changes.get(operationId);
    return change
      ? [
          {
            change,
            to: move(
              signerChangeMachine,
              change.status,
              status === 'success' ? 'confirmed' : 'refused',
            ),
            at,
          },
        ]
      : [];
  });
  await endChanges(ctx, tx, ends);
}

/** Ends additions and removals, in their order, and writes what is then known of the signers. */
export async function endChanges(
  ctx: Ctx,
  tx: Tx,
  ends: readonly {
    change: SignerChange;
    to: 'success' | 'failed' | 'open' | 'replaced';
    at: Date;
  }[],
): Promise<void> {
  const delegates = await lockDelegatesOnChains(
    tx,
    ends.map(({ change }) => change),
  );
  const moved = await moveChanges(
    tx,
    ends.map(({ change, to }) => ({ id: change.id, from: change.status, to })),
  );
  const now = ctx.clock.now();
  const updates = new Map<string, DelegateChainUpdate>();
  for (const { change, to } of ends) {
    const key = onChainKey(change);
    const delegate = delegates.get(key);
    if (!delegate || !moved.has(change.id)) continue;
    const before = updates.get(key) ?? chainAsStored(delegate, change.chain, now);
    const after = to === 'success' ? afterSuccess(before, change) : afterFailure(before, change);
    updates.set(key, { ...after, checkAt: new Date(now.getTime() + checkSoonMs) });
  }
  await saveDelegateChains(tx, [...updates.values()]);
  await updateAsked(tx, askedInForce([...updates.values()], delegates));
}

function afterSuccess(before: DelegateChainUpdate, change: SignerChange): DelegateChainUpdate {
  const ownRegistration = before.changeId === change.id || before.registration !== 'open';
  const registration = ownRegistration ? undefined : before.registration;
  if (change.kind === 'remove')
    return {
      ...before,
      state: 'absent',
      expiresAt: undefined,
      scopes: [],
      asked: {},
      registration,
    };
  const { expiresAt, scopes, asked } = change;
  return { ...before, state: 'in-force', expiresAt, scopes, asked, registration };
}

/** What is in force stays so until the chain is read: a failed change has changed nothing. */
function afterFailure(before: DelegateChainUpdate, change: SignerChange): DelegateChainUpdate {
  return change.kind === 'add' && before.changeId === change.id
    ? { ...before, registration: 'failed' }
    : before;
}

/** Of a signer whose latest request failed, answers name what is in force again. */
function askedInForce(
  updates: readonly DelegateChainUpdate[],
  delegates: ReadonlyMap<string, DelegateOnChain>,
) {
  return updates
    .filter(({ state, registration }) => state === 'in-force' && registration !== 'open')
    .filter((update) => delegates.has(onChainKey(update)))
    .map(({ signerId, asked }) => ({ id: signerId, asked }));
}

const overdueMax = 200;

/**
 * ScheduledJob: ends changes that nobody approved in time; the chain tells of all others. Answers how
 * many.
 */
export async function closeSignerChanges(ctx: Ctx): Promise<number> {
  const overdue = await selectOverdueChanges(ctx.store, {
    now: ctx.clock.now(),
    limit: overdueMax,
  });
  let count = 0;
  for (const walletId of new Set(overdue.map((change) => change.walletId))) {
    const changes = overdue.filter((change) => change.walletId === walletId);
    const objects = await loadChangeObjects(ctx, walletId, changes);
    const closed = changes.filter(({ id }) => objects.get(id)?.status === 'failed');
    if (closed.length === 0) continue;
    const at = ctx.clock.now();
    await ctx.store.transaction((tx) =>
      endChanges(
        ctx,
        tx,
        closed.map((change) => ({
          change,
          to: move(signerChangeMachine, change.status, 'refused'),
          at,
        })),
      ),
    );
    count += closed.length;
  }
  return count;
}
