import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import {
  type AttentionItem,
  type AttentionSource,
  appendAudit,
  mayAct,
  type OperatorRule,
  operatorRule,
  performRule,
  readAuditTrail,
} from '../../operations/index.ts';
import { requireStillMay, roleIn } from '../operators/operators.ts';
import { selectOperator } from '../operators/store.ts';
import { isHisSignature } from './signature.ts';
import { challengeOf, readSignedAction, type SignedAction, signedForMs } from './signed.ts';
import { type AskedAction, selectAction, selectWaiting, settleAction } from './store.ts';

/** For how long what one has signed can be approved by another. */
const waitingMs = 24 * 3_600_000;

const params = z.strictObject({
  actionId: z.uuid(),
  /**
   * Of the text that the first has signed: it is this one that is approved, and no other under its
   * id.
   */
  hash: z.string().regex(/^[\w-]{43}$/),
});
type Params = z.infer<typeof params>;
type Rules = () => ReadonlyMap<string, OperatorRule>;

/** @throws conflict when nothing like that waits */
async function requireWaiting(ctx: Ctx, { actionId, hash }: Params, projectId: string) {
  const asked = await selectAction(ctx.store, actionId);
  const action =
    asked?.status === 'waiting' && challengeOf(asked.signed) === hash
      ? readSignedAction(asked.signed).action
      : undefined;
  if (!asked || !action || action.id !== actionId || action.projectId !== projectId)
    throw new ServiceError('conflict', { message: 'Nothing like that waits for a second person.' });
  return { asked, action };
}

/**
 * A second operator's yes to what a first one has signed: both signatures are looked at, the first
 * again, and both may do it. It is done in the first one's name, with the second one's beside it.
 */
const approve = (rules: Rules): OperatorRule<Params> => ({
  name: 'actions.approve',
  role: 'support',
  params,
  async run(ctx, { projectId, params: which, actor, record }) {
    const { asked, action } = await requireWaiting(ctx, which, projectId);
    if (actor.kind !== 'operator')
      throw new ServiceError('forbidden', { message: 'The second person signs in the console.' });
    if (actor.id === action.operatorId)
      throw new ServiceError('forbidden', {
        message: 'It takes another person than the one who asked for it.',
      });
    const rule = rules().get(action.action);
    const [first, second] = [
      await selectOperator(ctx.store, action.operatorId),
      await selectOperator(ctx.store, actor.id),
    ];
    if (!rule || !first || !second || !(await isHisSignature(ctx, asked, first)))
      throw new ServiceError('conflict', {
        message:
          'What is to be approved was not signed by the one who stands there: nothing was done.',
      });
    for (const { operator, who } of [
      { operator: first, who: first.name },
      { operator: second, who: 'you' },
    ]) {
      const role = roleIn(operator, projectId);
      if (!role || !mayAct(role, rule.role))
        throw new ServiceError('forbidden', {
          message: `It takes the role ${rule.role} of both: not of ${who}.`,
        });
    }
    // By what is signed: the row may have been put back, or made younger.
    if ((await readAuditTrail(ctx.store)).hasAction(asked.id))
      throw new ServiceError('conflict', {
        message: 'It was done or refused already, and came again: nothing was done.',
      });
    const expiredMs = ctx.clock.now().getTime() - Date.parse(action.expiresAt);
    if (expiredMs < -2 * signedForMs)
      throw new ServiceError('conflict', {
        message: 'It is signed for longer than any decision is: nothing was done.',
      });
    if (expiredMs > waitingMs)
      throw new ServiceError('conflict', {
        message: 'It was asked for more than a day ago: it has to be asked for again.',
      });
    const result = await performRule(ctx, rule, {
      actor: { kind: 'operator', id: first.id, name: first.name, role: roleIn(first, projectId)! },
      projectId,
      params: action.params,
      reason: action.reason,
      secondPerson: second.name,
      signed: {
        actionId: asked.id,
        settle: async (tx) => {
          if (
            !(await settleAction(tx, {
              id: asked.id,
              from: 'waiting',
              status: 'done',
              at: ctx.clock.now(),
            }))
          )
            throw new ServiceError('conflict', { message: 'Somebody else was faster.' });
          for (const operatorId of [first.id, second.id].toSorted())
            await requireStillMay(tx, { operatorId, projectId, role: rule.role });
          await record(tx, { subject: `action:${asked.id}`, changed: { approved: action.action } });
        },
      },
    });
    return { ...result, approved: asked.id };
  },
});

