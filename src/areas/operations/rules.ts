import { hostname, userInfo } from 'node:os';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Db, Tx } from '../../store/types.ts';
import { type Actor, appendAudit, lockAudit } from './audit.ts';
import { readAuditTrail } from './audit-trail.ts';
import {
  aloneDayMs,
  needsSecondPerson,
  type RuleAmount,
  SecondPersonNeeded,
} from './second-person.ts';

/** What an operator may do in a project; each may what those before may. */
export const operatorRoles = ['viewer', 'support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export const mayAct = (has: OperatorRole, needs: OperatorRole): boolean =>
  operatorRoles.indexOf(has) >= operatorRoles.indexOf(needs);

/**
 * Writes down what a rule has changed, in the transaction that changes it and as its last
 * statement.
 */
export type RecordChange = (
  tx: Tx,
  change: { readonly subject: string; readonly changed: JsonObject },
) => Promise<void>;

/** Something that an operator decides, whether at the command line or in the console. */
export interface OperatorRule<P = unknown, C = Ctx> {
  /** `<area>.<what>`, as the audit log says it. */
  readonly name: string;
  /** Who may, at least. */
  readonly role: Exclude<OperatorRole, 'viewer'>;
  readonly params: z.ZodType<P>;
  /**
   * What is asked for, or what becomes of it, names a person: of what an operator has signed
   * nothing is kept once it is over.
   */
  readonly namesPerson?: true;
  /** Of what may move money: above a limit it takes a second person. */
  readonly moves?: {
    /** What the second person is asked for, e.g. `Return a deposit`. */
    readonly title: string;
    /** Undefined: nobody knows, or nothing. */
    amount(
      ctx: C,
      input: { readonly projectId: string; readonly params: P },
    ): Promise<RuleAmount | undefined>;
  };
  /**
   * Does it, in one transaction that ends with `record`.
   * @returns what became of it, for whoever asked @throws ServiceError with a sentence
   */
  run(ctx: C, input: RuleInput<P>): Promise<JsonObject>;
}

export interface RuleInput<P> {
  readonly projectId: string;
  readonly params: P;
  /** Why; no personal data. */
  readonly reason: string;
  readonly actor: Actor;
  readonly record: RecordChange;
}

/** A rule whatever its parameters are. */
export const operatorRule = <P, C>(rule: OperatorRule<P, C>): OperatorRule =>
  rule as unknown as OperatorRule;

export interface PerformInput {
  readonly actor: Actor;
  readonly projectId: string;
  readonly params: unknown;
  readonly reason: string;
  /** Who has approved what somebody else asked for. */
  readonly secondPerson?: string;
  /** Of what was signed: marks it as done in the same transaction. */
  readonly signed?: { readonly actionId: string; readonly settle: (tx: Tx) => Promise<void> };
}

const reasonLengthMax = 500;

/**
 * Runs a rule and has it written down.
 * @throws validation-error, SecondPersonNeeded, and what the rule throws
 */
export async function performRule<P, C extends Pick<Ctx, 'config' | 'clock' | 'store'>>(
  ctx: C,
  rule: OperatorRule<P, C>,
  input: PerformInput,
): Promise<JsonObject> {
  const { actor, projectId, signed } = input;
  const reason = input.reason.trim();
  if (reason === '' || reason.length > reasonLengthMax)
    throw new ServiceError('validation-error', {
      message: `Say why, in at most ${reasonLengthMax} characters: --note "…" is kept in the history and in the audit log.`,
    });
  const parsed = rule.params.safeParse(input.params);
  if (!parsed.success)
    throw new ServiceError('validation-error', {
      message: parsed.error.issues
        .map((issue) => `${issue.path.map(String).join('.') || rule.name}: ${issue.message}`)
        .join('; '),
    });
  const isAlone = ctx.config.secondPersonAbove !== undefined && input.secondPerson === undefined;
  const readAmount = async () =>
    isAlone ? rule.moves?.amount(ctx, { projectId, params: parsed.data }) : undefined;
  const before = await readAmount();
  if (before) await requireAlone(ctx, ctx.store, { actor, amount: before });
  let isRecorded = false;
  const record: RecordChange = async (tx, { subject, changed }) => {
    isRecorded = true;
    await signed?.settle(tx);
    // Money may have come in since it was looked at, or a price.
    const amount = largest(before, await readAmount());
    if (amount) {
      // Of several at once, each but the first counts those before.
      await lockAudit(tx);
      await requireAlone(ctx, tx, { actor, amount });
    }
    await appendAudit(ctx, tx, {
      actor,
      action: rule.name,
      outcome: 'done',
      projectId,
      subject,
      reason,
      changed:
        input.secondPerson === undefined ? changed : { ...changed, approvedBy: input.secondPerson },
      decidedAlone: amount && {
        currency: amount.currency,
        decimals: amount.decimals,
        amountMinor: amount.amountMinor.toString(),
      },
      actionId: signed?.actionId,
    });
  };
  const result = await rule.run(ctx, { projectId, params: parsed.data, reason, actor, record });
  if (!isRecorded) throw new Error(`the rule ${rule.name} did not say what it changed`);
  return result;
}

/**
 * What a rule is about before and after it ran: it may have ended what it was about, and moves it
 * all the same.
 */
const largest = (
  before: RuleAmount | undefined,
  after: RuleAmount | undefined,
): RuleAmount | undefined =>
  before && (after?.currency !== before.currency || after.amountMinor <= before.amountMinor)
    ? before
    : after;

/** @throws SecondPersonNeeded */
async function requireAlone(
  ctx: Pick<Ctx, 'config' | 'clock'>,
  db: Db,
  { actor, amount }: { readonly actor: Actor; readonly amount: RuleAmount },
): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - aloneDayMs);
  for (const decidedAlone of (await readAuditTrail(db)).decidedAlone({ actor, since }))
    if (needsSecondPerson(ctx, amount, decidedAlone))
      throw new SecondPersonNeeded(amount, decidedAlone);
}

/** Whoever types a command. */
export function commandLineActor(): Actor {
  return { kind: 'command-line', osUser: userInfo().username, host: hostname() };
}
