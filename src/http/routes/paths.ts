import type { AnyRoute, ErrorFamily } from './route.ts';

/**
 * What is asked of the whole set of routes, on the slow path only: unknown paths, wrong methods,
 * preflights.
 */
export interface PathIndex {
  /** Every route whose pattern fits the path, the most specific pattern first. */
  match(path: string): readonly AnyRoute[];
  /** Family of the routes that share the longest beginning with the path; W when none does. */
  familyOf(path: string): ErrorFamily;
}

/** `path` here is below the base path and still percent-encoded. */
export function createPathIndex(routes: readonly AnyRoute[]): PathIndex {
  const patterns = routes.map((route) => ({
    route,
    pattern: patternOf(route.path),
    segments: route.path.split('/'),
  }));
  return {
    match: (path) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route),
    familyOf(path) {
      const segments = path.split('/');
      let best: { family: ErrorFamily; shared: number } = { family: 'W', shared: 1 };
      for (const entry of patterns) {
        const shared = sharedCount(entry.segments, segments);
        if (shared > best.shared) best = { family: entry.route.family, shared };
      }
      return best.family;
    },
  };
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) =>
      segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[A-Za-z]\w*/g, '[^/]+'),
    )
    .join('/');
  return new RegExp(`^${source}$`);
}

function sharedCount(pattern: readonly string[], segments: readonly string[]): number {
  let count = 0;
  while (
    count < pattern.length &&
    count < segments.length &&
    (pattern[count] === segments[count] || pattern[count]!.startsWith(':'))
  )
    count++;
  return count;
}
