import type { Ctx } from '../../context.ts';
import { type ErrorCode, ServiceError } from '../../lib/errors.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import type { Db, Tx } from '../../store/types.ts';
import { hoursUntil, type Period, type PeriodKind, periodOf } from './day.ts';
import { centsOf, type LimitCase, type LimitRule, rulesFor, subjectOf } from './rules.ts';
import { addUsage, deleteOldUsage, readUsage, returnUsage, type Usage } from './store.ts';

type LimitsCtx = Pick<Ctx, 'clock'>;
type ClaimCtx = Pick<Ctx, 'clock' | 'ids'>;

export interface LimitsInput extends LimitCase {
  readonly projectId: string;
  readonly rules: readonly LimitRule[];
  /**
   * The tokens that are bought, sold or paid with, each of which has a daily volume in the project.
   */
  readonly tokens?: readonly { readonly symbol: string; readonly dailyUsd: string }[];
}

export interface ClaimLimitsInput extends LimitsInput {
  readonly orderId: string;
  /** Worth of the order in hundredths of a US dollar. */
  readonly amountUsdMinor: bigint;
}

/** A limit over a period, as it counts on one counter. */
interface Counter {
  readonly code: ErrorCode;
  readonly kind: PeriodKind;
  readonly subject: string;
  readonly period: Period;
  readonly limitCents: bigint;
  readonly of: LimitRule | TokenVolume;
}

type TokenVolume = { readonly subject: 'token'; readonly token: string };

const codes: Readonly<Record<PeriodKind, ErrorCode>> = {
  daily: 'daily_transaction_exceeded',
  monthly: 'monthly_transaction_exceeded',
};
const usageKeptMs = 70 * 24 * 3_600_000;
const pruneBatchSize = 5_000;
const pruneBatchesMax = 200;

/**
 * Counts an order against every limit it falls under. Call it last in the transaction that stores
 * the order: counters stay locked until it ends.
 * @throws single_purchase_exceeded, daily_transaction_exceeded, monthly_transaction_exceeded,
 * limits:token-daily-volume.exceeded
 */
export async function claimLimits(ctx: ClaimCtx, tx: Tx, input: ClaimLimitsInput): Promise<void> {
  const now = ctx.clock.now();
  checkSingle(input);
  const counters = countersOf(input, now);
  if (counters.length === 0) return;
  // What no counter could take is not added to any: its digits may be more than a counter holds.
  const tooSmall = counters.find(({ limitCents }) => input.amountUsdMinor > limitCents);
  if (tooSmall) {
    const used = await readUsage(tx, {
      projectId: input.projectId,
      keys: keysOf([tooSmall]),
      now,
    });
    throw exceededCounter(tooSmall, {
      amountCents: input.amountUsdMinor,
      usedCents: usedOf(tooSmall, used),
      now,
    });
  }
  const usage = await addUsage(tx, {
    projectId: input.projectId,
    orderId: input.orderId,
    keys: keysOf(counters),
    cents: input.amountUsdMinor,
    now,
    newId: ctx.ids.randomUuid,
  });
  for (const counter of counters) {
    const usedCents = usedOf(counter, usage);
    if (usedCents <= counter.limitCents) continue;
    throw exceededCounter(counter, {
      amountCents: input.amountUsdMinor,
      usedCents: usedCents - input.amountUsdMinor,
      now,
    });
  }
}

/**
 * Counts an order against every limit it falls under, whether it fits or not: for one that goes on
 * whatever they say.
 */
export async function countLimits(ctx: ClaimCtx, tx: Tx, input: ClaimLimitsInput): Promise<void> {
  const { projectId, orderId, amountUsdMinor: cents } = input;
  const now = ctx.clock.now();
  const counters = countersOf(input, now);
  if (counters.length > 0)
    await addUsage(tx, {
      projectId,
      orderId,
      keys: keysOf(counters),
      cents,
      now,
      newId: ctx.ids.randomUuid,
    });
}

/** Refuses an order that is too large by itself. @throws single_purchase_exceeded */
export function checkSingle(input: Omit<ClaimLimitsInput, 'orderId'>): void {
  for (const rule of rulesFor(input.rules, input)) {
    if (rule.singleUsd === undefined) continue;
    const limitCents = centsOf(rule.singleUsd);
    if (input.amountUsdMinor > limitCents)
      throw exceeded('single_purchase_exceeded', {
        amountCents: input.amountUsdMinor,
        limitCents,
        remainingCents: limitCents,
        hours: 0,
      });
  }
}

/** Gives back what an order took. For orders that end unpaid; twice is once. */
export async function releaseLimits(ctx: LimitsCtx, tx: Tx, orderId: string): Promise<void> {
  await returnUsage(tx, orderId, ctx.clock.now());
}

