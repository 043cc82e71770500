import { createHash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { rowMacsOf } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { type Actor, appendAudit, mayAct, type OperatorRole } from '../../operations/index.ts';
import { lockOperator, lockOperatorNamed, type Operator, saveOperator } from './store.ts';

type OperatorsCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

const inviteMs = 24 * 3_600_000;
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@' -]{0,79}$/u;

/**
 * Makes a one-time link with which somebody registers a passkey; of somebody who has one already,
 * another passkey.
 * @param input.projectId absent: the role is for every project
 * @returns the secret behind the `#` of the link; it is in no row, and cannot be shown again
 * @throws validation-error, conflict for somebody whose right has ended
 */
export async function inviteOperator(
  ctx: OperatorsCtx,
  input: {
    readonly name: string;
    readonly role?: OperatorRole | undefined;
    readonly projectId?: string | undefined;
    readonly actor: Actor;
  },
): Promise<{ readonly operator: Operator; readonly token: string }> {
  const { name, role, projectId, actor } = input;
  if (!namePattern.test(name))
    throw new ServiceError('validation-error', {
      message: "The name of an operator has 1 to 80 letters, digits, spaces and . _ @ ' -.",
    });
  return ctx.store.transaction(async (tx) => {
    const known = await lockOperatorNamed(tx, name);
    if (known?.status === 'revoked')
      throw new ServiceError('conflict', {
        message: `The right of ${name} has ended: invite them under another name.`,
      });
    if (!known && role === undefined)
      throw new ServiceError('validation-error', {
        message: 'Say what they may: --role viewer, support, finance or admin.',
      });
    const now = ctx.clock.now();
    const operator = await saveOperator(tx, {
      id: known?.id ?? ctx.ids.uuid(),
      name,
      roles: { ...known?.roles, ...(role !== undefined && { [projectId ?? '*']: role }) },
      status: known?.status ?? 'invited',
      invitation: { nonce: ctx.ids.randomUuid(), expiresAt: new Date(now.getTime() + inviteMs) },
      passkeys: known?.passkeys ?? [],
      createdAt: known?.createdAt ?? now,
    });
    await note(ctx, tx, operator, {
      actor,
      action: 'operators.invite',
      reason: 'invited',
      before: known,
    });
    return { operator, token: invitationToken(tx, operator) };
  });
}

/**
 * Ends what somebody may, with every session, at once. It cannot be undone.
 * @throws validation-error
 */
export async function revokeOperator(
  ctx: OperatorsCtx,
  {
    name,
    reason,
    actor,
  }: { readonly name: string; readonly reason: string; readonly actor: Actor },
): Promise<Operator> {
  return ctx.store.transaction(async (tx) => {
    const known = await requireNamed(tx, name);
    const revoked = {
      ...known,
      status: 'revoked' as const,
      invitation: undefined,
      passkeys: [],
      revokedAt: known.revokedAt ?? ctx.clock.now(),
    };
    const operator = await saveOperator(tx, revoked);
    await note(ctx, tx, operator, { actor, action: 'operators.revoke', reason, before: known });
    return operator;
  });
}

/** Changes what somebody may in a project, or in all; `none` takes it. @throws validation-error */
export async function setOperatorRole(
  ctx: OperatorsCtx,
  input: {
    readonly name: string;
    readonly role: OperatorRole | 'none';
    readonly projectId?: string | undefined;
    readonly reason: string;
    readonly actor: Actor;
  },
): Promise<Operator> {
  const { name, role, projectId = '*', reason, actor } = input;
  return ctx.store.transaction(async (tx) => {
    const known = await requireNamed(tx, name);
    const { [projectId]: _, ...others } = known.roles;
    const operator = await saveOperator(tx, {
      ...known,
      roles: role === 'none' ? others : { ...others, [projectId]: role },
    });
    await note(ctx, tx, operator, { actor, action: 'operators.role', reason, before: known });
    return operator;
  });
}

/**
 * The secret of an invitation: made from the row with the keys of the service, so that it lies
 * nowhere. Who gives a passkey shows that he knows it without saying it (`enrol.ts`).
 */
export function invitationToken(
  db: Db,
  { id, invitation }: Pick<Operator, 'id' | 'invitation'>,
): string {
  if (!invitation) throw new Error(`operator ${id} has no open invitation`);
  const seal = rowMacsOf(db).seal({ table: 'operator_invitations', id, fields: { ...invitation } });
  return `${id}.${createHash('sha256').update(`purser invitation ${seal}`).digest('base64url')}`;
}

/** What an operator may in a project; undefined: nothing, not even look. */
export function roleIn(
  { roles, status }: Pick<Operator, 'roles' | 'status'>,
  projectId: string,
): OperatorRole | undefined {
  if (status !== 'active') return undefined;
  return Object.hasOwn(roles, projectId) ? roles[projectId] : roles['*'];
}

/**
 * That an operator still may, in the transaction of what he decided: whoever revokes him meanwhile
 * waits for it, or it for that.
 * @throws forbidden
 */
export async function requireStillMay(
  tx: Tx,
  {
    operatorId,
    projectId,
    role,
  }: { readonly operatorId: string; readonly projectId: string; readonly role: OperatorRole },
): Promise<void> {
  const operator = await lockOperator(tx, operatorId);
  const has = operator && roleIn(operator, projectId);
  if (!has || !mayAct(has, role))
    throw new ServiceError('forbidden', {
      message: 'The role was taken away meanwhile: nothing was done.',
    });
}

async function requireNamed(tx: Tx, name: string): Promise<Operator> {
  const known = await lockOperatorNamed(tx, name);
  if (!known)
    throw new ServiceError('validation-error', {
      message: `There is no operator "${name}". See purser operators list.`,
    });
  return known;
}

async function note(
  ctx: OperatorsCtx,
  tx: Tx,
  operator: Operator,
  {
    actor,
    action,
    reason,
    before,
  }: { actor: Actor; action: string; reason: string; before: Operator | undefined },
): Promise<void> {
  await appendAudit(ctx, tx, {
    actor,
    action,
    outcome: 'done',
    subject: `operator:${operator.id}`,
    reason,
    changed: {
      name: operator.name,
      roles: [before?.roles ?? {}, operator.roles],
      status: [before?.status ?? 'none', operator.status],
      passkeys: [before?.passkeys.length ?? 0, operator.passkeys.length],
    },
  });
}
