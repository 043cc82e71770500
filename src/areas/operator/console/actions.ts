import { z } from 'zod';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { mayAct } from '../../operations/index.ts';
import { operatorRules } from '../actions/registry.ts';
import { readSignedAction, signedLengthMax } from '../actions/signed.ts';
import { countAsked, insertAction, selectOutcome } from '../actions/store.ts';
import { roleIn } from '../operators/operators.ts';
import { assertionSchema } from '../operators/passkeys.ts';
import { json, readRoute, requireSession, writeRoute } from './guard.ts';

/** Of one operator, before the worker has looked at the first. */
const askedMax = 20;

/**
 * Takes what an operator has signed, for the worker to look at. What is refused here is refused so
 * that it is said at once: it would be there, too.
 */
export const actionRoutes: readonly PublicRoute[] = [
  writeRoute(
    '/actions',
    z.strictObject({ signed: z.string().max(signedLengthMax), assertion: assertionSchema }),
    async (ctx, { body: { signed, assertion }, request }) => {
      const { operator } = await requireSession(ctx, request);
      const { action, problem } = readSignedAction(signed);
      if (problem !== undefined)
        throw new ServiceError('validation-error', {
          message: `signed: it is no action: ${problem}.`,
        });
      if (action.operatorId !== operator.id)
        throw new ServiceError('validation-error', {
          message: 'signed: it is no action of yours.',
        });
      const rule = operatorRules.get(action.action);
      if (!rule)
        throw new ServiceError('validation-error', {
          message: `signed: there is no action "${action.action}".`,
        });
      const role = roleIn(operator, action.projectId);
      if (!role)
        throw new ServiceError('forbidden', { message: 'You have no role in this project.' });
      if (!mayAct(role, rule.role))
        throw new ServiceError('forbidden', {
          message: `It takes the role ${rule.role}: yours is ${role}.`,
        });
      if ((await countAsked(ctx.store, operator.id)) >= askedMax)
        throw new ServiceError('rate-limited', {
          message: 'Too much of yours waits for the worker: is it running?',
        });
      const asked = {
        id: action.id,
        kind: 'action',
        operatorId: operator.id,
        signed,
        proof: assertion as never,
        createdAt: ctx.clock.now(),
      } as const;
      if (!(await insertAction(ctx.store, asked)))
        throw new ServiceError('conflict', { message: 'This was signed and sent already.' });
      return json(202, { id: action.id });
    },
  ),
  readRoute('/actions/:id', z.looseObject({}), async (ctx, { session, params }) => {
    const id = z.uuid().safeParse(params.id).data;
    const outcome = id === undefined ? undefined : await selectOutcome(ctx.store, id, 'action');
    if (!outcome || outcome.operatorId !== session.operator.id)
      throw new ServiceError('validation-error', { message: 'There is no such action of yours.' });
    return { id, status: outcome.status, result: outcome.result };
  }),
];
