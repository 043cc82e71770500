/**
 * What a process itself has given in the last 24 hours, beside what the database says of it: who
 * writes the database makes it forget, and gets no more for that than the ceiling once for each
 * process that runs.
 */
export interface DayCeiling {
  /** In the native token's smallest unit. */
  given(): bigint;
  add(minor: bigint): void;
}

const dayMs = 24 * 3_600_000;

/** @param nowMs the machine's own time, that only goes forward */
export function createDayCeiling(nowMs: () => number = () => performance.now()): DayCeiling {
  let gifts: { readonly atMs: number; readonly minor: bigint }[] = [];
  return {
    given() {
      gifts = gifts.filter(({ atMs }) => nowMs() - atMs < dayMs);
      return gifts.reduce((sum, { minor }) => sum + minor, 0n);
    },
    add: (minor) => void gifts.push({ atMs: nowMs(), minor }),
  };
}
