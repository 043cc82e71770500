import { retryDelayMs } from '../../jobs/flows/flow.ts';
import { defineFlow, effectStep, type Flow, type StepResult } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import {
  PayoutNotSentError,
  type PayoutReport,
  PayoutUnavailableError,
} from '../../providers/payout/payout.ts';
import type { Tx } from '../../store/types.ts';
import { holdPayout, readHold, readStop, waitHoursOf } from './limits.ts';
import { endedStatuses, payoutMachine } from './machine.ts';
import {
  applyReport,
  askOperator,
  closeWindow,
  followNotices,
  type NoticeResult,
  recordNotices,
  refusePayout,
  rulesOf,
} from './reports.ts';
import {
  claimSend,
  findPayout,
  lockPayout,
  type PayoutHold,
  storeCounterparty,
  updatePayout,
} from './store.ts';
import { type Payout, type PayoutCtx, providerOf } from './types.ts';

export type PayoutFlow = { readonly payoutId: string };

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A call to a bank, and everything around it, takes no longer. */
const stepTimeoutMs = 60_000;
/**
 * Before the call nothing can have happened: it is tried for as long as an outage of a key service
 * may last.
 */
const engineRetry = { attemptsMax: 60, baseMs: secondMs, delayMsMax: 15 * minuteMs };
/** Calls that the bank certainly did not take, in about a day. */
const callRetry = { attemptsMax: 100, baseMs: secondMs, delayMsMax: 15 * minuteMs };
/**
 * Look-ups after an unknown outcome, in about a day; then an operator is asked and they go on
 * slowly.
 */
const lookRetry = { attemptsMax: 100, baseMs: secondMs, delayMsMax: 15 * minuteMs };
const slowLooksMax = 120;
const slowLookMs = 6 * hourMs;
const pendingLookMsMax = 4 * hourMs;
/** While payouts are stopped. */
const stoppedLookMs = minuteMs;
/** A person who approves wakes it; a limit that an operator changes is seen at the next look. */
const heldLookMs = 10 * minuteMs;
const settledLookMs = dayMs;
/** Keys are not used up to the last hour that the bank keeps them. */
const keyMarginMs = dayMs;

type SendOutcome =
  | { readonly kind: 'report'; readonly report: PayoutReport }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'not-sent'; readonly retryAfterMs?: number }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'held'; readonly hold: PayoutHold }
  | { readonly kind: 'moved' };

/**
 * Hands the payout in. The status `submitting` is committed before the one call that may move
 * money, so whoever finds it there, after a death or a lost answer, looks the payout up and never
 * just calls again.
 */
const send = effectStep<PayoutFlow, null, SendOutcome, PayoutCtx>({
  timeoutMs: stepTimeoutMs,
  retry: engineRetry,
  prepare: async () => ({ intent: null }),
  perform: (ctx, flow, _, signal) => sendPayout(ctx, flow.state.payoutId, signal),
  record: async (ctx, tx, flow, outcome) => {
    const payout = await lockPayout(tx, flow.state.payoutId);
    if (outcome.kind === 'report')
      return nextStep(ctx, await applyReport(ctx, tx, payout, outcome.report));
    if (outcome.kind === 'refused' && payout.status === 'accepted')
      return nextStep(ctx, await refusePayout(ctx, tx, payout, outcome.code));
    if (outcome.kind === 'stopped' && payout.status === 'accepted')
      return { goto: 'send', runAt: later(ctx.clock.now(), stoppedLookMs) };
    if (outcome.kind === 'held' && payout.status === 'accepted') {
      const { heldUntil } = (await holdPayout(ctx, tx, payout, outcome.hold)) satisfies PayoutHold;
      return { goto: 'send', runAt: earliest(later(ctx.clock.now(), heldLookMs), heldUntil) };
    }
    // A callback of the bank may have moved it since.
    if (payout.status !== 'submitting') return nextStep(ctx, payout);
    if (outcome.kind === 'not-sent') return sendLater(ctx, tx, payout, outcome.retryAfterMs);
    const now = ctx.clock.now();
    await updatePayout(tx, {
      payout,
      status: move(payoutMachine, payout.status, 'unanswered'),
      now,
    });
    return { goto: 'look' };
  },
});

