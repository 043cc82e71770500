import type { Clock } from '../../lib/clock.ts';

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/**
 * At most `sizeMax` values, each for `ttlMs` after it was set; the one not used for longest goes
 * first.
 */
export interface KeyCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  readonly size: number;
}

/**
 * Values also go when nobody asks for them any more: a timer, which keeps no process alive, drops
 * what has expired.
 */
export function createKeyCache<V>({
  clock,
  sizeMax,
  ttlMs,
}: {
  readonly clock: Clock;
  readonly sizeMax: number;
  readonly ttlMs: number;
}): KeyCache<V> {
  const entries = new Map<string, Entry<V>>();
  let sweep: NodeJS.Timeout | undefined;

  // A clock that was turned back must not keep a value for longer.
  const isLive = (entry: Entry<V>, nowMs: number) =>
    nowMs < entry.expiresAtMs && entry.expiresAtMs - nowMs <= ttlMs;
  const dropExpired = () => {
    const nowMs = clock.now().getTime();
    for (const [key, entry] of entries) if (!isLive(entry, nowMs)) entries.delete(key);
    if (entries.size > 0 || !sweep) return;
    clearInterval(sweep);
    sweep = undefined;
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (!isLive(entry, clock.now().getTime())) return undefined;
      // A Map keeps the order of insertion: the last used key is the last.
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, expiresAtMs: clock.now().getTime() + ttlMs });
      if (entries.size > sizeMax) entries.delete(entries.keys().next().value!);
      sweep ??= setInterval(dropExpired, ttlMs).unref();
    },
    get size() {
      return entries.size;
    },
  };
}
