/**
 * Lets `perSecond` through in the long run, and as many at once.
 * @returns whether one more may pass
 */
export function createTokenBucket(perSecond: number): () => boolean {
  let level = perSecond;
  let filledAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    level = Math.min(perSecond, level + ((nowMs - filledAtMs) / 1_000) * perSecond);
    filledAtMs = nowMs;
    if (level < 1) return false;
    level -= 1;
    return true;
  };
}
