import { copyFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const programs = ['api', 'worker', 'vault', 'receiver'] as const;
export type ProgramName = (typeof programs)[number];

const sources: Readonly<Record<ProgramName, string>> = {
  api: 'bin/api.ts',
  worker: 'bin/worker.ts',
  vault: 'test/faults/vault-child.ts',
  receiver: 'test/faults/receiver-child.ts',
};

/**
 * Packs each program into one file, from the sources as they are: they are started so often here that finding and compiling a
 * thousand files each time would be most of the work. @returns the file of a program
 */
export async function packPrograms(folder: string): Promise<(name: ProgramName) => string> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: join(root, source), out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native'],
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(${JSON.stringify(import.meta.url)});`,
    },
    plugins: [
      {
        // Files that are looked for beside a source stay beside that source.
        name: 'places',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
            loader: 'ts',
          })),
      },
    ],
  });
  copyFileSync(join(root, 'node_modules', 'tiny-secp256k1', 'lib', 'secp256k1.wasm'), join(folder, 'secp256k1.wasm'));
  return (name) => join(folder, `${name}.mjs`);
}
