import { retryFlow, startFlow, wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move, tryMove } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { type PayoutView, payoutView } from './disburse.ts';
import { publishPayout } from './events.ts';
import { payoutFlow } from './flow.ts';
import { payoutMachine } from './machine.ts';
import { applyReport } from './reports.ts';
import { findPayout, listUnattended, lockPayout, updatePayout } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

export interface OperatorInput {
  readonly payoutId: string;
  /** For the audit log, e.g. `operator`. */
  readonly actor: string;
}

/**
 * Lets a payout that needs an operator go on: one that may be with the bank is looked up again, one
 * that was never sent is sent. The key towards the bank stays.
 * @throws validation-error there is none of that id; conflict it needs no operator
 */
export async function retryPayout(ctx: PayoutCtx, input: OperatorInput): Promise<PayoutView> {
  const retried = await change(ctx, input, 'payout.retried', async (tx, payout) => {
    const event = payout.firstSentAt === null ? 'retried-unsent' : 'retried';
    const status = tryMove(payoutMachine, payout.status, event);
    if (status === undefined)
      throw refuseStatus(payout, 'Only a payout that needs an operator is retried.');
    return updatePayout(tx, {
      payout,
      status,
      change: { attention: null, looks: 0 },
      now: ctx.clock.now(),
    });
  });
  await reviveFlow(ctx, retried.id);
  return payoutView(retried);
}

/**
 * Takes an operator's word for what the bank said by other means.
 * @throws validation-error there is none of that id; conflict this cannot be said of a payout of
 * its status
 */
export async function markPayout(
  ctx: PayoutCtx,
  input: OperatorInput & {
    readonly as: 'settled' | 'rejected' | 'returned';
    readonly bankReference?: string;
    readonly code?: string;
  },
): Promise<PayoutView> {
  const marked = await change(ctx, input, `payout.marked-${input.as}`, async (tx, payout) => {
    const isOpen =
      payout.status === 'needs-operator' ||
      (input.as === 'returned' && (payout.status === 'settled' || payout.status === 'final'));
    if (!isOpen)
      throw refuseStatus(
        payout,
        'Only a payout that needs an operator is marked, and one that settled as returned.',
      );
    const bankReference = input.bankReference ?? payout.bankReference ?? `operator-${payout.id}`;
    const common = { at: ctx.clock.now(), bankReference };
    if (input.as === 'settled')
      return applyReport(ctx, tx, payout, { ...common, status: 'settled' });
    return applyReport(ctx, tx, payout, {
      ...common,
      status: input.as,
      code: input.code ?? 'operator',
    });
  });
  await reviveFlow(ctx, marked.id);
  return payoutView(marked);
}

/**
 * Ends a payout that was not handed in yet.
 * @throws validation-error there is none of that id; conflict a call to the bank may have been made
 */
export function cancelPayout(ctx: PayoutCtx, input: OperatorInput): Promise<PayoutView> {
  return endUnsent(ctx, { ...input, action: 'payout.canceled' });
}

/**
 * Ends a payout that was not handed in yet, for a reason that the audit log has.
 * @throws as {@link cancelPayout}
 */
export async function endUnsent(
  ctx: PayoutCtx,
  input: OperatorInput & { readonly action: string; readonly detail?: JsonObject },
): Promise<PayoutView> {
  const canceled = await change(ctx, input, input.action, async (tx, payout) => {
    if (payout.status !== 'accepted')
      throw refuseStatus(payout, 'Only a payout that was not handed in yet is cancelled.');
    const now = ctx.clock.now();
    const status = move(payoutMachine, payout.status, 'canceled');
    const ended = await updatePayout(tx, {
      payout,
      status,
      change: { endedAt: now, attention: null },
      now,
    });
    await publishPayout(ctx, tx, ended, 'payouts.canceled');
    return ended;
  });
  return payoutView(canceled);
}

const revivedMax = 500;

/**
 * Finds payouts that are under way and that no work looks after, and starts it again. There are
 * none but after a bug, or after somebody removed their work by hand. @returns how many
 */
export async function reviveUnattended(ctx: PayoutCtx): Promise<number> {
  const ids = await listUnattended(ctx.store, revivedMax);
  for (const id of ids) await reviveFlow(ctx, id);
  if (ids.length > 0)
    ctx.log.error(
      { payouts: ids.slice(0, 20), count: ids.length },
      'payouts were under way without work that looks after them',
    );
  return ids.length;
}

async function reviveFlow(ctx: PayoutCtx, payoutId: string): Promise<void> {
  const isAwake = await ctx.store.transaction((tx) => wakeFlow(ctx, tx, payoutFlow, payoutId));
  if (isAwake) return;
  const payout = await findPayout(ctx.store, payoutId);
  if (payout === undefined) return;
  const { id, started } = await ctx.store.transaction((tx) =>
    startFlow(ctx, tx, payoutFlow, {
      projectId: payout.projectId,
      state: { payoutId },
      key: payoutId,
    }),
  );
  if (!started) await retryFlow(ctx.store, id, ctx.clock.now());
}

async function change(
  ctx: PayoutCtx,
  { payoutId, actor, detail }: OperatorInput & { readonly detail?: JsonObject },
  action: string,
  work: (tx: Tx, payout: Payout) => Promise<Payout>,
): Promise<Payout> {
  const known = await findPayout(ctx.store, payoutId);
  if (known === undefined)
    throw new ServiceError('validation-error', { message: `There is no payout ${payoutId}.` });
  return ctx.store.transaction(async (tx) => {
    const before = await lockPayout(tx, payoutId);
    const after = await work(tx, before);
    await ctx.payouts.vault.audit(tx, {
      actor,
      action,
      projectId: after.projectId,
      subject: payoutId,
      detail: { ...detail, from: before.status, to: after.status },
    });
    return after;
  });
}

function refuseStatus(payout: Payout, message: string): ServiceError {
  return new ServiceError('conflict', { message: `${message} This one is ${payout.status}.` });
}
