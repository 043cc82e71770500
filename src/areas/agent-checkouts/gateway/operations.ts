import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { aheadMsOf } from '../../../lib/clock.ts';
import type { LinkAnswer, LinkInput, LinkOperation, WireHold } from '../../../runner/link/wire.ts';
import type { RunTask, StepEvidence } from '../../../runner/types.ts';
import { cardForRun, cardUseOfRun } from '../cards/run-cards.ts';
import {
  addPicture,
  addProgress,
  armRun,
  askUser,
  claimAnswer,
  endRun,
  type RunStop,
  recordStep,
  saveRunState,
} from '../runs/run-ports.ts';
import { claimRun } from '../runs/runs.ts';
import { dropLease, type RunHold, renewLease } from '../runs/runs-store.ts';
import type { AnswerWaiting } from './waiting.ts';

/** What each operation of the wire does. The signal ends when the runner waits no longer. */
export type GatewayHandlers = {
  readonly [Name in LinkOperation]: (
    input: LinkInput<Name>,
    signal: AbortSignal,
  ) => Promise<Name extends 'claim' ? Claimed : LinkAnswer<Name>>;
};
type Claimed = Pick<LinkAnswer<'claim'>, 'clockAheadMs'> & {
  readonly run: { readonly hold: WireHold; readonly task: RunTask } | null;
};

const lost: RunStop = { stop: 'lost' };
const claimPauseMs = 200;

/** Looks for a run until there is one, `waitMs` are over, or nobody waits any more. */
async function claimWithin(
  ctx: Ctx,
  terms: Parameters<typeof claimRun>[1],
  waitMs: number,
  signal: AbortSignal,
) {
  for (const endMs = performance.now() + waitMs; ; ) {
    const run = await claimRun(ctx, terms);
    if (run || performance.now() + claimPauseMs > endMs) return run;
    await delay(claimPauseMs, undefined, { signal }).catch(() => undefined);
    // A run that nobody hears of would wait for the end of its lease.
    if (signal.aborted) return undefined;
  }
}

export function createGatewayHandlers(ctx: Ctx, waiting: AnswerWaiting): GatewayHandlers {
  return {
    async claim({ waitMs, allowedPrivateOrigins, paymentFrameOrigins, ...terms }, signal) {
      const run = await claimWithin(
        ctx,
        { ...terms, surroundings: { allowedPrivateOrigins, paymentFrameOrigins } },
        waitMs,
        signal,
      );
      const claimed = run && {
        hold: { checkoutId: run.hold.checkoutId, fence: run.hold.fence.toString() },
        task: run.task,
      };
      return { clockAheadMs: aheadMsOf(ctx.clock), run: claimed ?? null };
    },
    async renew({ hold, leaseMs }) {
      const kept = await renewLease(ctx.store, holdOf(hold), leaseMs);
      return kept === 'kept' ? { done: { clockAheadMs: aheadMsOf(ctx.clock) } } : { stop: kept };
    },
    release: async ({ hold }) =>
      (await dropLease(ctx.store, holdOf(hold))) ? { done: null } : lost,
    record: async ({ hold, evidence }) => nothing(await recordStep(ctx, holdOf(hold), evidence)),
    progress: async ({ hold, item }) => nothing(await addProgress(ctx, holdOf(hold), item)),
    async picture({ hold, step, at, url, jpeg }) {
      const evidence: StepEvidence = { step, at, ...(url !== undefined && { url }) };
      return nothing(
        await addPicture(ctx, holdOf(hold), { evidence, jpeg: Buffer.from(jpeg, 'base64') }),
      );
    },
    ask: ({ hold, key, request }) => askUser(ctx, holdOf(hold), request, key),
    async 'take-answer'({ hold, actionId, waitMs }, signal) {
      const take = async () => {
        const taken = await claimAnswer(ctx, holdOf(hold), actionId);
        return 'stop' in taken ? taken : { done: taken.done ?? null };
      };
      const first = await take();
      if ('stop' in first || first.done !== null) return first;
      return (await waiting.wait(actionId, waitMs, signal)) ? take() : first;
    },
    arm: ({ hold, key, total, origin, sources }) =>
      armRun(ctx, holdOf(hold), { total, origin, sources }, key),
    card: ({ hold, total, origin }) => cardForRun(ctx, holdOf(hold), { total, origin }),
    'card-use': ({ hold }) => cardUseOfRun(ctx, holdOf(hold)),
    'save-state': ({ hold, state }) => saveRunState(ctx, holdOf(hold), state),
    end: ({ hold, end }) => endRun(ctx, holdOf(hold), end),
  };
}

const holdOf = (hold: WireHold): RunHold => ({
  checkoutId: hold.checkoutId,
  fence: BigInt(hold.fence),
});

const nothing = (outcome: RunStop | { readonly done: void }): RunStop | { done: null } =>
  'stop' in outcome ? outcome : { done: null };
