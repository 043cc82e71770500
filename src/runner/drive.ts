import type { PlannerConfig } from '../config/runner/read-planner.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log/log.ts';
import { RunBrowserError } from './browser/index.ts';
import { type AttemptPlaces, attemptInBrowser, type BrowserAttempt } from './browser-attempt.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { Planner } from './engine/index.ts';
import { keepHold, type RunHold } from './hold.ts';
import type { RunLink } from './link/client.ts';
import type { LinkAnswer } from './link/wire.ts';
import { createPlanner } from './planner/index.ts';
import { clipEnd } from './port-limits.ts';
import { createRunMemory, type RunMemory } from './ports.ts';
import { describeError } from './run-log.ts';
import { type RunEnd, RunLostError, type RunTask, runSteps } from './types.ts';

export interface DrivePlaces extends Omit<AttemptPlaces, 'log'> {
  readonly link: RunLink;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly planner?: PlannerConfig | undefined;
}

/** A run under way. */
export interface DrivenRun {
  readonly checkoutId: string;
  /** Resolves when nothing of it is left; never rejects. */
  readonly done: Promise<void>;
  /** It has no browser any more and only waits for the user: it takes no slot. */
  isParked(): boolean;
  /**
   * Gives it back: at once before the paying click, else after it had `graceMs` to find out what
   * became of the order.
   */
  giveBack(graceMs: number): Promise<void>;
}

type Claimed = NonNullable<LinkAnswer<'claim'>['run']>;

/** Browsers of one hold: a crash is none of the shop's fault, and three of them are one of ours. */
const browsersMax = 3;
const browserPauseMs = 2_000;
const releaseAgainMs = 2_000;

/**
 * Drives a claimed run to its end.
 * @param askedAtMs when the claim was sent, on `performance.now()`
 */
export function driveRun(
  places: DrivePlaces,
  claimed: Claimed,
  askedAtMs: number,
  onParked: () => void,
): DrivenRun {
  const task = claimed.task as RunTask;
  const log = places.log.child({ checkoutId: task.checkoutId });
  const memory = createRunMemory(isArmed(task.resume));
  const planner = places.planner && createPlanner(places.planner, memory.scrubber);
  // From here on its lease is renewed, until it is closed below.
  const held = keepHold({ ...places, hold: claimed.hold, askedAtMs, log });
  let parked = false;
  let isGivenBack = false;
  const park = () => {
    parked = true;
    onParked();
  };
  const deadline = startDeadline(task.timeoutMs);
  const done = (async () => {
    try {
      const end = await runToEnd(
        { ...places, log },
        { task, held, memory, deadline, planner, park },
      );
      await held.ask((hold, call) =>
        places.link.end({ hold, end: clipEnd(memory.scrubber.end(end)) }, call),
      );
      log.info(
        {
          outcome: end.outcome,
          ...(end.outcome === 'failed' && { reason: end.reason, placed: end.placed }),
        },
        'a run has ended',
      );
    } catch (error) {
      if (isGivenBack) await release(places.link, held);
      else log.warn({ why: describeError(error) }, 'a run is left to whoever takes it next');
    } finally {
      deadline.close();
      held.close();
    }
  })();
  return {
    checkoutId: task.checkoutId,
    done,
    isParked: () => parked,
    async giveBack(graceMs) {
      if (memory.mayBeArmed) await within(done, graceMs);
      isGivenBack = true;
      held.lose('The runner stops.');
      await done;
    },
  };
}

interface Driven {
  readonly task: RunTask;
  readonly held: RunHold;
  readonly memory: RunMemory;
  readonly deadline: Deadline;
  readonly planner: Planner | undefined;
  readonly park: () => void;
}

/** One browser after the other until the run has an end. @throws RunLostError */
async function runToEnd(places: DrivePlaces, run: Driven): Promise<RunEnd> {
  for (let browsers = 1; ; browsers++) {
    const task = { ...run.task, ...resumeOf(run) };
    const tried: BrowserAttempt = await attemptInBrowser(places, { ...run, task }).catch(
      (error: unknown) => {
        if (error instanceof RunBrowserError) return { fault: error };
        throw error;
      },
    );
    if ('end' in tried) return tried.end;
    places.log.warn(
      { fault: tried.fault.fault, why: describeError(tried.fault), browsers },
      'a run has lost its browser',
    );
    if (run.held.lost.aborted) throw run.held.lost.reason;
    if (browsers < browsersMax) {
      if (tried.fault.fault === 'not-startable')
        await new Promise((resolve) => setTimeout(resolve, browserPauseMs));
      continue;
    }
    // Whoever takes it next only looks, and may be luckier.
    if (run.memory.mayBeArmed)
      throw new RunLostError('The browser was lost after the paying click.');
    return {
      outcome: 'failed',
      reason: 'automation_failed',
      message: explainFault(tried.fault),
      placed: 'no',
    };
  }
}

/** For the user, when every browser ended so. */
function explainFault({ fault }: RunBrowserError): string {
  if (fault === 'hung') return 'The shop’s page does not answer.';
  if (fault === 'memory-exceeded') return 'The shop’s page needs more memory than a run may use.';
  if (fault === 'no-browser')
    return 'The service has no browser that starts: its operator finds the reason in the log of the runner.';
  return `The browser was lost ${browsersMax} times.`;
}

const isArmed = (resume: RunTask['resume']): boolean =>
  resume !== undefined && runSteps.indexOf(resume.step) >= runSteps.indexOf('armed');

/** Where the next browser stands: behind the permit it only looks. */
function resumeOf({ task, memory }: Driven): Pick<RunTask, 'resume'> {
  const evidence = [...(task.resume?.evidence ?? []), ...memory.evidence];
  const last = memory.evidence.at(-1)?.step ?? task.resume?.step;
  if (memory.mayBeArmed) {
    const step =
      last !== undefined && runSteps.indexOf(last) > runSteps.indexOf('armed') ? last : 'armed';
    return { resume: { step, evidence } };
  }
  return last === undefined ? {} : { resume: { step: last, evidence } };
}

async function release(link: RunLink, held: RunHold): Promise<void> {
  // A worker that is away or of another version finds the lease at its end soon. Nobody hears an
  // error in here.
  await link.release({ hold: held.hold }, { againMs: releaseAgainMs }).catch(() => undefined);
}

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
