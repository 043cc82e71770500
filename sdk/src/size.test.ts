import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const familiesMaxBytes = { client: 28_000, solana: 10_000, stellar: 8_500 };

it('the client is under 28 kB gzipped in a browser bundle, viem left out, and needs nothing of Node.js; other families are loaded when needed', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: { client: fileURLToPath(new URL('./index.ts', import.meta.url)) },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['viem', 'viem/*'],
    outdir: 'out',
    metafile: true,
    write: false,
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [`out/${basename(path)}`, gzipSync(contents).length]),
  );
  const outputs = Object.entries(metafile.outputs);
  /** The files of an entry, and what it imports before it can run. */
  const filesOf = (name: string): string[] => [
    name,
    ...metafile.outputs[name]!.imports.filter(
      ({ kind, external }) => kind === 'import-statement' && !external,
    ).flatMap(({ path }) => filesOf(path)),
  ];
  const loaded = new Set(filesOf('out/client.js'));
  const sizeOf = (files: Iterable<string>) =>
    [...new Set(files)].reduce((sum, name) => sum + sizes.get(name)!, 0);
  const found: Record<string, number> = { client: sizeOf(loaded) };
  for (const family of Object.keys(familiesMaxBytes).filter((name) => name !== 'client')) {
    const [name] = outputs.find(([, { entryPoint }]) =>
      entryPoint?.endsWith(`sdk/src/${family}/index.ts`),
    )!;
    found[family] = sizeOf(filesOf(name).filter((file) => !loaded.has(file)));
  }
  console.log(`@purser/sdk, bytes gzipped: ${JSON.stringify(found)}`);
  for (const [name, max] of Object.entries(familiesMaxBytes))
    expect([name, found[name]]).toEqual([name, expect.toSatisfy((bytes: number) => bytes < max)]);
});
