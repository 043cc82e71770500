/** An attempt that was begun and has not ended. */
interface Attempt {
  readonly endpointId: string;
  readonly startedMs: number;
  readonly finished: Promise<void>;
}

/** Attempts of one process that were begun and have not ended, and how many more may begin. */
export interface UnderWay {
  /** How many may begin now. */
  room(): number;
  /**
   * Half of all places is for those who have little under way: receivers that hang with much of it
   * leave room for everybody else.
   */
  isCrowded(): boolean;
  countByEndpoint(): ReadonlyMap<string, number>;
  /** `finished` never fails. */
  add(endpointId: string, finished: Promise<void>): void;
  isEmpty(): boolean;
  /** Those that are under way now have ended. */
  settled(): Promise<unknown>;
}

/** Attempts that are young: beyond it nothing new is begun. */
const freshMax = 256;
/** An attempt is young for so long: later it waits for somebody else's machine and costs nothing. */
export const slowAfterMs = 250;
const claimMax = 200;

export function createUnderWay(max: number): UnderWay {
  const attempts = new Set<Attempt>();
  const isCrowded = () => attempts.size >= max / 2;
  return {
    isCrowded,
    room() {
      const freshSinceMs = performance.now() - slowAfterMs;
      let fresh = 0;
      for (const { startedMs } of attempts) if (startedMs > freshSinceMs) fresh += 1;
      return Math.min(freshMax - fresh, (isCrowded() ? max : max / 2) - attempts.size, claimMax);
    },
    countByEndpoint() {
      const counts = new Map<string, number>();
      for (const { endpointId } of attempts)
        counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      return counts;
    },
    add(endpointId, running) {
      const attempt: Attempt = {
        endpointId,
        startedMs: performance.now(),
        finished: running.finally(() => attempts.delete(attempt)),
      };
      attempts.add(attempt);
    },
    isEmpty: () => attempts.size === 0,
    settled: () => Promise.all([...attempts].map(({ finished }) => finished)),
  };
}
