import type { Logger } from '../lib/log.ts';

/** Work that is looked for from time to time. It may run in several processes at once and must not mind. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

/** Runs chores until stopped, each once at the start; one that fails is logged and tried at its next turn. */
export function runChores(chores: readonly Chore[], log: Logger): { stop(): Promise<void> } {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function schedule(chore: Chore, delayMs: number): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const turn = chore
        .run()
        .then(
          () => undefined,
          (error: unknown) => log.error({ err: error, chore: chore.name }, 'a chore failed; it is tried again at its next turn'),
        )
        .finally(() => {
          underWay.delete(turn);
          schedule(chore, chore.everyMs);
        });
      underWay.add(turn);
    }, delayMs);
    timers.add(timer);
  }

  for (const chore of chores) schedule(chore, 0);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
