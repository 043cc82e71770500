import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const entries = ['bin/api.ts', 'bin/worker.ts', 'bin/vault.ts'];
const root = new URL('../..', import.meta.url).pathname;

interface Read {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/**
 * What a process has read when it starts, before it knows which chains it has: everything but what
 * is imported by `import()`.
 */
async function readAtStart(): Promise<ReadonlyMap<string, Read>> {
  const { metafile } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: 'never-written',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    metafile: true,
  });
  return new Map(
    entries.map((entry) => {
      const [files, packages] = [new Set([entry]), new Set<string>()];
      for (const file of files)
        for (const { path, kind, external } of metafile.inputs[file]!.imports) {
          if (kind === 'dynamic-import') continue;
          (external ? packages : files).add(path);
        }
      return [entry, { files, packages }];
    }),
  );
}

let reads: ReadonlyMap<string, Read>;
beforeAll(async () => {
  reads = await readAtStart();
});

describe('A family that an instance has no node of', () => {
  it.each(entries)(
    'costs %s nothing at its start: neither its code nor the library of its chain is read',
    (entry) => {
      const { files, packages } = reads.get(entry)!;
      expect(files.size).toBeGreaterThan(100);
      expect(
        [...packages].filter(
          (name) =>
            /^@(solana|solana-program|stellar|mysten|aptos-labs)\//.test(name) || name === 'viem',
        ),
      ).toEqual([]);
      // What names it, its chains and its addresses is known without: refusals and look-ups speak
      // of it.
      const known = /\/(facts|addresses|strkey|proofs)\.ts$/;
      expect(
        [...files].filter(
          (file) => /^src\/chains\/(solana|stellar|sui|aptos)\//.test(file) && !known.test(file),
        ),
      ).toEqual([]);
    },
  );
});
