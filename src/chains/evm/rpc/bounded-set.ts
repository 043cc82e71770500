/**
 * Remembers up to so many keys; the oldest go first. For facts that stay true, such as that a
 * contract stands.
 */
export interface BoundedSet {
  has(key: string): boolean;
  add(key: string): void;
}

export function createBoundedSet(sizeMax: number): BoundedSet {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      keys.add(key);
      if (keys.size > sizeMax) keys.delete(keys.values().next().value!);
    },
  };
}
