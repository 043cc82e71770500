import type { Ctx } from '../../../context.ts';
import { errorTable, ServiceError } from '../../../lib/errors.ts';
import {
  type Actor,
  appendAudit,
  mayAct,
  type OperatorRule,
  performRule,
  readAuditTrail,
  SecondPersonNeeded,
} from '../../operations/index.ts';
import { requireStillMay, roleIn } from '../operators/operators.ts';
import { type Operator, selectOperator } from '../operators/store.ts';
import { enrol } from './enrol.ts';
import { operatorRules } from './registry.ts';
import { isHisSignature } from './signature.ts';
import { readSignedAction, type SignedAction, signedForMs } from './signed.ts';
import { type AskedAction, saveResult, selectAsked, settleAction, suspendAction } from './store.ts';

const batchMax = 20;
const counters = { done: 0, refused: 0, forged: 0 };

/** Actions since the process started, for metrics; `forged` is an alarm. */
export function operatorActionMetrics(): Readonly<typeof counters> {
  return counters;
}

/**
 * Does what operators have signed in the console. The API only stores what it was handed, and may
 * be anybody's: here, in the worker, stands the signature against the operator's own row, which
 * only the worker and the command line write.
 * @returns how many were looked at
 */
export async function performActions(ctx: Ctx): Promise<number> {
  if (!ctx.config.console) return 0;
  const asked = await selectAsked(ctx.store, batchMax);
  for (const one of asked) {
    try {
      await (one.kind === 'enrolment' ? performEnrolment(ctx, one) : performAction(ctx, one));
    } catch (error) {
      ctx.log.error(
        { err: error, actionId: one.id },
        'an action of an operator failed; nothing of it was done',
      );
      await refuse(
        ctx,
        one,
        'An unexpected error occurred, and nothing was done. The log of the worker says more.',
      );
    }
  }
  return asked.length;
}

async function performEnrolment(ctx: Ctx, asked: AskedAction): Promise<void> {
  const why = await enrol(ctx, asked);
  if (why !== undefined) await refuse(ctx, asked, why);
}

/** Nobody has signed this: somebody wrote it behind the console. */
class Forged extends Error {}

async function performAction(ctx: Ctx, asked: AskedAction): Promise<void> {
  let known: Awaited<ReturnType<typeof readAction>>;
  try {
    known = await readAction(ctx, asked);
  } catch (error) {
    // A row that decides about it was changed: that has raised its own alarm.
    if (error instanceof ServiceError) return refuse(ctx, asked, error.message);
    if (!(error instanceof Forged)) throw error;
    counters.forged += 1;
    ctx.log.error(
      { alarm: 'operator-action-forged', actionId: asked.id, why: error.message },
      `an action of an operator is not his: ${error.message}`,
    );
    return refuse(ctx, asked, 'The signature does not fit: nothing was done.');
  }
  const { action, operator } = known;
  const now = ctx.clock.now();
  const expiresAt = new Date(action.expiresAt);
  if (expiresAt <= now || expiresAt.getTime() - now.getTime() > 2 * signedForMs)
    return refuse(ctx, asked, 'The signature has run out: decide again.', known);
  const rule = operatorRules.get(action.action);
  if (!rule) return refuse(ctx, asked, `There is no action "${action.action}".`, known);
  const role = roleIn(operator, action.projectId);
  if (!role || !mayAct(role, rule.role))
    return refuse(
      ctx,
      asked,
      `It takes the role ${rule.role}${role ? `: yours is ${role}` : ''}.`,
      known,
    );
  await perform(ctx, asked, {
    rule,
    action,
    actor: { kind: 'operator', id: operator.id, name: operator.name, role },
  });
}

