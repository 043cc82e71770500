import type { Logger } from '../lib/log/log.ts';

/**
 * Work that is looked for from time to time. It may run in several processes at once and must not
 * mind.
 */
export interface ScheduledJob {
  readonly name: string;
  readonly everyMs: number;
  /**
   * Pause while nothing happens: from the {@link idleAfter}th turn in a row on that answered 0.
   * `everyMs` when absent.
   */
  readonly idleMs?: number;
  run(): Promise<unknown>;
}

export const idleAfter = 30;

/**
 * Runs jobs until stopped, each once at the start; one that fails is logged and tried at its next
 * turn.
 */
export function runScheduledJobs(
  jobs: readonly ScheduledJob[],
  log: Logger,
): { stop(): Promise<void> } {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function schedule(job: ScheduledJob, delayMs: number, emptyTurns = 0): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const turn = job
        .run()
        .then(
          (found) => (found === 0 ? emptyTurns + 1 : 0),
          (error: unknown) => {
            log.error(
              { err: error, job: job.name },
              'a scheduled job failed; it is tried again at its next turn',
            );
            return emptyTurns;
          },
        )
        .then((empty) => {
          underWay.delete(turn);
          schedule(job, empty < idleAfter ? job.everyMs : (job.idleMs ?? job.everyMs), empty);
        });
      underWay.add(turn);
    }, delayMs);
    timers.add(timer);
  }

  for (const job of jobs) schedule(job, 0);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
