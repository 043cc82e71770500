import type { LimitUse } from './capabilities/delegates.ts';

/** Times in seconds; an interval of 0 is for ever. */
export interface CountedLimit {
  readonly limit?: bigint | undefined;
  readonly interval: bigint;
  readonly spent: bigint;
  /** The first spending of the interval. */
  readonly since: bigint;
}

/**
 * What is used of a limit at that second, where the chain keeps what was spent since when: an
 * interval begins with its first spending.
 * @returns undefined: there is no limit
 */
export function limitUseOf(
  { limit, interval, spent, since }: CountedLimit,
  at: bigint,
): LimitUse | undefined {
  if (limit === undefined) return undefined;
  const end = interval > 0n ? since + interval : undefined;
  if (spent === 0n || (end !== undefined && at >= end)) return { limitMinor: limit, usedMinor: 0n };
  return {
    limitMinor: limit,
    usedMinor: spent,
    ...(end !== undefined && { renewsAt: new Date(Number(end) * 1000) }),
  };
}

/** What may still be spent. */
export const leftOf = (use: LimitUse | undefined): bigint | undefined =>
  use && use.limitMinor - use.usedMinor;
