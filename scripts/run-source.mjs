// `node scripts/run-source.mjs bin/vault.ts --with-parent` runs a program from its sources. They
// are compiled once, until one of them changes: a loader that does it file by file, each time,
// needs seconds before the first line runs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheFolder = join(root, 'node_modules', '.cache', 'purser');
const killedAfterMs = 60 * 60_000;
/** Whatever a program below `bin/` is made of, but packages. */
const sourceFolders = ['bin', 'contracts', 'devnet', 'fixtures', 'scripts', 'src'];

/**
 * Runs a program in this process.
 * @param {string} source its path
 */
export async function runSource(source) {
  const path = resolve(root, source);
  const compiled = await compile(path).catch(() => undefined);
  if (compiled !== undefined) {
    // What is thrown names the line of the source.
    process.setSourceMapsEnabled(true);
    return import(pathToFileURL(compiled).href);
  }
  // Where nothing can be written, or a source does not compile: the loader says what is wrong with
  // it.
  const { register } = await import('tsx/esm/api');
  register();
  return import(pathToFileURL(path).href);
}

/**
 * @returns {Promise<string>} path of the compiled program: a folder of its sources without
 * packages, what is imported late apart
 */
async function compile(path) {
  const name = basename(path, '.ts');
  const folder = join(cacheFolder, `${name}-${stateOfSources(path)}`);
  const target = join(folder, `${name}.mjs`);
  if (existsSync(target)) return target;
  const { build, stop } = await import('esbuild');
  mkdirSync(cacheFolder, { recursive: true });
  // Several may compile at once: each by itself, and each result is whole when it appears.
  const outdir = `${folder}.${process.pid}.tmp`;
  try {
    await build({
      entryPoints: [path],
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      plugins: [keepSourceUrl],
    });
    publish(outdir, folder);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
    // Else its helper process stays as long as the program.
    await stop();
  }
  removeOlder(name, folder);
  return target;
}

/** Whoever was faster has made the same. */
function publish(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

/** `import.meta.url` stays that of the source: files that are read lie beside it. */
const keepSourceUrl = {
  name: 'source-url',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      const contents = (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      );
      return { loader: path.endsWith('ts') ? 'ts' : 'js', contents };
    });
  },
};

/** Another one as soon as a source was written, came or went. */
function stateOfSources(path) {
  const hash = createHash('sha256').update(`${path}\n${process.version}\n`);
  for (const folder of sourceFolders) {
    const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
    for (const entry of entries) {
      if (!entry.isFile() || !/\.(?:m?[jt]s|json)$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const { mtimeMs, size } = statSync(file);
      hash.update(`${file} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * What was compiled from earlier sources; some of it may still be read late by a program that runs,
 * so the last one stays too.
 */
function removeOlder(name, folder) {
  const entries = readdirSync(cacheFolder);
  // Of a compiler that was killed; one that runs needs seconds.
  for (const entry of entries.filter((one) => one.endsWith('.tmp'))) {
    const path = join(cacheFolder, entry);
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - writtenMs > killedAfterMs) rmSync(path, { recursive: true, force: true });
  }
  const older = entries
    .filter(
      (entry) =>
        entry.startsWith(`${name}-`) && entry !== basename(folder) && !entry.endsWith('.tmp'),
    )
    .map((entry) => join(cacheFolder, entry))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const entry of older.slice(1)) rmSync(entry, { recursive: true, force: true });
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [node, , source, ...args] = process.argv;
  if (source === undefined) {
    console.error('Which program? For example: node scripts/run-source.mjs bin/vault.ts');
    process.exit(1);
  }
  process.argv = [node, resolve(root, source), ...args];
  await runSource(source);
}
