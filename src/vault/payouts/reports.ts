import { ServiceError } from '../../lib/errors.ts';
import { move, tryMove } from '../../machine/machine.ts';
import {
  type NoticeOfChange,
  type PayoutReport,
  pickCorrected,
} from '../../providers/payout/payout.ts';
import {
  expectSettlement,
  finalAt,
  findRail,
  type RailRules,
} from '../../providers/payout/rails.ts';
import { changedFields } from '../../providers/payout/reason-codes.ts';
import type { Tx } from '../../store/types.ts';
import { publishPayout } from './events.ts';
import { endedStatuses, type PayoutStatus, payoutMachine } from './machine.ts';
import {
  insertNotice,
  listNoticeIds,
  type NoticeOutcome,
  type PayoutChange,
  updatePayout,
} from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

const eventOf = {
  pending: 'taken',
  settled: 'settled',
  final: 'settled',
  rejected: 'rejected',
  returned: 'returned',
} as const;
const paid: ReadonlySet<PayoutStatus> = new Set(['settled', 'final']);
const unpaid: ReadonlySet<PayoutStatus> = new Set(['rejected', 'canceled']);

/**
 * Takes what the bank says of a payout that the transaction has locked: moves it, and tells the
 * main side of each step, those included that the bank passed over. What comes late, twice or out
 * of order changes nothing; what contradicts something decided is left to an operator.
 * @returns the payout as it is now
 */
export async function applyReport(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  report: PayoutReport,
): Promise<Payout> {
  if (!isOurMoney(payout, report))
    return askOperator(
      ctx,
      tx,
      payout,
      'the bank pays another amount or currency than it was asked to',
    );
  // An operator was asked because it is pending for too long: that it still is says nothing new.
  if (
    payout.status === 'needs-operator' &&
    payout.submittedAt !== null &&
    report.status === 'pending'
  )
    return payout;
  const to = tryMove(payoutMachine, payout.status, eventOf[report.status]);
  if (to !== undefined) return follow(ctx, tx, { payout, to, report });
  if (report.status === 'final' && payout.status === 'settled')
    return closeWindow(ctx, tx, payout, report.at);
  // A rejected one may be told late as pending; of one that was cancelled here the bank should know
  // nothing.
  if (payout.status === 'canceled' && report.status === 'pending')
    return askOperator(
      ctx,
      tx,
      payout,
      'the bank has it, after the payout was canceled: have it stopped there',
    );
  if (unpaid.has(payout.status) && (report.status === 'settled' || report.status === 'final'))
    return askOperator(
      ctx,
      tx,
      payout,
      `the bank says ${report.status}, after the payout was ${payout.status}`,
    );
  if (paid.has(payout.status) && report.status === 'rejected')
    return askOperator(
      ctx,
      tx,
      payout,
      `the bank says rejected, after the payout was ${payout.status}`,
    );
  return payout;
}

async function follow(
  ctx: PayoutCtx,
  tx: Tx,
  {
    payout,
    to,
    report,
  }: { readonly payout: Payout; readonly to: PayoutStatus; readonly report: PayoutReport },
): Promise<Payout> {
  const rules = rulesOf(payout);
  const now = ctx.clock.now();
  const code = 'code' in report ? report.code : undefined;
  const isTaken = report.status !== 'rejected';
  const change: PayoutChange = {
    bankReference: report.bankReference,
    attention: null,
    looks: 0,
    ...(code !== undefined && { code }),
    ...(isTaken && { submittedAt: payout.lastSentAt ?? now }),
    ...(to === 'pending' && { overdueAt: overdueFrom(rules, payout.lastSentAt ?? now, now) }),
    ...(to === 'settled' && { settledAt: report.at, finalAt: finalAt(rules, report.at) }),
    ...(endedStatuses.has(to) && { endedAt: now }),
  };
  const moved = await updatePayout(tx, { payout, status: to, change, now });
  if (isTaken && payout.submittedAt === null)
    await publishPayout(ctx, tx, moved, 'payouts.submitted');
  if (to === 'pending') return moved;
  if (to === 'settled') {
    await publishPayout(ctx, tx, moved, 'payouts.settled', { at: report.at });
    await ctx.payouts.vault.notePayout(tx, {
      id: payout.paymentMethodId,
      projectId: payout.projectId,
      at: report.at,
    });
    const isFinal = report.status === 'final' || rules.finality.kind === 'at-settlement';
    return isFinal ? closeWindow(ctx, tx, moved, report.at) : moved;
  }
  await publishPayout(ctx, tx, moved, to === 'rejected' ? 'payouts.rejected' : 'payouts.returned', {
    at: report.at,
    code,
    ...(payout.status === 'final' && { late: true }),
  });
  return moved;
}

