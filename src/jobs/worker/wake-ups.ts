import type { Ctx } from '../../context.ts';
import { createSignal, type Signal } from '../../lib/waiting/loop.ts';
import type { Places } from './places.ts';

/**
 * Why a worker looks for due flows: something was stored, a flow falls due, nobody said anything for
 * a while, or (`backlog`) there was more than it claimed.
 */
export type WakeUp = 'work' | 'timer' | 'poll' | 'backlog';

/** What makes a worker look for due flows, and when. */
export interface WakeUps {
  readonly signal: Signal;
  poke(why: WakeUp): void;
  /** Looks again at `at` (service time) unless something earlier is planned. */
  pokeAt(at: Date | undefined): void;
  /** Waits for a reason to look, and for room. @returns the reasons; empty when it stopped */
  wait(): Promise<ReadonlySet<WakeUp>>;
  stop(): void;
}

const backlogPatienceMs = 100;
const pollJitterMax = 1.2;

export function createWakeUps(
  clock: Ctx['clock'],
  { pollMs, random, places }: { pollMs: number; random: () => number; places: Places },
): WakeUps {
  const reasons = new Set<WakeUp>();
  const signal = createSignal();
  let stopped = false;
  let dueTimer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;

  function poke(why: WakeUp): void {
    reasons.add(why);
    signal.wake();
    // A backlog waits for a large claim, but not long: slow flows may hold the places.
    if (why === 'backlog') pokeAt(new Date(clock.now().getTime() + backlogPatienceMs));
  }

  function pokeAt(at: Date | undefined): void {
    if (at === undefined || stopped) return;
    const waitMs = Math.max(0, at.getTime() - clock.now().getTime());
    const targetMs = performance.now() + waitMs;
    if (targetMs >= dueAtMs || waitMs > pollMs * pollJitterMax) return;
    clearTimeout(dueTimer);
    dueAtMs = targetMs;
    dueTimer = setTimeout(() => {
      dueAtMs = Infinity;
      poke('timer');
    }, waitMs + 1);
  }

  /**
   * Half of the places must be free before a backlog is claimed from: that keeps claims large and
   * few.
   */
  function isTime(): boolean {
    const urgent = reasons.has('work') || reasons.has('timer') || reasons.has('poll');
    return urgent ? places.free() > 0 : reasons.has('backlog') && places.isHalfEmpty();
  }

  return {
    signal,
    poke,
    pokeAt,
    async wait() {
      const pollAtMs = performance.now() + pollMs * (0.8 + (pollJitterMax - 0.8) * random());
      while (!stopped && !isTime()) {
        const leftMs = pollAtMs - performance.now();
        if (leftMs > 0) await signal.wait(leftMs);
        // Without room it waits on: whoever leaves a place wakes it.
        else if (reasons.has('poll')) await signal.wait(pollMs);
        else reasons.add('poll');
      }
      const found = new Set(stopped ? [] : reasons);
      reasons.clear();
      return found;
    },
    stop() {
      stopped = true;
      clearTimeout(dueTimer);
      signal.wake();
    },
  };
}
