// `npm run build:console`: the pages of the console in dist/console, where the API serves them from. With `--if-stale` only when a source
// is newer than what is there.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

// Whoever calls: the pages of production have React without its checks of development.
process.env.NODE_ENV = 'production';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/console/index.html');
const sources = readdirSync(join(root, 'console'), { recursive: true }).map((path) => join('console', path));
sources.push('package-lock.json');
const isFresh = existsSync(built) && sources.every((path) => statSync(join(root, path)).mtimeMs <= statSync(built).mtimeMs);

if (!process.argv.includes('--if-stale') || !isFresh) {
  // Beside the old one, which is served until the new one is whole.
  const [folder, outDir] = [join(root, 'dist/console'), join(root, `dist/console.${process.pid}`)];
  const configFile = fileURLToPath(new URL('../console/vite.config.ts', import.meta.url));
  const { output } = await build({ configFile, logLevel: 'error', build: { outDir } });
  rmSync(folder, { recursive: true, force: true });
  renameSync(outDir, folder);
  const bytes = output.map((file) => gzipSync(file.type === 'chunk' ? file.code : file.source).length);
  console.log(`Built the console: ${(bytes.reduce((sum, one) => sum + one, 0) / 1_000).toFixed(0)} kB gzipped.`);
}