async function sendPayout(ctx: PayoutCtx, id: string, signal: AbortSignal): Promise<SendOutcome> {
  const payout = await requirePayout(ctx, id);
  if (payout.status === 'submitting') return { kind: 'unanswered' };
  if (payout.status !== 'accepted') return { kind: 'moved' };
  const barred = await readBar(ctx, id);
  if (barred !== undefined) return barred;
  const introduced =
    payout.counterparty === null ? await introduce(ctx, payout, signal) : undefined;
  if (introduced !== undefined) return introduced;
  const to = move(payoutMachine, payout.status, 'sending');
  const claimed = await claimSend(ctx.store, {
    id,
    from: payout.status,
    to,
    waitHours: waitHoursOf(ctx),
    now: ctx.clock.now(),
  });
  if (claimed === undefined) return (await readBar(ctx, id)) ?? { kind: 'moved' };
  try {
    const report = await providerOf(ctx, claimed).submit(
      {
        key: claimed.bankKey,
        counterparty: claimed.counterparty!,
        type: claimed.accountType,
        entityType: claimed.entityType!,
        rail: claimed.rail,
        amountMinor: claimed.amountMinor,
        currency: claimed.currency,
        statement: claimed.statement,
      },
      signal,
    );
    return { kind: 'report', report };
  } catch (error) {
    warnOfCall(ctx, claimed, error, 'a payout was not handed in, or nobody knows');
    return error instanceof PayoutNotSentError
      ? { kind: 'not-sent', retryAfterMs: error.retryAfterMs }
      : { kind: 'unanswered' };
  }
}

/** What keeps every payout, or this one, from being handed in now. */
async function readBar(ctx: PayoutCtx, id: string): Promise<SendOutcome | undefined> {
  if ((await readStop(ctx.store)) !== undefined) return { kind: 'stopped' };
  const hold = await readHold(ctx, ctx.store, id);
  return hold && { kind: 'held', hold };
}

/**
 * Opens the number, tells the bank, forgets it. No money moves, so what goes wrong here is simply
 * tried again.
 */
async function introduce(
  ctx: PayoutCtx,
  payout: Payout,
  signal: AbortSignal,
): Promise<SendOutcome | undefined> {
  const destination = await openDestination(ctx, payout);
  if (destination === undefined || destination.type !== payout.accountType)
    return { kind: 'refused', code: 'method-unusable' };
  const introduced = await providerOf(ctx, payout).introduce(
    { key: payout.bankKey, rail: payout.rail, destination },
    signal,
  );
  if (introduced.status === 'rejected') return { kind: 'refused', code: introduced.code };
  await storeCounterparty(ctx.store, {
    id: payout.id,
    counterparty: introduced.counterparty,
    entityType: destination.holder.entityType,
  });
  return undefined;
}

