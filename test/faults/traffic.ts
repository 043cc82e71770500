/** Many pass at once, or one who needs the road alone. */
export interface Traffic {
  /** Waits for whoever has the road alone. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Begins once nobody passes; who comes meanwhile waits. One after the other. */
  stopFor<T>(work: () => Promise<T>): Promise<T>;
}

export function createTraffic(): Traffic {
  const passing = new Set<Promise<unknown>>();
  let stopped: Promise<unknown> = Promise.resolve();
  return {
    async pass(work) {
      // Another stop may have begun while this waited for its turn.
      for (let last: Promise<unknown> | undefined; last !== stopped; ) {
        last = stopped;
        await last;
      }
      const pass = work();
      passing.add(pass);
      try {
        return await pass;
      } finally {
        passing.delete(pass);
      }
    },
    stopFor(work) {
      const before = stopped;
      const stop = (async () => {
        await before;
        while (passing.size > 0) await Promise.allSettled(passing);
        return work();
      })();
      stopped = stop.catch(() => undefined);
      return stop;
    },
  };
}