/** @throws Forged; ServiceError when the operator's row was changed behind the service */
async function readAction(
  ctx: Ctx,
  asked: AskedAction,
): Promise<{ readonly action: SignedAction; readonly operator: Operator }> {
  const { action } = readSignedAction(asked.signed);
  if (!action) throw new Forged('it is no action');
  if (action.id !== asked.id || action.operatorId !== asked.operatorId)
    throw new Forged('it stands in the row of another one');
  if (action.console !== ctx.config.console!.url)
    throw new Forged('it was signed for another console');
  // The audit log forgets nothing, whatever becomes of the row.
  if ((await readAuditTrail(ctx.store)).hasAction(action.id))
    throw new Forged('it was done already, and came again');
  const operator = await selectOperator(ctx.store, action.operatorId);
  if (operator?.status !== 'active') throw new Forged('there is no such operator');
  if (!(await isHisSignature(ctx, asked, operator)))
    throw new Forged('no passkey of the operator has signed it');
  return { action, operator };
}

async function perform(
  ctx: Ctx,
  asked: AskedAction,
  {
    rule,
    action,
    actor,
  }: { readonly rule: OperatorRule; readonly action: SignedAction; readonly actor: Actor },
): Promise<void> {
  const { projectId, params, reason } = action;
  try {
    const result = await performRule(ctx, rule, {
      actor,
      projectId,
      params,
      reason,
      signed: {
        actionId: asked.id,
        settle: async (tx) => {
          // Another worker may have been faster: then nothing of this is kept.
          const isForgotten = rule.namesPerson;
          if (
            !(await settleAction(tx, {
              id: asked.id,
              status: 'done',
              at: ctx.clock.now(),
              isForgotten,
            }))
          )
            throw new Overtaken();
          await requireStillMay(tx, { operatorId: action.operatorId, projectId, role: rule.role });
        },
      },
    });
    counters.done += 1;
    if (!rule.namesPerson) await saveResult(ctx.store, asked.id, result);
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (error instanceof SecondPersonNeeded)
      return suspend(ctx, asked, error.message, { action, actor });
    if (!(error instanceof ServiceError)) throw error;
    // What is said of a name may repeat it, and the log is kept for good.
    const message = rule.namesPerson ? errorTable[error.code].message : error.message;
    await refuse(ctx, asked, message, { action, actor });
  }
}

class Overtaken extends Error {}

/** Leaves what one has signed for another to approve, and writes down that it was asked for. */
async function suspend(
  ctx: Ctx,
  asked: AskedAction,
  message: string,
  { action, actor }: { readonly action: SignedAction; readonly actor: Actor },
): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    if (!(await suspendAction(tx, { id: asked.id, result: { message } }))) return;
    const { action: name, projectId, reason } = action;
    // Without the action's id, which the log has once: when it is done.
    await appendAudit(ctx, tx, {
      actor,
      action: name,
      outcome: 'proposed',
      projectId,
      subject: `action:${asked.id}`,
      reason,
      changed: { waits: message },
    });
  });
}

/** Says why not. What an operator has signed and was refused is written down too. */
async function refuse(
  ctx: Ctx,
  asked: AskedAction,
  message: string,
  known?: { readonly action: SignedAction; readonly operator?: Operator; readonly actor?: Actor },
): Promise<void> {
  const isForgotten = operatorRules.get(
    readSignedAction(asked.signed).action?.action ?? '',
  )?.namesPerson;
  await ctx.store.transaction(async (tx) => {
    if (
      !(await settleAction(tx, {
        id: asked.id,
        status: 'refused',
        result: { message },
        at: ctx.clock.now(),
        isForgotten,
      }))
    )
      return;
    counters.refused += 1;
    if (!known) return;
    const { action, operator } = known;
    const actor = known.actor ?? {
      kind: 'operator' as const,
      id: operator!.id,
      name: operator!.name,
      role: roleIn(operator!, action.projectId) ?? 'none',
    };
    await appendAudit(ctx, tx, {
      actor,
      action: action.action,
      outcome: 'refused',
      projectId: action.projectId,
      subject: subjectOf(action),
      reason: action.reason,
      changed: { refused: message },
      actionId: asked.id,
    });
  });
}

function subjectOf({ params }: SignedAction): string | undefined {
  const [name, id] = Object.entries(params).find(([key]) => key.endsWith('Id')) ?? [];
  return name === undefined ? undefined : `${name.slice(0, -2)}:${id}`;
}
