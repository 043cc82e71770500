// `npm run build:console`: the pages of the console and of approvals in dist/console and
// dist/approve, where the API serves them from. With `--if-stale` only those of which a source is
// newer than what is there.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

// Whoever calls: the pages of production have React without its checks of development.
process.env.NODE_ENV = 'production';

const root = fileURLToPath(new URL('..', import.meta.url));
const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
const common = ['package-lock.json', 'scripts/built-page.mjs', 'src/http/theme.ts'];
const pages = [
  { name: 'console', sources: filesOf('console') },
  {
    name: 'approve',
    sources: [...filesOf('approve'), ...filesOf('sdk/src'), ...filesOf('sdk-react/src')],
  },
];

for (const { name, sources } of pages) {
  const built = join(root, 'dist', name, 'index.html');
  const isFresh =
    existsSync(built) &&
    [...sources, ...common].every(
      (path) => statSync(join(root, path)).mtimeMs <= statSync(built).mtimeMs,
    );
  if (process.argv.includes('--if-stale') && isFresh) continue;
  // Beside the old one, which is served until the new one is whole.
  const [folder, outDir] = [join(root, 'dist', name), join(root, `dist/${name}.${process.pid}`)];
  const { output } = await build({
    configFile: join(root, name, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir },
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(outDir, folder);
  const bytes = output.map(
    (file) => gzipSync(file.type === 'chunk' ? file.code : file.source).length,
  );
  console.log(
    `Built dist/${name}: ${(bytes.reduce((sum, one) => sum + one, 0) / 1_000).toFixed(0)} kB gzipped.`,
  );
}
