import { describe, expect, it } from 'vitest';
import { importsOf, productionFiles, type SourceFile } from './source-files.ts';

const production = productionFiles();

function offenders(files: readonly SourceFile[], isWrong: (imported: string, file: SourceFile) => boolean): string[] {
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
        (imported, file) => imported.startsWith('src/') && folderOf(imported) !== folderOf(file.path) && !isTypeImport(file, imported),
      ),
    ).toEqual([]);
  });

  it('exits (store, chains, providers, jobs) never import areas or http', () => {
    const exits = production.filter((file) => /^src\/(store|chains|providers|jobs)\//.test(file.path));
    expect(offenders(exits, (imported) => /^src\/(areas|http)\//.test(imported))).toEqual([]);
  });

  it('an area sees another area only through its index (and the shapes of its schema)', () => {
    const areas = production.filter((file) => file.path.startsWith('src/areas/') && file.path.split('/').length > 3);
    const areaOf = (path: string) => path.split('/')[2];
    expect(
      offenders(
        areas,
        (imported, file) =>
          /^src\/areas\/[^/]+\//.test(imported) && areaOf(imported) !== areaOf(file.path) && !/\/(index|schema)\.ts$/.test(imported),
      ),
    ).toEqual([]);
  });

  it('nothing outside src/chains/evm knows viem or another chain library', () => {
    const elsewhere = production.filter((file) => !file.path.startsWith('src/chains/evm/'));
    expect(offenders(elsewhere, (imported) => /^(viem|@solana|@stellar|@mysten|@aptos-labs)(\/|$)/.test(imported))).toEqual([]);
  });

  it('nothing outside a family reaches into it: only bin composes families, and config reads the names of their networks', () => {
    const elsewhere = production.filter((file) => !file.path.startsWith('src/chains/'));
    const isNames = (imported: string, file: SourceFile) => file.path.startsWith('src/config/') && imported.endsWith('/networks.ts');
    expect(
      offenders(elsewhere, (imported, file) => /^src\/chains\/(evm|solana|stellar|sui|aptos)\//.test(imported) && !isNames(imported, file)),
    ).toEqual([]);
  });
});

function isTypeImport(file: SourceFile, imported: string): boolean {
  const name = imported.split('/').at(-1)!;
  return [...file.text.matchAll(/^import type [^;]+from '([^']+)';/gm)].some((match) => match[1]!.endsWith(name));
}
