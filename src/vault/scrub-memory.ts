import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After a number was used: its request is over at the first, a slow bank at the last. */
export const scrubAfterMs = [1_000, 10_000, 60_000] as const;

/** Strings of the language cannot be overwritten, but what nobody refers to any more can be swept, and the swept memory cleared. */
export interface MemoryScrubber {
  /** Says that a number was in memory just now. Costs nothing: the sweeping comes later, at most as often as there are delays. */
  note(): void;
  /** Sweeps for the last time. */
  stop(): void;
}

/**
 * Has V8 clear what it frees, and collects garbage a while after each use of a number: about 40 ms of processor time with the
 * heap of the vault, at most once a second.
 */
export function createMemoryScrubber(collect = createCollector()): MemoryScrubber {
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    note() {
      for (const delayMs of scrubAfterMs) {
        if (timers.has(delayMs)) continue;
        const timer = setTimeout(() => {
          timers.delete(delayMs);
          collect();
        }, delayMs);
        timers.set(delayMs, timer.unref());
      }
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      if (timers.size > 0) collect();
      timers.clear();
    },
  };
}

/** A whole collection. The flag counts from here on: what was freed before is not cleared. */
function createCollector(): () => void {
  setFlagsFromString('--clear-free-memory');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
