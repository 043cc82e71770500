import { setTimeout as delay } from 'node:timers/promises';

/** Wakes one waiter. A wake that nobody waits for is kept for the next. */
export interface Signal {
  wake(): void;
  /** Resolves at the next wake, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let pending = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      pending = true;
      resume?.();
    },
    async wait(timeoutMs) {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      resume = undefined;
      pending = false;
    },
  };
}

export interface LoopInput {
  /** One round with its own waiting. */
  readonly round: () => Promise<void>;
  /** Ends a wait inside a round, and the pause after a failure. */
  readonly signal: Signal;
  readonly stopping: AbortSignal;
  readonly failurePauseMs: number;
  readonly failurePauseMaxMs: number;
  readonly onFailure: (error: unknown, failures: number) => void;
}

/**
 * Runs rounds one after the other until stopped: relays, the worker of flows, readers of events, the
 * sender of webhooks. A failing round is reported and followed by a growing pause; it never ends the
 * loop.
 */
export function startLoop(input: LoopInput): { stop(): Promise<void> } {
  let stopping = false;
  const done = (async () => {
    for (let failures = 0; !stopping; ) {
      try {
        await input.round();
        failures = 0;
      } catch (error) {
        failures++;
        input.onFailure(error, failures);
        if (!stopping)
          await delay(pauseMs(input, failures) * (0.5 + Math.random() / 2), undefined, {
            signal: input.stopping,
          }).catch(() => undefined);
      }
    }
  })();
  return {
    stop: () => {
      stopping = true;
      input.signal.wake();
      return done;
    },
  };
}

/** At most; processes that failed together come back apart. */
function pauseMs({ failurePauseMs, failurePauseMaxMs }: LoopInput, failures: number): number {
  return Math.min(failurePauseMaxMs, failurePauseMs * 2 ** Math.min(failures - 1, 10));
}
