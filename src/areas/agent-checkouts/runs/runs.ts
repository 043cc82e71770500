import type { Ctx } from '../../../context.ts';
import type { RunBuyer, RunTask } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { readBrowserState, type StateSnapshot } from '../../browser-profiles/index.ts';
import { openBuyerProfile } from '../../buyer-profiles/index.ts';
import { closeAction, selectOpenActions } from '../actions/actions-store.ts';
import { changeCheckout } from '../change-checkout.ts';
import { maxCostOf } from '../limits/max-cost.ts';
import { refuseChanged } from '../store.ts';
import type { CheckoutRecord } from '../types.ts';
import {
  grantLease,
  lockNextRun,
  lockStaleRun,
  type RunHold,
  selectStaleRuns,
  selectSteps,
} from './runs-store.ts';

/** Runs that lose their runner as often as this before anything was paid end as failed. */
const triesMax = 3;
/** A checkout that no runner has taken by then ends as failed. */
const queuedMsMax = 30 * 60_000;
const runTimeoutMs = 30 * 60_000;
const claimsPerCallMax = 20;

export interface ClaimedRun {
  readonly hold: RunHold;
  readonly task: RunTask;
}

/** Who takes a run, for how long it is its own before it renews. */
export interface RunnerTerms {
  readonly runner: string;
  readonly leaseMs: number;
  /** Where the API reaches the live pictures of this runner. */
  readonly liveOrigin?: string | undefined;
}

/** What the runner is told of the world beside the task. */
export interface RunSurroundings {
  readonly allowedPrivateOrigins: readonly string[];
  readonly paymentFrameOrigins: readonly string[];
}

/**
 * Gives the next run to a runner for `leaseMs`, which it renews while it works. A run that its
 * runner has lost is given to another one: it begins anew before the paying click, and only looks
 * afterwards.
 */
export async function claimRun(
  ctx: Ctx,
  input: RunnerTerms & { readonly surroundings: RunSurroundings },
): Promise<ClaimedRun | undefined> {
  for (let claims = 0; claims < claimsPerCallMax; claims++) {
    const claimed = await ctx.store.transaction((tx) => claimNext(ctx, tx, input));
    if (claimed === undefined) return undefined;
    if (claimed !== 'ended')
      return { hold: claimed.hold, task: await makeTask(ctx, claimed, input.surroundings) };
  }
  return undefined;
}

/**
 * Ends what waited too long, and what its user has cancelled, where no runner comes to hear of it.
 */
export async function endStaleRuns(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const stale = await selectStaleRuns(ctx.store, {
    queuedBefore: new Date(now.getTime() - queuedMsMax),
    limit: claimsPerCallMax,
  });
  for (const id of stale)
    await ctx.store.transaction(async (tx) => {
      const record = await lockStaleRun(tx, id);
      if (record) await endIfStale(ctx, tx, record);
    });
}

/** Undefined when there is a reason to go on. */
async function endIfStale(ctx: Ctx, tx: Tx, found: CheckoutRecord): Promise<'ended' | undefined> {
  if (found.sealProblem) {
    refuseChanged(tx, found);
    return end(ctx, tx, found, 'changed');
  }
  if (found.cancelAskedAt && !found.armedAt) return end(ctx, tx, found, 'cancelled');
  const isLate = ctx.clock.now().getTime() - found.createdAt.getTime() > queuedMsMax;
  if (found.status === 'queued' && isLate) return end(ctx, tx, found, 'no-runner');
  return undefined;
}

async function claimNext(
  ctx: Ctx,
  tx: Tx,
  input: RunnerTerms,
): Promise<{ readonly hold: RunHold; readonly record: CheckoutRecord } | 'ended' | undefined> {
  const found = await lockNextRun(tx, ctx.clock.now());
  if (!found) return undefined;
  const ended = await endIfStale(ctx, tx, found);
  if (ended) return ended;
  if (found.tries >= triesMax && !found.armedAt) return end(ctx, tx, found, 'tries');
  const record = await wakeUp(ctx, tx, found);
  const { runner, leaseMs, liveOrigin } = input;
  const fence = await grantLease(tx, {
    id: record.id,
    fence: record.fence,
    runner,
    leaseMs,
    liveOrigin,
  });
  return { hold: { checkoutId: record.id, fence }, record };
}

