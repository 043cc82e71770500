import type { Clock } from '../clock.ts';

export interface TimedCacheOptions<K, V> {
  readonly clock: Clock;
  /** An entry older than this is loaded again. */
  readonly ttlMs: number;
  /** The oldest entries give way beyond this many. */
  readonly sizeMax: number;
  readonly load: (key: K) => Promise<V>;
  /** False for what is to be loaded again by the next caller; all is kept when absent. */
  readonly keeps?: (value: V) => boolean;
}

export interface TimedCache<K, V> {
  /**
   * The value, at most `ttlMs` old. Simultaneous callers of one key share one load; a failed load
   * is not kept.
   */
  get(key: K): V | Promise<V>;
  /** The value as it is, whatever its age, without loading. */
  peek(key: K): V | undefined;
}

interface Entry<V> {
  readonly value: V;
  readonly loadedAtMs: number;
}

/** Remembers what `load` answered, for a bounded time and a bounded number of keys. */
export function createTimedCache<K, V>(options: TimedCacheOptions<K, V>): TimedCache<K, V> {
  const entries = new Map<K, Entry<V>>();
  const loading = new Map<K, Promise<V>>();

  const load = async (key: K) => {
    try {
      const loadedAtMs = options.clock.now().getTime();
      const value = await options.load(key);
      entries.delete(key);
      if (options.keeps && !options.keeps(value)) return value;
      entries.set(key, { value, loadedAtMs });
      if (entries.size > options.sizeMax) entries.delete(entries.keys().next().value as K);
      return value;
    } finally {
      loading.delete(key);
    }
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) {
        const ageMs = options.clock.now().getTime() - entry.loadedAtMs;
        if (ageMs >= 0 && ageMs < options.ttlMs) return entry.value;
      }
      let running = loading.get(key);
      if (!running) {
        running = load(key);
        loading.set(key, running);
      }
      return running;
    },
    peek: (key) => entries.get(key)?.value,
  };
}