async function openDestination(ctx: PayoutCtx, payout: Payout) {
  try {
    return await ctx.payouts.vault.open({
      id: payout.paymentMethodId,
      projectId: payout.projectId,
      reason: `payout ${payout.id}`,
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'payment-method-not-found')
      return undefined;
    throw error;
  }
}

async function sendLater(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  retryAfterMs: number | undefined,
): Promise<StepResult<PayoutFlow>> {
  const now = ctx.clock.now();
  const accepted = await updatePayout(tx, {
    payout,
    status: move(payoutMachine, payout.status, 'not-taken'),
    now,
  });
  if (payout.calls >= callRetry.attemptsMax)
    return nextStep(
      ctx,
      await askOperator(
        ctx,
        tx,
        accepted,
        `the bank could not be reached in ${payout.calls} calls`,
        'given-up',
      ),
    );
  return {
    goto: 'send',
    runAt: later(
      now,
      Math.max(retryAfterMs ?? 0, retryDelayMs(callRetry, payout.calls, randomOf(ctx))),
    ),
  };
}

type LookOutcome =
  | {
      readonly kind: 'found';
      readonly report: PayoutReport;
      readonly notices: readonly NoticeResult[];
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'away'; readonly retryAfterMs?: number }
  | { readonly kind: 'unneeded' };

/** Asks the bank. Callbacks only make it faster: looking alone is enough. */
const look = effectStep<PayoutFlow, null, LookOutcome, PayoutCtx>({
  timeoutMs: stepTimeoutMs,
  retry: engineRetry,
  prepare: async () => ({ intent: null }),
  perform: (ctx, flow, _, signal) => lookUp(ctx, flow.state.payoutId, signal),
  record: async (ctx, tx, flow, outcome) => {
    const payout = await lockPayout(tx, flow.state.payoutId);
    if (outcome.kind === 'unneeded' && payout.status !== 'needs-operator')
      return nextStep(ctx, payout);
    if (outcome.kind === 'found') {
      await recordNotices(ctx, tx, payout, outcome.notices);
      return settleLook(ctx, tx, await applyReport(ctx, tx, payout, outcome.report));
    }
    if (outcome.kind === 'not-found' && payout.status === 'unknown')
      return decideAbsent(ctx, tx, payout);
    return lookLater(ctx, tx, payout, outcome.kind === 'away' ? outcome : undefined);
  },
});

async function lookUp(ctx: PayoutCtx, id: string, signal: AbortSignal): Promise<LookOutcome> {
  const payout = await requirePayout(ctx, id);
  if (
    endedStatuses.has(payout.status) ||
    payout.counterparty === null ||
    payout.firstSentAt === null
  )
    return { kind: 'unneeded' };
  try {
    const found = await providerOf(ctx, payout).find(
      {
        key: payout.bankKey,
        counterparty: payout.counterparty,
        rail: payout.rail,
        bankReference: payout.bankReference ?? undefined,
        sentAfter: payout.firstSentAt,
      },
      signal,
    );
    if (found === undefined) return { kind: 'not-found' };
    return {
      kind: 'found',
      report: found.report,
      notices: await followNotices(ctx, payout, found.notices),
    };
  } catch (error) {
    if (!(error instanceof PayoutUnavailableError)) throw error;
    warnOfCall(ctx, payout, error, 'a payout could not be looked up');
    return { kind: 'away', retryAfterMs: error.retryAfterMs };
  }
}

/**
 * The window closes on the bank's word only: a return that nobody told us of would be found by this
 * very look-up.
 */
async function settleLook(ctx: PayoutCtx, tx: Tx, payout: Payout): Promise<StepResult<PayoutFlow>> {
  if (payout.status === 'settled' && payout.finalAt !== null && ctx.clock.now() >= payout.finalAt)
    return nextStep(ctx, await closeWindow(ctx, tx, payout, payout.finalAt));
  return lookLater(ctx, tx, payout);
}

/**
 * The bank does not have it. That proves something only some time after the last call; then the
 * same key may be used again, as long as the bank still knows its keys of that age.
 */
async function decideAbsent(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
): Promise<StepResult<PayoutFlow>> {
  const provider = providerOf(ctx, payout);
  const now = ctx.clock.now();
  const certainAt = later(payout.lastSentAt!, provider.lookupLagMs);
  if (now < certainAt) return { goto: 'look', runAt: certainAt };
  const isKeyOld = now.getTime() - payout.firstSentAt!.getTime() > provider.keyKeptMs - keyMarginMs;
  if (isKeyOld || payout.calls >= callRetry.attemptsMax) {
    const why = isKeyOld
      ? 'the bank may have forgotten its key'
      : `the bank took none of ${payout.calls} calls`;
    return nextStep(ctx, await askOperator(ctx, tx, payout, why, 'given-up'));
  }
  await updatePayout(tx, { payout, status: move(payoutMachine, payout.status, 'not-there'), now });
  return {
    goto: 'send',
    runAt: later(now, payout.calls <= 1 ? 0 : retryDelayMs(callRetry, payout.calls, randomOf(ctx))),
  };
}

async function lookLater(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  away?: { readonly retryAfterMs?: number },
): Promise<StepResult<PayoutFlow>> {
  if (endedStatuses.has(payout.status)) return { done: true };
  const now = ctx.clock.now();
  // A bank that does not answer may know that it has settled: it gets the same patience once more.
  const patienceMs = away ? rulesOf(payout).overdueMs : 0;
  if (
    payout.status === 'pending' &&
    payout.overdueAt !== null &&
    now >= later(payout.overdueAt, patienceMs)
  )
    return nextStep(
      ctx,
      await askOperator(ctx, tx, payout, 'it has not settled long after it should have', 'overdue'),
    );
  const looks = payout.looks + 1;
  if (payout.status === 'unknown' && looks >= lookRetry.attemptsMax)
    return nextStep(
      ctx,
      await askOperator(
        ctx,
        tx,
        payout,
        `nobody knows whether the bank has it, after ${looks} look-ups`,
        'given-up',
      ),
    );
  if (payout.status === 'needs-operator' && looks >= slowLooksMax)
    return { fail: 'the operator was waited for in vain: purser payouts retry' };
  const looked = await updatePayout(tx, { payout, status: payout.status, change: { looks }, now });
  const { runAt, ...next } = nextLook(ctx, looked);
  return { ...next, runAt: later(runAt, away?.retryAfterMs ?? 0) };
}

/** Where a payout of this status goes on. */
function nextStep(ctx: PayoutCtx, payout: Payout): StepResult<PayoutFlow> {
  if (endedStatuses.has(payout.status)) return { done: true };
  if (payout.status === 'accepted') return { goto: 'send', runAt: later(ctx.clock.now(), 0) };
  if (payout.status === 'unknown' || payout.status === 'submitting')
    return { goto: 'look', runAt: later(ctx.clock.now(), 0) };
  return nextLook(ctx, payout);
}

/** When to look again, by what there can be to see. */
function nextLook(ctx: PayoutCtx, payout: Payout): { goto: 'look'; runAt: Date } {
  const now = ctx.clock.now();
  const soon = later(now, retryDelayMs(lookRetry, Math.max(payout.looks, 1), randomOf(ctx)));
  if (payout.status === 'needs-operator') return { goto: 'look', runAt: later(now, slowLookMs) };
  if (payout.status === 'settled') {
    const isOpen = payout.finalAt !== null && payout.finalAt > now;
    return {
      goto: 'look',
      runAt: isOpen ? earliest(later(now, settledLookMs), payout.finalAt) : soon,
    };
  }
  if (payout.status !== 'pending' || payout.overdueAt === null || payout.overdueAt <= now)
    return { goto: 'look', runAt: soon };
  const rules = rulesOf(payout);
  const expectedAt = later(payout.overdueAt, secondMs - rules.overdueMs);
  // Until it can have settled there is nothing to see but a rejection; from then on with growing
  // pauses.
  const isExpected = rules.timing.kind === 'at-once' || now >= expectedAt;
  return {
    goto: 'look',
    runAt: earliest(
      isExpected ? soon : earliest(later(now, pendingLookMsMax), expectedAt),
      payout.overdueAt,
    ),
  };
}

/** The engine gave up on a step: a bug, or an outage of the database beyond every patience. */
async function onDead(ctx: PayoutCtx, tx: Tx, flow: Flow<PayoutFlow>): Promise<void> {
  const payout = await lockPayout(tx, flow.state.payoutId);
  if (endedStatuses.has(payout.status)) return;
  const isMoved = payout.status === 'accepted' || payout.status === 'unknown';
  const reachable =
    payout.status === 'submitting'
      ? await updatePayout(tx, {
          payout,
          status: move(payoutMachine, payout.status, 'unanswered'),
          now: ctx.clock.now(),
        })
      : payout;
  await askOperator(
    ctx,
    tx,
    reachable,
    'its work failed too often: see purser jobs',
    isMoved || reachable !== payout ? 'given-up' : undefined,
  );
}

export const payoutFlow = defineFlow<PayoutFlow, PayoutCtx>({
  kind: 'payout',
  version: 1,
  firstStep: 'send',
  steps: { send, look },
  onDead,
});

function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}

function earliest(a: Date, b: Date | null): Date {
  return b !== null && b < a ? b : a;
}

async function requirePayout(ctx: PayoutCtx, id: string): Promise<Payout> {
  const payout = await findPayout(ctx.store, id);
  if (payout === undefined) throw new Error(`There is no payout ${id}.`);
  return payout;
}

/**
 * Class and sentence of the exception: adapters promise that neither holds what was sent. Others
 * are named by class only.
 */
function warnOfCall(ctx: PayoutCtx, payout: Payout, error: unknown, what: string): void {
  const why =
    error instanceof PayoutUnavailableError
      ? error.message
      : error instanceof Error
        ? error.name
        : typeof error;
  ctx.log.warn({ payout: payout.id, provider: payout.provider, calls: payout.calls, why }, what);
}

function randomOf(ctx: PayoutCtx): () => number {
  return ctx.payouts.random ?? Math.random;
}