/** From whatever its last runner left to `running`. */
async function wakeUp(ctx: Ctx, tx: Tx, record: CheckoutRecord): Promise<CheckoutRecord> {
  if (record.status === 'running') return record;
  if (record.status === 'queued')
    return changeCheckout(ctx, tx, record, {
      event: 'claimed',
      progress: [{ type: 'step', title: 'A browser is opened' }],
    });
  const open = (await selectOpenActions(tx, [record.id])).get(record.id);
  if (open) await closeAction(tx, { id: open.id, status: 'superseded', at: ctx.clock.now() });
  return changeCheckout(ctx, tx, record, {
    event: 'superseded',
    progress: [{ type: 'step', title: 'Going on after an interruption' }],
  });
}

const endWords = {
  'no-runner': 'No browser was free in time.',
  tries: `The browser was lost ${triesMax} times.`,
  changed: 'What was asked for was changed behind the service: its operator was told.',
};

async function end(
  ctx: Ctx,
  tx: Tx,
  record: CheckoutRecord,
  why: 'cancelled' | keyof typeof endWords,
): Promise<'ended'> {
  const open = (await selectOpenActions(tx, [record.id])).get(record.id);
  if (open) await closeAction(tx, { id: open.id, status: 'superseded', at: ctx.clock.now() });
  if (why === 'cancelled') {
    await changeCheckout(ctx, tx, record, {
      event: 'cancelled',
      set: { outcome: 'not-placed' },
      progress: [{ type: 'step', title: 'Cancelled' }],
    });
    return 'ended';
  }
  const message = endWords[why];
  await changeCheckout(ctx, tx, record, {
    event: 'failed',
    // Behind the paying click only a look at the shop says more.
    set: {
      outcome: record.armedAt ? 'unknown' : 'not-placed',
      failure: { reason: 'automation_failed', message, failedAt: ctx.clock.now().toISOString() },
    },
    progress: [{ type: 'step', title: 'Failed', message }],
  });
  return 'ended';
}

async function makeTask(
  ctx: Ctx,
  { record }: { readonly record: CheckoutRecord },
  surroundings: RunSurroundings,
): Promise<RunTask> {
  const evidence = await selectSteps(ctx.store, record.id);
  const snapshot = await readSnapshot(ctx, record);
  return {
    checkoutId: record.id,
    url: record.target.url,
    ...(record.target.request !== undefined && { request: record.target.request }),
    ...(record.target.merchantContext !== undefined && {
      merchantContext: record.target.merchantContext,
    }),
    maxCost: maxCostOf(record),
    buyer: await readBuyer(ctx, record),
    ...(snapshot?.state && { browserState: snapshot.state }),
    ...(snapshot && { keepsBrowserState: true }),
    ...((evidence.length > 0 || record.armedAt) && { resume: { step: record.step, evidence } }),
    ...surroundings,
    timeoutMs: runTimeoutMs,
  };
}

async function readBuyer(ctx: Ctx, record: CheckoutRecord): Promise<RunBuyer> {
  const content =
    record.buyerProfileId === undefined
      ? undefined
      : await openBuyerProfile(ctx, record.buyerProfileId);
  if (!content) return {};
  const { name, contact, shipping } = content;
  return {
    ...(name?.first !== undefined && { firstName: name.first }),
    ...(name?.last !== undefined && { lastName: name.last }),
    ...(contact?.email !== undefined && { email: contact.email }),
    ...(contact?.phone !== undefined && { phone: contact.phone }),
    shipping: {
      addressLines: shipping.addressLines,
      locality: shipping.locality,
      countryCode: shipping.countryCode,
      ...(typeof shipping.administrativeAreaCode === 'string' && {
        administrativeAreaCode: shipping.administrativeAreaCode,
      }),
      ...(typeof shipping.postalCode === 'string' && { postalCode: shipping.postalCode }),
    },
  };
}

/**
 * The profile as it is when the run begins; what the run learns is kept only while nobody else has
 * saved since.
 */
async function readSnapshot(ctx: Ctx, record: CheckoutRecord): Promise<StateSnapshot | undefined> {
  if (record.browserProfileId === undefined) return undefined;
  const snapshot = await readBrowserState(ctx, record.browserProfileId);
  if (!snapshot) return undefined;
  await ctx.store.query({
    name: 'agent-runs-profile-version',
    text: 'update agent_checkouts set profile_version = $2 where id = $1',
    values: [record.id, snapshot.version],
  });
  return snapshot;
}
