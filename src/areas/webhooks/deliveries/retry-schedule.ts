const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Pauses after the first, second … failed attempt (supplement, section 16): 8 attempts in all, over
 * a good day.
 */
export const retryDelaysMs: readonly number[] = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
];
export const attemptsMax = retryDelaysMs.length + 1;

/** Each pause is up to a tenth longer, so that what failed together does not come back together. */
const jitterShare = 0.1;
/** A receiver may ask for a longer pause, but not for any length. */
const retryAfterMsMax = 12 * hourMs;

/**
 * Milliseconds until the next attempt; undefined when there is none left.
 * @param attempts made so far
 * @param retryAfterMs what the receiver asked for
 */
export function nextDelayMs(
  attempts: number,
  random: () => number,
  retryAfterMs = 0,
): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  return Math.max(delayMs * (1 + jitterShare * random()), Math.min(retryAfterMs, retryAfterMsMax));
}

/**
 * Milliseconds of a Retry-After header: seconds, or a date by the machine's own time. Undefined
 * when it cannot be read.
 */
export function readRetryAfter(header: string | undefined, machineNow: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Math.min(Number(header) * 1_000, retryAfterMsMax);
  const at = Date.parse(header);
  return Number.isNaN(at)
    ? undefined
    : Math.min(Math.max(0, at - machineNow.getTime()), retryAfterMsMax);
}