/** Nobody can return the payout any more. */
export async function closeWindow(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  at: Date,
): Promise<Payout> {
  const now = ctx.clock.now();
  const status = move(payoutMachine, payout.status, 'window-over');
  const closed = await updatePayout(tx, {
    payout,
    status,
    change: { finalAt: at, endedAt: now },
    now,
  });
  await publishPayout(ctx, tx, closed, 'payouts.final', { at });
  return closed;
}

/** A destination that is refused, or gone, before anything was handed in. */
export async function refusePayout(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  code: string,
): Promise<Payout> {
  const now = ctx.clock.now();
  const status = move(payoutMachine, payout.status, 'refused');
  const refused = await updatePayout(tx, { payout, status, change: { code, endedAt: now }, now });
  await publishPayout(ctx, tx, refused, 'payouts.rejected', { code });
  return refused;
}

/**
 * Automation is at its end: the status moves where the table has a move for it, and somebody is
 * told, once per reason.
 */
export async function askOperator(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  attention: string,
  event?: 'given-up' | 'overdue',
): Promise<Payout> {
  const status = event === undefined ? payout.status : move(payoutMachine, payout.status, event);
  if (payout.attention === attention && status === payout.status) return payout;
  const asked = await updatePayout(tx, {
    payout,
    status,
    change: { attention, looks: 0 },
    now: ctx.clock.now(),
  });
  await publishPayout(ctx, tx, asked, 'payouts.attention-needed', { attention });
  tx.afterCommit(() =>
    ctx.log.error(
      { payout: payout.id, provider: payout.provider, status, attention },
      'a payout needs an operator',
    ),
  );
  return asked;
}

export interface NoticeResult {
  readonly notice: NoticeOfChange;
  readonly outcome: NoticeOutcome;
}

/**
 * Corrects the payment method as notices ask that were not dealt with before. Outside of a
 * transaction, since the method is sealed anew; doing it twice comes to the same.
 * @throws provider-unavailable, conflict: come again
 */
export async function followNotices(
  ctx: PayoutCtx,
  payout: Payout,
  notices: readonly NoticeOfChange[],
): Promise<NoticeResult[]> {
  if (notices.length === 0) return [];
  const known = await listNoticeIds(ctx.store, payout.id);
  const results: NoticeResult[] = [];
  for (const notice of notices)
    if (!known.has(notice.id))
      results.push({ notice, outcome: await followNotice(ctx, payout, notice) });
  return results;
}

async function followNotice(
  ctx: PayoutCtx,
  payout: Payout,
  notice: NoticeOfChange,
): Promise<NoticeOutcome> {
  const correction = pickCorrected(changedFields(notice.code), notice.corrected);
  if (Object.keys(correction).length === 0) return 'not-applicable';
  try {
    const isCorrected = await ctx.payouts.vault.correct({
      id: payout.paymentMethodId,
      projectId: payout.projectId,
      reason: `notice of change ${notice.code} of payout ${payout.id}`,
      correction,
    });
    return isCorrected ? 'corrected' : 'duplicate-method';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'payment-method-not-found') return 'method-gone';
    if (error.code === 'payment-method-not-supported' || error.code === 'validation-error')
      return 'not-applicable';
    throw error;
  }
}

/** Stores what was done about notices, and tells of each once. */
export async function recordNotices(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  results: readonly NoticeResult[],
): Promise<void> {
  for (const { notice, outcome } of results) {
    const isNew = await insertNotice(tx, {
      payoutId: payout.id,
      id: notice.id,
      code: notice.code,
      outcome,
      at: notice.at,
    });
    if (isNew)
      await publishPayout(ctx, tx, payout, 'payouts.notice-of-change', {
        at: notice.at,
        code: notice.code,
        outcome,
      });
  }
}

/** The rules of the rail a payout is on. */
export function rulesOf(payout: Pick<Payout, 'rail' | 'accountType'>): RailRules {
  const rules = findRail(payout.rail, payout.accountType);
  if (rules === undefined)
    throw new Error(`The rail ${payout.rail} does not reach a ${payout.accountType}.`);
  return rules;
}

/**
 * When a payout that is pending at `now` has waited too long; one that had, and was tried again,
 * gets the same patience anew.
 */
function overdueFrom(rules: RailRules, sentAt: Date, now: Date): Date {
  const overdueAt = new Date(expectSettlement(rules, sentAt).getTime() + rules.overdueMs);
  return overdueAt > now ? overdueAt : new Date(now.getTime() + rules.overdueMs);
}

function isOurMoney(payout: Payout, { money }: PayoutReport): boolean {
  return (
    money === undefined ||
    (money.amountMinor === payout.amountMinor && money.currency === payout.currency)
  );
}
