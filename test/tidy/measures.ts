/** What `npm run tidy` reports: measures of source files, without types. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { importsOf, root, type SourceFile } from './source-files.ts';
import { childrenOf, type Node, parseSource, placeOf } from './syntax.ts';

/**
 * The same files as the formatter writes them at another width, so that wide lines do not hide how
 * much there is.
 */
export function reformat(files: readonly SourceFile[], columns: number): SourceFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'purser-tidy-'));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(
      join(folder, 'biome.json'),
      JSON.stringify({ formatter: { lineWidth: columns, indentStyle: 'space', indentWidth: 2 } }),
    );
    const biome = join(root, 'node_modules', '.bin', 'biome');
    const { status, stderr } = spawnSync(biome, ['format', '--write', '.'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (status !== 0) throw new Error(`The formatter failed: ${stderr}`);
    return files.map(({ path }) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Measured {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly lines: number;
}

/** Every function and method with a body, by its name or the name of what it is given to. */
export function measureFunctions({ path, text }: SourceFile): Measured[] {
  const found: Measured[] = [];
  const walk = (node: Node, name: string) => {
    if (/Function/.test(node.type) && (node.body as Node | null)?.type === 'BlockStatement') {
      const [first, last] = [placeOf(text, node.start).line, placeOf(text, node.end).line];
      found.push({ name: nameOf(node) ?? name, path, line: first, lines: last - first + 1 });
    }
    for (const child of childrenOf(node)) walk(child, nameOf(node) ?? name);
  };
  walk(parseSource(text), basename(path));
  return found;
}

const nameOf = (node: Node): string | undefined =>
  ((node.id ?? node.key) as { name?: string } | null | undefined)?.name;

/** Folders with more files of their own than `filesMax`, the fullest first. */
export function findFullRooms(
  files: readonly SourceFile[],
  filesMax: number,
): [folder: string, files: number][] {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > filesMax).sort(([, a], [, b]) => b - a);
}

interface Export {
  readonly name: string;
  /**
   * Types may stay: whoever calls an exported function may want to name what it takes. `list`: in
   * braces, mostly passed on.
   */
  readonly kind: 'value' | 'type' | 'list';
}

export interface UnusedExport extends Export {
  readonly path: string;
}

/**
 * Names that a file exports and no other imports from it. What is read as a whole (`import * as`,
 * `import()`, `export *`) counts as used.
 * @param readers every file that may import one of them
 */
export function findUnusedExports(
  files: readonly SourceFile[],
  readers: readonly SourceFile[],
): UnusedExport[] {
  const used = new Map<string, Set<string> | 'all'>();
  for (const reader of readers)
    for (const [path, names] of namesRead(reader)) used.set(path, merge(used.get(path), names));
  return files.flatMap((file) => {
    const taken = used.get(file.path);
    if (taken === 'all') return [];
    return exportsOf(file.text)
      .filter(({ name }) => !taken?.has(name))
      .map((one) => ({ path: file.path, ...one }));
  });
}

const merge = (known: Set<string> | 'all' | undefined, names: ReadonlySet<string> | 'all') =>
  known === 'all' || names === 'all' ? ('all' as const) : new Set([...(known ?? []), ...names]);

/** By file, the names that another file reads of it. */
function namesRead(file: SourceFile): [path: string, names: ReadonlySet<string> | 'all'][] {
  const found: [string, ReadonlySet<string> | 'all'][] = [];
  const pathOf = (from: string) => importsOf({ ...file, text: `import '${from}'` })[0]!;
  const statements =
    /(?:^|\n)(?:import|export)\s+(?:type\s+)?(?:(\*[^']*?)|\{([^}]*)\}|[^'{]*?)\s*from\s*'([^']+)'/g;
  for (const [, whole, names, from] of file.text.matchAll(statements))
    found.push([pathOf(from!), whole === undefined ? new Set(originalNames(names ?? '')) : 'all']);
  for (const [, from] of file.text.matchAll(/import\s*\(\s*'([^']+)'/g))
    found.push([pathOf(from!), 'all']);
  return found;
}

/** Of `{ a, type B as C }`: a and B. */
const originalNames = (list: string): string[] =>
  list
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    )
    .filter((name) => name !== '');

function exportsOf(text: string): Export[] {
  const own = text.matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/gm,
  );
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  const named = [...lists].flatMap(([, list]) =>
    list!.split(',').map((one) => one.trim().split(/\s+/).at(-1)!),
  );
  return [
    ...[...own].map(([, word, name]) => ({
      name: name!,
      kind: word === 'interface' || word === 'type' ? ('type' as const) : ('value' as const),
    })),
    ...named.filter((name) => name !== '').map((name) => ({ name, kind: 'list' as const })),
  ];
}

export interface Duplicate {
  readonly lines: number;
  /** `path:line` of each. */
  readonly places: readonly string[];
}

/**
 * Runs of equal lines in two places, the longest first; imports, blank lines and lines of brackets
 * alone do not count.
 */
export function findDuplicates(files: readonly SourceFile[], linesMin: number): Duplicate[] {
  const read = files.map(({ path, text }) => ({ path, lines: countedLines(text) }));
  const windows = new Map<string, [file: number, at: number][]>();
  for (const [file, { lines }] of read.entries())
    for (let at = 0; at + linesMin <= lines.length; at += 1) {
      const key = lines
        .slice(at, at + linesMin)
        .map(({ text }) => text)
        .join('\n');
      windows.set(key, [...(windows.get(key) ?? []), [file, at]]);
    }
  const found: Duplicate[] = [];
  for (const places of windows.values()) {
    if (places.length < 2) continue;
    const before = places.map(([file, at]) => read[file]!.lines[at - 1]?.text);
    // It began a line before: told there already.
    if (before[0] !== undefined && before.every((text) => text === before[0])) continue;
    let length = linesMin;
    for (;;) {
      const next = places.map(([file, at]) => read[file]!.lines[at + length]?.text);
      if (next[0] === undefined || next.some((text) => text !== next[0])) break;
      length += 1;
    }
    found.push({
      lines: length,
      places: places.map(([file, at]) => `${read[file]!.path}:${read[file]!.lines[at]!.line}`),
    });
  }
  return found.sort((a, b) => b.lines - a.lines);
}

function countedLines(text: string): { readonly line: number; readonly text: string }[] {
  const code = text.replaceAll(/^import [^;]*;$/gm, (statement) =>
    statement.replaceAll(/[^\n]/g, ''),
  );
  return code
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((one) => /\w/.test(one.text) && !/^(?:\/\/|\/\*|\*)/.test(one.text));
}