/** One limit and what is left of it. */
export interface LimitView {
  readonly kind?: string;
  readonly method?: string;
  /** `token`: the volume of one token in a day, of all users together. */
  readonly subject: 'user' | 'project' | 'token';
  /** Its symbol. */
  readonly token?: string;
  readonly period: 'single' | PeriodKind;
  /** US dollars, decimals. */
  readonly limit: string;
  readonly used: string;
  readonly remainingAmount: string;
  readonly hoursUntilReset: string;
  readonly currency: 'usd';
}

/** The limits of somebody, and what is left of them. */
export async function readLimits(ctx: LimitsCtx, db: Db, input: LimitsInput): Promise<LimitView[]> {
  const now = ctx.clock.now();
  const rules = rulesFor(input.rules, input);
  const counters = countersOf(input, now);
  const usage =
    counters.length === 0
      ? []
      : await readUsage(db, { projectId: input.projectId, keys: keysOf(counters), now });
  const singles = rules
    .filter((rule) => rule.singleUsd !== undefined)
    .map((rule) =>
      limitView(rule, {
        period: 'single',
        limitCents: centsOf(rule.singleUsd!),
        usedCents: 0n,
        hours: 0,
      }),
    );
  const periods = counters.map((counter) =>
    limitView(counter.of, {
      period: counter.kind,
      limitCents: counter.limitCents,
      usedCents: usedOf(counter, usage),
      hours: hoursUntil(counter.period.endsAt, now),
    }),
  );
  return [...singles, ...periods];
}

/** Removes counters of periods that are long over. For the worker. */
export async function pruneLimits(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - usageKeptMs);
  for (let batch = 0; batch < pruneBatchesMax; batch++)
    if ((await deleteOldUsage(ctx.store, { before, limit: pruneBatchSize })) < pruneBatchSize)
      return;
}

function countersOf(input: LimitsInput, now: Date): Counter[] {
  const periods = { daily: periodOf('daily', now), monthly: periodOf('monthly', now) };
  const counters = rulesFor(input.rules, input).flatMap((rule) =>
    (['daily', 'monthly'] as const).flatMap((kind): Counter[] => {
      const limit = kind === 'daily' ? rule.dailyUsd : rule.monthlyUsd;
      if (limit === undefined) return [];
      const subject = subjectOf(rule, input.userId);
      return [
        {
          code: codes[kind],
          kind,
          subject,
          period: periods[kind],
          limitCents: centsOf(limit),
          of: rule,
        },
      ];
    }),
  );
  for (const { symbol, dailyUsd } of input.tokens ?? [])
    counters.push({
      code: 'limits:token-daily-volume.exceeded',
      kind: 'daily',
      subject: `token:${symbol}`,
      period: periods.daily,
      limitCents: centsOf(dailyUsd),
      of: { subject: 'token', token: symbol },
    });
  return counters;
}

function keysOf(counters: readonly Counter[]) {
  return counters.map(({ subject, period }) => ({ subject, period: period.key }));
}

function usedOf({ subject, period }: Counter, usage: readonly Usage[]): bigint {
  return usage.find((row) => row.subject === subject && row.period === period.key)?.usedCents ?? 0n;
}

function limitView(
  rule: LimitRule | TokenVolume,
  at: {
    readonly period: LimitView['period'];
    readonly limitCents: bigint;
    readonly usedCents: bigint;
    readonly hours: number;
  },
): LimitView {
  const left = at.limitCents - at.usedCents;
  return {
    subject: rule.subject,
    ...('kind' in rule && rule.kind !== undefined && { kind: rule.kind }),
    ...('method' in rule && rule.method !== undefined && { method: rule.method }),
    ...('token' in rule && { token: rule.token }),
    period: at.period,
    limit: dollars(at.limitCents),
    used: dollars(at.usedCents),
    remainingAmount: dollars(left > 0n ? left : 0n),
    hoursUntilReset: String(at.hours),
    currency: 'usd',
  };
}

/** @param at.usedCents without this order */
function exceededCounter(
  counter: Counter,
  at: { readonly amountCents: bigint; readonly usedCents: bigint; readonly now: Date },
) {
  const { code, limitCents, period } = counter;
  const leftCents = limitCents - at.usedCents;
  return exceeded(code, {
    amountCents: at.amountCents,
    limitCents,
    remainingCents: leftCents > 0n ? leftCents : 0n,
    hours: hoursUntil(period.endsAt, at.now),
  });
}

function exceeded(
  code: ErrorCode,
  at: {
    readonly amountCents: bigint;
    readonly limitCents: bigint;
    readonly remainingCents: bigint;
    readonly hours: number;
  },
): ServiceError {
  const parameters = {
    amount: dollars(at.amountCents),
    limit: dollars(at.limitCents),
    hoursUntilReset: String(at.hours),
    remainingAmount: dollars(at.remainingCents),
  };
  const wait = at.hours > 0 ? `; it begins anew in ${at.hours} h` : '';
  return new ServiceError(code, {
    message: `The order is worth US$${parameters.amount}, the limit is US$${parameters.limit} and US$${parameters.remainingAmount} of it are left${wait}.`,
    details: { parameters },
  });
}

function dollars(cents: bigint): string {
  return formatAmount(cents, 2);
}
