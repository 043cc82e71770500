import type { Ctx } from '../../../context.ts';
import { selectSettledActions } from '../actions/actions-store.ts';

const pollMs = 100;

/** Waits for users' answers: however many wait, one statement looks for them all. */
export interface AnswerWaiting {
  /**
   * Until the action is settled, `waitMs` are over, or nobody waits any more. True when it is
   * settled.
   */
  wait(actionId: string, waitMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends every wait. */
  stop(): void;
}

interface Waiter {
  readonly actionId: string;
  end(isSettled: boolean): void;
}

export function createAnswerWaiting(ctx: Pick<Ctx, 'store' | 'log'>): AnswerWaiting {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    try {
      const ids = [...new Set([...waiters].map(({ actionId }) => actionId))];
      const settled = new Set(await selectSettledActions(ctx.store, ids));
      for (const waiter of waiters) if (settled.has(waiter.actionId)) waiter.end(true);
    } catch (error) {
      ctx.log.warn({ err: error }, 'whether users have answered cannot be read; it is tried again');
    }
    timer = undefined;
    schedule();
  }

  function schedule(): void {
    if (timer === undefined && waiters.size > 0 && !stopped)
      timer = setTimeout(() => void look(), pollMs);
  }

  return {
    wait: (actionId, waitMs, signal) =>
      new Promise((resolve) => {
        if (stopped || signal.aborted || waitMs === 0) return resolve(false);
        const end = (isSettled: boolean) => {
          waiters.delete(waiter);
          clearTimeout(late);
          signal.removeEventListener('abort', leave);
          resolve(isSettled);
        };
        const leave = () => end(false);
        const late = setTimeout(leave, waitMs);
        const waiter: Waiter = { actionId, end };
        signal.addEventListener('abort', leave, { once: true });
        waiters.add(waiter);
        schedule();
      }),
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const waiter of waiters) waiter.end(false);
    },
  };
}
