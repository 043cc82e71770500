import { ServiceError } from '../../lib/errors.ts';
import type { Db, Tx } from '../../store/types.ts';
import { publishPayout } from './events.ts';
import { findHold, type PayoutHold, updateHold } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

/**
 * What the vault pays at most, in the smallest unit of the currency. A day is the last 24 hours.
 */
export interface PayoutLimits {
  readonly currency: string;
  readonly perPayoutMinor: bigint;
  readonly projectDayMinor: bigint;
  readonly destinationDayMinor: bigint;
  /** Above it a second person says so. */
  readonly secondPersonMinor: bigint;
}

export type LimitCode =
  | 'limit-object'
  | 'limit-payout'
  | 'limit-project-day'
  | 'limit-destination-day';

type Row = { currency: string } & Record<Exclude<keyof PayoutLimits, 'currency'>, string>;

const columns = `currency, per_payout_minor::text as "perPayoutMinor", project_day_minor::text as "projectDayMinor",
  destination_day_minor::text as "destinationDayMinor", second_person_minor::text as "secondPersonMinor"`;
const read = (row: Row): PayoutLimits => ({
  currency: row.currency,
  perPayoutMinor: BigInt(row.perPayoutMinor),
  projectDayMinor: BigInt(row.projectDayMinor),
  destinationDayMinor: BigInt(row.destinationDayMinor),
  secondPersonMinor: BigInt(row.secondPersonMinor),
});
const dayMs = 86_400_000;

/**
 * The limit that a payout exceeds, which this transaction has stored already. Payouts of one
 * currency are taken on one after the other: two at once never pass together.
 */
export async function exceededLimit(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
): Promise<LimitCode | undefined> {
  await tx.query({
    name: 'payout-turn',
    text: 'insert into payout_turns (currency) values ($1) on conflict (currency) do update set currency = excluded.currency',
    values: [payout.currency],
  });
  const { rows } = await tx.query<Row>({
    name: 'payout-limits-of',
    text: `select ${columns} from payout_limits where currency = $1`,
    values: [payout.currency],
  });
  if (await isPaidBesides(tx, payout)) return 'limit-object';
  const limits = rows[0] && read(rows[0]);
  if (limits === undefined || payout.amountMinor > limits.perPayoutMinor) return 'limit-payout';
  const since = new Date(ctx.clock.now().getTime() - dayMs);
  const { project, destination } = await sumDay(tx, payout, since);
  if (project > limits.projectDayMinor) return 'limit-project-day';
  return destination > limits.destinationDayMinor ? 'limit-destination-day' : undefined;
}

/**
 * Whether another payout for the same thing has left, or may yet: an order is paid out once,
 * whatever its books on the main side say. One that was rejected, came back or was canceled is
 * none. Payouts for one thing are looked at one after the other, in whatever currencies.
 */
async function isPaidBesides(tx: Tx, { id, projectId, object }: Payout): Promise<boolean> {
  await tx.query({
    name: 'payout-object-turn',
    text: `select pg_advisory_xact_lock(hashtextextended('payout-object ' || $1 || ' ' || $2, 0))`,
    values: [projectId, object],
  });
  const { rows } = await tx.query({
    name: 'payout-besides',
    text: `select 1 from payouts where object = $3 and project_id = $2 and id <> $1 and status not in ('rejected', 'returned', 'canceled') limit 1`,
    values: [id, projectId, object],
  });
  return rows.length > 0;
}

/**
 * What left in the last day and what has yet to leave, whenever it was asked for: so no day sees
 * more leave than its limit. What came back or was rejected after it was sent counts too: it did
 * leave, or may have. A destination is a payment method or any other with its account.
 */
async function sumDay(
  tx: Tx,
  payout: Payout,
  since: Date,
): Promise<{ project: bigint; destination: bigint }> {
  const { rows } = await tx.query<{ project: string; destination: string }>({
    name: 'payout-day',
    text: `select coalesce(sum(amount_minor), 0)::text as project,
             coalesce(sum(amount_minor) filter (where payment_method_id = $2 or destination = (select destination from payouts where id = $5)),
               0)::text as destination
           from payouts where project_id = $1 and currency = $3
             and (first_sent_at > $4 or (first_sent_at is null and status not in ('rejected', 'canceled')))`,
    values: [payout.projectId, payout.paymentMethodId, payout.currency, since, payout.id],
  });
  return { project: BigInt(rows[0]!.project), destination: BigInt(rows[0]!.destination) };
}

const projectsShownMax = 1_000;

/**
 * What counts against the limits of a day now, by project and currency: as {@link exceededLimit}
 * counts it.
 */
export async function listUsed(
  db: Db,
  now: Date,
): Promise<
  { readonly projectId: string; readonly currency: string; readonly amountMinor: string }[]
> {
  const { rows } = await db.query<{ projectId: string; currency: string; amountMinor: string }>({
    text: `select project_id as "projectId", currency, sum(amount_minor)::text as "amountMinor" from payouts
           where first_sent_at > $1 or (first_sent_at is null and status not in ('rejected', 'canceled'))
           group by 1, 2 order by 1, 2 limit $2`,
    values: [new Date(now.getTime() - dayMs), projectsShownMax],
  });
  return rows;
}

