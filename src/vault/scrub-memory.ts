import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Strings of the language cannot be overwritten, but what nobody refers to any more can be swept,
 * and the swept memory cleared.
 */
export interface MemoryScrubber {
  /**
   * Says that a number was in memory just now. Costs nothing: the sweeping comes later, at most as
   * often as there are delays.
   */
  note(): void;
  /** Sweeps for the last time. */
  stop(): void;
}

export interface Collectors {
  /** Most of it: what nobody refers to, where it lies. */
  readonly collect: () => void;
  /** All of it: also the pages that were emptied and are kept for later. */
  readonly collectAll: () => void;
}

/**
 * Has V8 clear what it frees, and collects garbage a while after each use of a number: its request
 * is over at the first, a slow bank at the last. The first costs about 40 ms of processor time with
 * the heap of the vault, at most once a second; the others stop the process for about 300 ms, at
 * most once in ten seconds.
 */
export function createMemoryScrubber(
  { collect, collectAll }: Collectors = createCollectors(),
): MemoryScrubber {
  const sweeps = [
    { afterMs: 1_000, sweep: collect },
    { afterMs: 10_000, sweep: collectAll },
    { afterMs: 60_000, sweep: collectAll },
  ];
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    note() {
      for (const { afterMs, sweep } of sweeps) {
        if (timers.has(afterMs)) continue;
        const timer = setTimeout(() => {
          timers.delete(afterMs);
          sweep();
        }, afterMs);
        timers.set(afterMs, timer.unref());
      }
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      if (timers.size > 0) collect();
      timers.clear();
    },
  };
}

/** The flag counts from here on: what was freed before is not cleared. */
function createCollectors(): Collectors {
  setFlagsFromString('--clear-free-memory');
  setFlagsFromString('--expose-gc');
  return { collect: runInNewContext('gc') as () => void, collectAll };
}

/**
 * As V8 does when a system is short of memory (`LowMemoryNotification`), which only the inspector’s
 * protocol offers. An ordinary collection moves what lives out of a page and keeps the page with
 * what was left in it: names of a body’s properties were found there after any number of them.
 * Nobody can attach to the session, and it lasts as long as the collection.
 */
function collectAll(): void {
  const session = new Session();
  session.connect();
  // Not in the callback: the collection is a task of the session’s own, and does not end while it
  // is being ended.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
}
