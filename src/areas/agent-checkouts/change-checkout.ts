import type { Ctx } from '../../context.ts';
import { appendEvents } from '../../jobs/index.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { releaseBrowserProfile } from '../browser-profiles/index.ts';
import { selectOpenActions } from './actions/actions-store.ts';
import { wakeRunCards } from './cards/run-card-flow.ts';
import { type AgentCheckoutEvent, agentCheckoutMachine } from './machine.ts';
import { insertProgress, selectProgress, updateCheckout } from './store.ts';
import type { CheckoutRecord, ProgressItem } from './types.ts';
import { checkoutView } from './view.ts';

export interface CheckoutChange {
  readonly event: AgentCheckoutEvent;
  readonly set?: Partial<
    Pick<
      CheckoutRecord,
      'step' | 'outcome' | 'receipt' | 'failure' | 'cancelAskedAt' | 'profileVersion'
    >
  >;
  /** For the user, beside the move. */
  readonly progress?: readonly Omit<ProgressItem, 'createdAt'>[];
}

const ends: readonly CheckoutRecord['status'][] = ['succeeded', 'failed', 'cancelled'];

/**
 * Moves a locked checkout by its table, with what the user is shown, and tells of it
 * (`agent-checkouts.updated`). The event carries the view without the pending action's address:
 * nobody has to poll.
 */
export async function changeCheckout(
  ctx: Ctx,
  tx: Tx,
  record: CheckoutRecord,
  change: CheckoutChange,
): Promise<CheckoutRecord> {
  const now = ctx.clock.now();
  const status = move(agentCheckoutMachine, record.status, change.event);
  const isEnd = ends.includes(status);
  const changed: CheckoutRecord = {
    ...record,
    ...change.set,
    status,
    updatedAt: now,
    ...(isEnd && { endedAt: record.endedAt ?? now }),
  };
  await updateCheckout(tx, changed);
  await insertProgress(
    tx,
    changed.id,
    (change.progress ?? []).map((item) => ({ ...item, createdAt: now })),
  );
  if (isEnd && !record.endedAt && changed.browserProfileId !== undefined)
    await releaseBrowserProfile(ctx, tx, {
      checkoutId: changed.id,
      profileId: changed.browserProfileId,
    });
  if (isEnd) await wakeRunCards(ctx, tx, changed.id);
  await publishCheckout(ctx, tx, changed);
  return changed;
}

/** Announces a checkout as it is now. */
export async function publishCheckout(ctx: Ctx, tx: Tx, record: CheckoutRecord): Promise<void> {
  const [progress, actions] = [
    await selectProgress(tx, [record.id]),
    await selectOpenActions(tx, [record.id]),
  ];
  const view = checkoutView(ctx, record, {
    progress: progress.get(record.id)!,
    action: actions.get(record.id),
  });
  await appendEvents(
    tx,
    [
      {
        projectId: record.projectId,
        type: 'agent-checkouts.updated',
        object: `agent-checkout:${record.id}`,
        data: view,
      },
    ],
    ctx,
  );
}
