/**
 * Which test files are asked about a source file, and in which order: those that most probably
 * notice come first.
 */
import { dirname, relative, resolve } from 'node:path';
import { root, type SourceFile } from '../tidy/source-files.ts';

/** Slow, of the text instead of what it does, or asked about everything. */
const isAsked = (path: string) =>
  path.endsWith('.test.ts') && !/\.long\.test\.ts$|^test\/(?:tidy|mutation|rules)\//.test(path);

/**
 * Who names which file: imports of every kind, and the programs that a test starts by their path.
 */
function readers(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files.map(({ path }) => path));
  const found = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const [, named] of text.matchAll(
      /'(\.{1,2}\/[^'\n]+\.ts|(?:bin|devnet|src|test)\/[^'\n]+\.ts)'/g,
    )) {
      const target = named!.startsWith('.')
        ? relative(root, resolve(root, dirname(path), named!)).replaceAll('\\', '/')
        : named!;
      if (!known.has(target)) continue;
      const list = found.get(target) ?? [];
      list.push(path);
      found.set(target, list);
    }
  return found;
}

const partsOf = (path: string) => dirname(path).split('/');

/** How many folders two paths have in common, from the root. */
function sharedFolders(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? a.length : at;
}

/**
 * Words of the paths that both have: `test/flows/onramp-disputes.test.ts` is near to
 * `kinds/onramp/…`.
 */
function sharedWords(one: string, other: string): number {
  const words = (path: string) => new Set(path.replace(/(?:\.test)?\.ts$/, '').split(/[/.-]/));
  const theirs = words(other);
  return [...words(one)].filter((word) => theirs.has(word)).length;
}

export interface NearestTests {
  /**
   * Paths of test files, the nearest first: its own, its folder's, its area's, then by words and by
   * steps of imports.
   */
  of(path: string): readonly string[];
}

/** @param files every TypeScript file that tests may read */
export function createNearestTests(files: readonly SourceFile[]): NearestTests {
  const graph = readers(files);
  const tests = files.map(({ path }) => path).filter(isAsked);
  return {
    of(path) {
      // `src`, or `src/areas`, says nothing yet; a test of the same room or area does.
      const trivial = path.startsWith('src/areas/') ? 2 : 1;
      const steps = stepsFrom(graph, path);
      const own = path.replace(/\.ts$/, '.test.ts');
      const rank = (test: string): readonly number[] => [
        test === own ? 0 : 1,
        -Math.max(0, sharedFolders(path, test) - trivial),
        steps.get(test) === 1 ? 0 : 1,
        -sharedWords(path, test),
        steps.get(test) ?? 99,
      ];
      const ranked = tests
        .filter((test) => steps.has(test) || dirname(test) === dirname(path))
        .map((test) => ({ test, rank: rank(test) }));
      return ranked
        .sort((a, b) => compareRanks(a.rank, b.rank) || a.test.localeCompare(b.test))
        .map(({ test }) => test);
    },
  };
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

/** How many imports lie between a file and each that comes to read it. */
function stepsFrom(
  graph: ReadonlyMap<string, readonly string[]>,
  path: string,
): ReadonlyMap<string, number> {
  const steps = new Map([[path, 0]]);
  for (let row = [path]; row.length > 0; ) {
    const next: string[] = [];
    for (const one of row)
      for (const reader of graph.get(one) ?? [])
        if (!steps.has(reader)) {
          steps.set(reader, steps.get(one)! + 1);
          next.push(reader);
        }
    row = next;
  }
  return steps;
}
