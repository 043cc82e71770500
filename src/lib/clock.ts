/** The service's time. Rules never call `Date.now()`: development and tests move this clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is turned. For tests. */
export function createManualClock(
  start = new Date('2026-01-15T12:00:00.000Z'),
): Clock & { advance(ms: number): void; set(at: Date): void } {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
    set: (at) => {
      nowMs = at.getTime();
    },
  };
}

/** The system's clock, movable ahead. For development and tests that wait for real chains. */
export function createMovableClock(): Clock & { advance(ms: number): void } {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}
