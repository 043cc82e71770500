/**
 * The time of a run. It stands still while the user is asked: questions have a life of their own.
 */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Waits with the clock stopped, however many wait at once. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export function startDeadline(timeoutMs: number): Deadline {
  const over = new AbortController();
  let leftMs = timeoutMs;
  let startedMs = 0;
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    startedMs = performance.now();
    timer = setTimeout(
      () => over.abort(new Error('The time of the run is over.')),
      Math.max(0, leftMs),
    );
  };
  const stand = () => {
    clearTimeout(timer);
    leftMs -= performance.now() - startedMs;
  };
  run();
  return {
    signal: over.signal,
    async pauseFor(work) {
      if (pauses++ === 0) stand();
      try {
        return await work();
      } finally {
        if (--pauses === 0) run();
      }
    },
    close: () => {
      pauses += 1;
      clearTimeout(timer);
    },
  };
}
