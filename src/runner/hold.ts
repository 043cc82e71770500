import type { Logger } from '../lib/log/log.ts';
import { LinkAwayError, type LinkCall, type RunLink } from './link/client.ts';
import type { WireHold } from './link/wire.ts';
import { RunCancelledError, RunLostError } from './types.ts';

/** A run that this runner holds: its lease is kept until the hold is closed or lost. */
export interface RunHold {
  readonly hold: WireHold;
  /** Aborted with {@link RunLostError} or {@link RunCancelledError}. */
  readonly stopped: AbortSignal;
  /** Aborted once the run is somebody else's: nothing may be said any more. */
  readonly lost: AbortSignal;
  /**
   * Asks the worker something about the run, again while the lease lasts.
   * @throws RunLostError, RunCancelledError, LinkRefusedError, LinkAwayError
   */
  ask<T>(
    send: (hold: WireHold, call: LinkCall) => Promise<Answer<T>>,
    limits?: HoldCall,
  ): Promise<T>;
  /**
   * Whether it is lost, or would be if a timer had come in time: a process may have stood still.
   */
  isOver(): boolean;
  /** Gives the run up: from now on it counts as lost. */
  lose(why: string): void;
  close(): void;
}

export interface HoldCall {
  readonly signal?: AbortSignal;
  readonly againMsMax?: number;
}

type Answer<T> = { readonly stop: 'lost' | 'cancelled' } | { readonly done: T };

/** Renewed this often within one lease. */
const renewalsPerLease = 3;

/**
 * @param input.askedAtMs when the claim was sent, on `performance.now()`: the lease is no younger
 */
export function keepHold(input: {
  readonly link: RunLink;
  readonly hold: WireHold;
  readonly leaseMs: number;
  readonly askedAtMs: number;
  readonly log: Logger;
}): RunHold {
  const { link, hold, leaseMs, log } = input;
  const [stopped, lost] = [new AbortController(), new AbortController()];
  let leaseEndsMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  let isClosed = false;

  const lose = (why: string) => {
    if (lost.signal.aborted) return;
    clearTimeout(timer);
    clearTimeout(ending);
    const reason = new RunLostError(why);
    lost.abort(reason);
    stopped.abort(reason);
  };
  const leftMs = () => leaseEndsMs - performance.now();
  const loseWithoutWorker = () => {
    log.warn(
      { checkoutId: hold.checkoutId },
      'the worker was away for longer than the lease of a run',
    );
    lose('The worker was away for longer than the lease.');
  };
  /**
   * A worker that hangs may owe an answer for longer than the lease lasts: the run is another
   * runner's by then.
   */
  const keepUntil = (endsMs: number) => {
    leaseEndsMs = endsMs;
    clearTimeout(ending);
    if (!isClosed && !lost.signal.aborted)
      ending = setTimeout(loseWithoutWorker, Math.max(0, leftMs()));
  };

  async function ask<T>(
    send: (hold: WireHold, call: LinkCall) => Promise<Answer<T>>,
    limits: HoldCall = {},
  ): Promise<T> {
    const signal = limits.signal ? AbortSignal.any([lost.signal, limits.signal]) : lost.signal;
    const againMs = Math.min(limits.againMsMax ?? Number.POSITIVE_INFINITY, Math.max(0, leftMs()));
    const answer = await send(hold, { againMs, signal });
    if (!('stop' in answer)) return answer.done;
    if (answer.stop === 'cancelled') {
      const reason = new RunCancelledError('The user has cancelled.');
      stopped.abort(reason);
      throw reason;
    }
    lose('The run belongs to somebody else, or is over.');
    throw lost.signal.reason;
  }

  async function renew(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      await ask((at, call) => link.renew({ hold: at, leaseMs }, call));
      keepUntil(askedAtMs + leaseMs);
    } catch (error) {
      if (error instanceof LinkAwayError) return loseWithoutWorker();
      // A cancelled run is held on to until it has stopped.
      if (!(error instanceof RunCancelledError)) return lose('The lease was not renewed.');
      keepUntil(askedAtMs + leaseMs);
    }
    schedule();
  }
  const schedule = () => {
    if (!isClosed && !lost.signal.aborted)
      timer = setTimeout(() => void renew(), leaseMs / renewalsPerLease);
  };
  keepUntil(input.askedAtMs + leaseMs);
  schedule();

  return {
    hold,
    stopped: stopped.signal,
    lost: lost.signal,
    ask,
    isOver: () => lost.signal.aborted || leftMs() <= 0,
    lose,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(ending);
    },
  };
}
