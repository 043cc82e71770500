/** Dice that a seed throws: the same seed, the same numbers. */
export interface Dice {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  /** True in so many of a hundred throws. */
  percent(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32. */
export function diceOf(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    percent: (share) => next() * 100 < share,
    pick: (from) => from[between(0, from.length - 1)]!,
  };
}