/** A second operator's no. Whoever asked may take it back, too. */
const reject: OperatorRule<Params> = {
  name: 'actions.reject',
  role: 'support',
  params,
  async run(ctx, { projectId, params: which, actor, reason, record }) {
    const { asked, action } = await requireWaiting(ctx, which, projectId);
    const who = actor.kind === 'operator' ? actor.name : actor.osUser;
    await ctx.store.transaction(async (tx) => {
      const result = { message: `${who} has rejected it: ${reason}` };
      if (
        !(await settleAction(tx, {
          id: asked.id,
          from: 'waiting',
          status: 'refused',
          result,
          at: ctx.clock.now(),
        }))
      )
        throw new ServiceError('conflict', { message: 'Somebody else was faster.' });
      await record(tx, { subject: `action:${asked.id}`, changed: { rejected: action.action } });
      // The log has the action itself, too: it is not approved later, whatever becomes of its row.
      await appendAudit(ctx, tx, {
        actor,
        action: action.action,
        outcome: 'refused',
        projectId,
        subject: `action:${asked.id}`,
        reason,
        changed: { refused: result.message },
        actionId: asked.id,
      });
    });
    return { rejected: asked.id };
  },
};

export const secondPersonRules = (rules: Rules): readonly OperatorRule[] => [
  operatorRule(approve(rules)),
  operatorRule(reject),
];

/**
 * What waits for a second person, oldest first. What stands there is believed when it is approved,
 * and not before.
 */
export const secondPersonAttention = (rules: Rules): readonly AttentionSource[] => [
  {
    kind: 'second-person',
    async list(ctx, { projectId, after, limit }) {
      const since = new Date(ctx.clock.now().getTime() - waitingMs);
      const waiting = await selectWaiting(ctx.store, { projectId, since, after, limit });
      const items = waiting.map(async (asked) => {
        const { action } = readSignedAction(asked.signed);
        return action && itemOf(ctx, asked, action, rules);
      });
      return (await Promise.all(items)).filter((item) => item !== undefined);
    },
    async count(ctx, { projectId, max }) {
      const since = new Date(ctx.clock.now().getTime() - waitingMs);
      return (await selectWaiting(ctx.store, { projectId, since, limit: max })).length;
    },
  },
];

/** Undefined: nobody could have asked for that, so there is nothing to approve. */
async function itemOf(
  ctx: Ctx,
  asked: AskedAction,
  action: SignedAction,
  rules: Rules,
): Promise<AttentionItem | undefined> {
  const { projectId } = action;
  const rule = rules().get(action.action);
  const known = rule?.params.safeParse(action.params);
  if (!known?.success) return undefined;
  const what = rule?.moves?.title ?? action.action;
  const first = await selectOperator(ctx.store, asked.operatorId);
  const amount = await rule?.moves?.amount(ctx, { projectId, params: known.data });
  const orderId = typeof action.params.orderId === 'string' ? action.params.orderId : undefined;
  const decision = { actionId: asked.id, hash: challengeOf(asked.signed) };
  const said = Object.entries(action.params).map(([name, value]) => `${name} ${value}`);
  return {
    kind: 'second-person',
    id: asked.id,
    projectId,
    since: asked.createdAt,
    deadlineAt: new Date(asked.createdAt.getTime() + waitingMs),
    title: `${what}: a second person decides`,
    reason: `${first?.name ?? 'Somebody'} asks for it: ${action.reason}`,
    amount: amount && { amount: formatRuleAmount(amount), currency: amount.currency.toUpperCase() },
    orderId,
    decisions: [
      {
        rule: 'actions.approve',
        label: 'Approve',
        effect: `It is done (${action.action}) as ${first?.name ?? 'somebody'} has signed it: ${said.join(', ')}.`,
        params: decision,
      },
      {
        rule: 'actions.reject',
        label: 'Reject',
        effect: 'No money moves. Nothing of it is done.',
        params: decision,
      },
    ],
    command: orderId === undefined ? 'purser audit list' : `purser orders show ${orderId}`,
  };
}

function formatRuleAmount({
  amountMinor,
  decimals,
}: {
  readonly amountMinor: bigint;
  readonly decimals: number;
}): string {
  const text = amountMinor.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