export async function listLimits(db: Db): Promise<PayoutLimits[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from payout_limits order by currency limit 100`,
  });
  return rows.map(read);
}

/**
 * Sets what is given; the rest stays. For the command on the vault's host only.
 * @throws validation-error no such currency
 */
export async function setLimits(
  ctx: PayoutCtx,
  input: Pick<PayoutLimits, 'currency'> & Partial<PayoutLimits> & { readonly actor: string },
): Promise<PayoutLimits> {
  const {
    currency,
    perPayoutMinor,
    projectDayMinor,
    destinationDayMinor,
    secondPersonMinor,
    actor,
  } = input;
  return ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<Row>({
      text: `update payout_limits set per_payout_minor = coalesce($2, per_payout_minor), project_day_minor = coalesce($3, project_day_minor),
               destination_day_minor = coalesce($4, destination_day_minor), second_person_minor = coalesce($7, second_person_minor),
               set_by = $5, updated_at = $6
             where currency = $1 returning ${columns}`,
      values: [
        currency,
        perPayoutMinor?.toString() ?? null,
        projectDayMinor?.toString() ?? null,
        destinationDayMinor?.toString() ?? null,
        actor,
        ctx.clock.now(),
        secondPersonMinor?.toString() ?? null,
      ],
    });
    if (rows[0] === undefined)
      throw new ServiceError('validation-error', {
        message: `The vault pays no ${currency}: see purser payouts limits.`,
      });
    await ctx.payouts.vault.audit(tx, {
      actor,
      action: 'payouts.limits-set',
      projectId: '',
      subject: currency,
      detail: { ...rows[0] },
    });
    return read(rows[0]);
  });
}

/**
 * How long a new destination waits, as an operator has said; undefined: as the configuration says.
 */
export async function readWait(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ hours: number | null }>({
    text: 'select new_destination_wait_hours as hours from payout_rules where id = 1',
  });
  return rows[0]?.hours ?? undefined;
}

/** For the command on the vault's host only. */
export async function setWait(
  ctx: PayoutCtx,
  input: { readonly hours: number; readonly actor: string },
): Promise<void> {
  const { hours, actor } = input;
  await ctx.store.transaction(async (tx) => {
    await tx.query({
      text: 'update payout_rules set new_destination_wait_hours = $1, set_by = $2, updated_at = $3 where id = 1',
      values: [hours, actor, ctx.clock.now()],
    });
    await ctx.payouts.vault.audit(tx, {
      actor,
      action: 'payouts.wait-set',
      projectId: '',
      subject: 'new-destination',
      detail: { hours },
    });
  });
}

/** Since when nothing is handed to a bank. */
export async function readStop(
  db: Db,
): Promise<{ readonly stoppedAt: Date; readonly reason: string } | undefined> {
  const { rows } = await db.query<{ stoppedAt: Date | null; reason: string | null }>({
    name: 'payout-switch',
    text: 'select stopped_at as "stoppedAt", reason from payout_switch where id = 1',
  });
  const { stoppedAt, reason } = rows[0]!;
  return stoppedAt === null ? undefined : { stoppedAt, reason: reason ?? '' };
}

/**
 * Stops all payouts that were not handed in yet, or lets them go on. For the command on the vault's
 * host only.
 */
export async function setStop(
  ctx: PayoutCtx,
  input: { readonly reason: string | null; readonly actor: string },
): Promise<void> {
  const { reason, actor } = input;
  await ctx.store.transaction(async (tx) => {
    await tx.query({
      text: `update payout_switch set stopped_at = case when $1::text is null then null else $2::timestamptz end, reason = $1 where id = 1`,
      values: [reason, ctx.clock.now()],
    });
    const action = reason === null ? 'payouts.started' : 'payouts.stopped';
    await ctx.payouts.vault.audit(tx, {
      actor,
      action,
      projectId: '',
      subject: 'payouts',
      detail: reason === null ? {} : { reason },
    });
  });
}

/** For how long a new destination waits where no operator has said. */
export const waitHoursOf = (ctx: PayoutCtx): number => ctx.payouts.newDestinationWaitHours ?? 0;

/** What a payout waits for by the limits as they are now; undefined when it may be handed in. */
export function readHold(ctx: PayoutCtx, db: Db, id: string): Promise<PayoutHold | undefined> {
  return findHold(db, { id, waitHours: waitHoursOf(ctx), now: ctx.clock.now() });
}

/** Notes what a payout waits for, and tells the main side when that is news. */
export async function holdPayout(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  hold: PayoutHold,
): Promise<Payout> {
  const isKnown =
    payout.needsApproval === hold.needsApproval &&
    payout.heldUntil?.getTime() === hold.heldUntil?.getTime();
  if (isKnown) return payout;
  const held = await updateHold(tx, { id: payout.id, hold, now: ctx.clock.now() });
  await publishPayout(ctx, tx, held, 'payouts.held');
  tx.afterCommit(() => ctx.log.warn({ payout: payout.id, ...hold }, 'a payout is held'));
  return held;
}
