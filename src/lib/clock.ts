/** The service's time. Rules never call `Date.now()`: development and tests move this clock. */
export interface Clock {
  now(): Date;
  /**
   * The machine's own time where {@link now} can be moved: for what is compared with the clocks of
   * others. Absent: the same.
   */
  unmoved?(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * The clock that nobody moves, for leases, freshness and signatures between processes and towards
 * companies: sixty days that pass at once are not sixty days in which nobody was heard of.
 */
export function machineClock(clock: Clock): Clock {
  return { now: () => clock.unmoved?.() ?? clock.now() };
}

/** How far the service's clock is ahead of the machine's, in milliseconds. */
export function aheadMsOf(clock: Clock): number {
  const machineAt = clock.unmoved?.();
  return machineAt ? Math.max(0, clock.now().getTime() - machineAt.getTime()) : 0;
}

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

export interface MovableClock extends Clock {
  unmoved(): Date;
  /** How far the clock is ahead of the machine's. */
  aheadMs(): number;
  /**
   * Never back: a distance that was reached already changes nothing.
   * @returns whether the clock was moved
   */
  moveTo(aheadMs: number): boolean;
  advance(ms: number): void;
}

/** The system's clock, movable ahead. */
export function createMovableClock(): MovableClock {
  let aheadMs = 0;
  const moveTo = (targetMs: number) => {
    if (targetMs <= aheadMs) return false;
    aheadMs = targetMs;
    return true;
  };
  return {
    now: () => new Date(Date.now() + aheadMs),
    unmoved: () => new Date(),
    aheadMs: () => aheadMs,
    moveTo,
    advance: (ms) => void moveTo(aheadMs + ms),
  };
}
