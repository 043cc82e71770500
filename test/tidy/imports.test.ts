import { describe, expect, it } from 'vitest';
import { families } from '../../src/chains/families.ts';
import {
  importsOf,
  productionFiles,
  type SourceFile,
  sourceFiles,
  valueImportsOf,
} from './source-files.ts';
import { childrenOf, type Node, parseSource } from './syntax.ts';

const production = productionFiles();

function offenders(
  files: readonly SourceFile[],
  isWrong: (imported: string, file: SourceFile) => boolean,
): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => isWrong(imported, file))
      .map((imported) => `${file.path} imports ${imported}`),
  );
}

const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');

describe('data flows one way', () => {
  it('lib and machine are leaves: they know types of nobody but themselves', () => {
    const leaves = production.filter((file) => /^src\/(lib|machine)\//.test(file.path));
    expect(leaves.length).toBeGreaterThan(5);
    expect(
      offenders(
        leaves,
        (imported, file) =>
          imported.startsWith('src/') &&
          folderOf(imported) !== folderOf(file.path) &&
          !isTypeImport(file, imported),
      ),
    ).toEqual([]);
  });

  it('exits (store, chains, providers, jobs) never import areas or http', () => {
    const exits = production.filter((file) =>
      /^src\/(store|chains|providers|jobs)\//.test(file.path),
    );
    expect(offenders(exits, (imported) => /^src\/(areas|http)\//.test(imported))).toEqual([]);
  });

  it('an area sees another area only through its index (and the shapes of its schema)', () => {
    const areas = production.filter(
      (file) => file.path.startsWith('src/areas/') && file.path.split('/').length > 3,
    );
    const areaOf = (path: string) => path.split('/')[2];
    expect(
      offenders(
        areas,
        (imported, file) =>
          /^src\/areas\/[^/]+\//.test(imported) &&
          areaOf(imported) !== areaOf(file.path) &&
          !/\/(index|schema)\.ts$/.test(imported),
      ),
    ).toEqual([]);
  });

  it('areas depend on each other in one direction: none reaches itself through others', () => {
    const edges = new Map<string, Set<string>>();
    for (const file of production) {
      const [, folder, area, inside] = file.path.split('/');
      if (folder !== 'areas' || inside === undefined) continue;
      const others = valueImportsOf(file).flatMap(
        (imported) => /^src\/areas\/([^/]+)\//.exec(imported)?.[1] ?? [],
      );
      edges.set(
        area!,
        new Set([...(edges.get(area!) ?? []), ...others.filter((other) => other !== area)]),
      );
    }
    expect(edges.size).toBeGreaterThan(25);
    const settled = new Set<string>();
    const pathBack = (area: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(area)) return [...path.slice(path.indexOf(area)), area];
      if (settled.has(area)) return undefined;
      for (const next of edges.get(area) ?? []) {
        const circle = pathBack(next, [...path, area]);
        if (circle) return circle;
      }
      settled.add(area);
      return undefined;
    };
    expect([...edges.keys()].flatMap((area) => pathBack(area, [])?.join(' -> ') ?? [])).toEqual([]);
  });

  it('nobody imports the vault: what may see an account number runs in its process only', () => {
    const own = /^src\/(vault\/|processes\/(vault\/|command-line\/areas\/vault\.ts$))/;
    expect(
      offenders(
        production,
        (imported, file) => imported.startsWith('src/vault/') && !own.test(file.path),
      ),
    ).toEqual([]);
  });

  it('nobody imports a process: what is composed there is handed on', () => {
    const others = production.filter((file) => !file.path.startsWith('src/processes/'));
    expect(
      offenders(others, (imported) => /^(src\/processes|bin|devnet\/service)\//.test(imported)),
    ).toEqual([]);
  });

  it('a program of bin only starts what src/processes or devnet/service composes', () => {
    const programs = sourceFiles('bin');
    expect(programs.map(({ path }) => path).sort()).toEqual(
      ['api', 'dev', 'purser', 'runner', 'vault', 'worker'].map((name) => `bin/${name}.ts`),
    );
    expect(programs.filter(({ text }) => text.split('\n').length > 30)).toEqual([]);
  });

  it('nothing outside the folder of its family knows a chain library, bin and devnet included', () => {
    const libraries: Record<string, RegExp> = {
      evm: /^viem(\/|$)/,
      solana: /^(@solana\/|litesvm(\/|$))/,
      stellar: /^@stellar\//,
      sui: /^@mysten\/(?!bcs(\/|$))/,
      aptos: /^@aptos-labs\//,
      // Both write what they sign in BCS.
      '(?:sui|aptos)': /^@mysten\/bcs(\/|$)/,
    };
    const running = [
      ...production,
      ...[...sourceFiles('bin'), ...sourceFiles('devnet')].filter((file) => isRunning(file.path)),
    ];
    expect(running.length).toBeGreaterThan(production.length + 20);
    expect(
      Object.entries(libraries).flatMap(([family, library]) => {
        const own = new RegExp(`^(?:src/chains|devnet)/${family}/`);
        const elsewhere = running.filter(({ path }) => !own.test(path));
        return offenders(elsewhere, (imported) => library.test(imported));
      }),
    ).toEqual([]);
  });

  it('nothing outside a family reaches into it: the list of families has its facts, config the names of its networks', () => {
    const running = [
      ...production,
      ...[...sourceFiles('bin'), ...sourceFiles('devnet')].filter((file) => isRunning(file.path)),
    ];
    const family = /^(?:src\/chains|devnet)\/(evm|solana|stellar|sui|aptos|xion)\//;
    const isNames = (imported: string, file: SourceFile) =>
      file.path.startsWith('src/config/') && imported.endsWith('/networks.ts');
    const isLine = (imported: string, file: SourceFile) =>
      file.path === 'src/chains/families.ts' && imported.endsWith('/facts.ts');
    // The devnet is one folder: its index and its list of families name what is below it.
    const isDevnet = (imported: string, file: SourceFile) =>
      file.path.startsWith('devnet/') && imported.startsWith('devnet/');
    expect(
      offenders(running, (imported, file) => {
        const into = family.exec(imported)?.[1];
        if (into === undefined || family.exec(file.path)?.[1] === into) return false;
        return !isNames(imported, file) && !isLine(imported, file) && !isDevnet(imported, file);
      }),
    ).toEqual([]);
  });
});

/** No test, and no kit for tests. */
function isRunning(path: string): boolean {
  return !/\.(test|contract)\.ts$|-kit\.ts$|-child\.ts$|\/testing\//.test(path);
}

function isTypeImport(file: SourceFile, imported: string): boolean {
  const name = imported.split('/').at(-1)!;
  return [...file.text.matchAll(/^import type [^;]+from '([^']+)';/gm)].some((match) =>
    match[1]!.endsWith(name),
  );
}

describe('what differs between families is theirs', { tags: 'slow' }, () => {
  const names = new Set(families.map(({ name }) => name as string));
  const isName = (value: unknown) => names.has((value as Node | null)?.['value'] as string);
  const isComparison = (node: Node) =>
    (node.type === 'BinaryExpression' && [node['left'], node['right']].some(isName)) ||
    (node.type === 'SwitchCase' && isName(node['test']));
  const comparisonsOf = (node: Node): Node[] => [
    ...(isComparison(node) ? [node] : []),
    ...childrenOf(node).flatMap(comparisonsOf),
  ];

  it('areas ask a family for what it can do: none compares with its name', () => {
    const areas = sourceFiles('src/areas').filter(({ path }) => !path.endsWith('.test.ts'));
    const found = areas.flatMap(({ path, text }) =>
      comparisonsOf(parseSource(text)).map(
        ({ start, end }) => `${path}: ${text.slice(start, end).split('\n')[0]}`,
      ),
    );
    expect([names.size > 4, areas.length > 300, found]).toEqual([true, true, []]);
  });
});
