import { createHash, randomBytes } from 'node:crypto';
import { wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Db } from '../../store/types.ts';
import { type PayoutView, payoutView } from './disburse.ts';
import { payoutFlow } from './flow.ts';
import { readHold } from './limits.ts';
import { endUnsent } from './operator.ts';
import { findPayout, lockPayout } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

/** A person who may say yes to payouts that need a second one. */
export interface Approver {
  readonly name: string;
  readonly addedBy: string;
  readonly addedAt: Date;
  readonly removedAt: Date | null;
}

const tokenPrefix = 'approver_';
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Makes an approver, or gives one a new token.
 * @returns the token, which is stored as its hash only
 * @throws validation-error nobody adds himself
 */
export async function addApprover(
  ctx: PayoutCtx,
  input: { readonly name: string; readonly as: string },
): Promise<string> {
  const { name, as } = input;
  if (name === as)
    throw refuse('Nobody is a second person to himself: have somebody else add you.');
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  await ctx.store.transaction(async (tx) => {
    await tx.query({
      text: `insert into payout_approvers (name, token_hash, added_by, added_at) values ($1, $2, $3, $4)
             on conflict (name) do update set token_hash = excluded.token_hash, added_by = excluded.added_by, added_at = excluded.added_at,
               removed_at = null`,
      values: [name, hashOf(token), as, ctx.clock.now()],
    });
    await audit(ctx, tx, { as, action: 'payouts.approver-added', subject: name });
  });
  return token;
}

/** @throws validation-error there is none of that name */
export async function removeApprover(
  ctx: PayoutCtx,
  input: { readonly name: string; readonly as: string },
): Promise<void> {
  const { name, as } = input;
  await ctx.store.transaction(async (tx) => {
    const { rowCount } = await tx.query({
      text: 'update payout_approvers set removed_at = $2 where name = $1 and removed_at is null',
      values: [name, ctx.clock.now()],
    });
    if (rowCount === 0)
      throw refuse(`There is no approver ${name}: see purser payouts approver list.`);
    await audit(ctx, tx, { as, action: 'payouts.approver-removed', subject: name });
  });
}

const approversMax = 200;

export async function listApprovers(db: Db): Promise<Approver[]> {
  const { rows } = await db.query<Approver>({
    text: `select name, added_by as "addedBy", added_at as "addedAt", removed_at as "removedAt" from payout_approvers
           order by name limit ${approversMax}`,
  });
  return rows;
}

/**
 * Takes a second person's yes: the payout goes on at once, or when its destination has waited long
 * enough.
 * @param input.as the operator who puts it forward
 * @param input.token proves who approves
 * @throws validation-error no such payout or approver; conflict it waits for nobody; forbidden both
 * are one person, or the approver has set the limits that let it pass
 */
export async function approvePayout(
  ctx: PayoutCtx,
  input: { readonly payoutId: string; readonly as: string; readonly token: string },
): Promise<{ readonly payout: PayoutView; readonly approver: string }> {
  const { payoutId, as, token } = input;
  await requirePayout(ctx, payoutId);
  return ctx.store.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    const hold = payout.status === 'accepted' ? await readHold(ctx, tx, payoutId) : undefined;
    if (hold?.needsApproval !== true)
      throw new ServiceError('conflict', {
        message: `${explainHold(payout, hold)} There is nothing to approve.`,
      });
    const { rows } = await tx.query<{ name: string; setBy: string | null }>({
      text: `select name, (select set_by from payout_limits where currency = $2) as "setBy" from payout_approvers
             where token_hash = $1 and removed_at is null`,
      values: [hashOf(token), payout.currency],
    });
    const approver = rows[0];
    if (approver === undefined)
      throw refuse('The token is no approver’s: see purser payouts approver list.');
    const { name } = approver;
    if (name === as)
      throw forbid(
        'Two persons are needed: --as names the one who puts it forward, and the token is another’s.',
      );
    if (approver.setBy === `operator:${name}`)
      throw forbid(
        `${name} has set the limits of ${payout.currency} last: another approver decides what they let pass.`,
      );
    await tx.query({
      text: `insert into payout_approvals (payout_id, payment_method_id, amount_minor, approver, asked_by, approved_at)
             values ($1, $2, $3, $4, $5, $6)`,
      values: [
        payout.id,
        payout.paymentMethodId,
        payout.amountMinor.toString(),
        name,
        as,
        ctx.clock.now(),
      ],
    });
    await wakeFlow(ctx, tx, payoutFlow, payout.id);
    const detail = {
      approver: name,
      amountMinor: payout.amountMinor.toString(),
      currency: payout.currency,
    };
    await audit(ctx, tx, {
      as,
      action: 'payout.approved',
      subject: payout.id,
      projectId: payout.projectId,
      detail,
    });
    return { payout: payoutView(payout), approver: name };
  });
}

/**
 * Ends a payout that is held. One person is enough: nothing leaves.
 * @throws validation-error, conflict it is not held
 */
export async function refusePayoutHeld(
  ctx: PayoutCtx,
  input: { readonly payoutId: string; readonly as: string; readonly reason: string },
): Promise<PayoutView> {
  const { payoutId, as, reason } = input;
  const payout = await requirePayout(ctx, payoutId);
  const hold = payout.status === 'accepted' ? await readHold(ctx, ctx.store, payoutId) : undefined;
  if (hold === undefined)
    throw new ServiceError('conflict', {
      message: `${explainHold(payout, hold)} See purser payouts cancel.`,
    });
  return endUnsent(ctx, {
    payoutId,
    actor: `operator:${as}`,
    action: 'payout.refused',
    detail: { reason },
  });
}

function explainHold(
  payout: Payout,
  hold: { readonly heldUntil: Date | null } | undefined,
): string {
  if (hold === undefined) return `The payout is ${payout.status} and not held.`;
  return `The payout waits for its destination only, until ${hold.heldUntil!.toISOString()}.`;
}

async function requirePayout(ctx: PayoutCtx, id: string): Promise<Payout> {
  const payout = await findPayout(ctx.store, id);
  if (payout === undefined) throw refuse(`There is no payout ${id}.`);
  return payout;
}

type Audited = {
  as: string;
  action: string;
  subject: string;
  projectId?: string;
  detail?: Record<string, string>;
};
const audit = (
  ctx: PayoutCtx,
  tx: Parameters<PayoutCtx['payouts']['vault']['audit']>[0],
  { as, projectId = '', ...entry }: Audited,
) => ctx.payouts.vault.audit(tx, { actor: `operator:${as}`, projectId, ...entry });

const refuse = (message: string): ServiceError => new ServiceError('validation-error', { message });
const forbid = (message: string): ServiceError => new ServiceError('forbidden', { message });
