import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import {
  type Actor,
  appendAudit,
  type OperatorRule,
  operatorRule,
} from '../../operations/index.ts';
import { endSessionsOf } from './sessions.ts';
import { lockOperatorNamed, selectOperator } from './store.ts';

const name = 'operators.sign-out';

/**
 * Ends every session of somebody, who may sign in again: for a device that was left open.
 * @throws validation-error
 */
export async function signOutOperator(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock'>,
  input: { readonly name: string; readonly reason: string; readonly actor: Actor },
): Promise<{ readonly sessions: number }> {
  return ctx.store.transaction(async (tx) => {
    const known = await lockOperatorNamed(tx, input.name);
    if (!known)
      throw new ServiceError('validation-error', {
        message: `There is no operator "${input.name}". See purser operators list.`,
      });
    const sessions = await endSessionsOf(ctx, tx, known.id);
    const { reason, actor } = input;
    await appendAudit(ctx, tx, {
      actor,
      action: name,
      outcome: 'done',
      subject: `operator:${known.id}`,
      reason,
      changed: { sessions: [sessions, 0] },
    });
    return { sessions };
  });
}

/**
 * The same from the console: for an admin of every project, since operators belong to all of them;
 * everybody may sign out himself.
 */
const signOutRule: OperatorRule<{ operatorId: string }> = {
  name,
  role: 'support',
  params: z.strictObject({ operatorId: z.uuid() }),
  async run(ctx, { params: { operatorId }, actor, record }) {
    const who = actor.kind === 'operator' ? await selectOperator(ctx.store, actor.id) : undefined;
    if (who?.roles['*'] !== 'admin' && who?.id !== operatorId)
      throw new ServiceError('forbidden', {
        message: 'It takes the role admin of every project to sign somebody else out.',
      });
    if (!(await selectOperator(ctx.store, operatorId)))
      throw new ServiceError('validation-error', { message: 'There is no such operator.' });
    return ctx.store.transaction(async (tx) => {
      const sessions = await endSessionsOf(ctx, tx, operatorId);
      await record(tx, { subject: `operator:${operatorId}`, changed: { sessions: [sessions, 0] } });
      return { sessions };
    });
  },
};

export const sessionRules: readonly OperatorRule[] = [operatorRule(signOutRule)];
