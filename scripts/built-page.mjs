import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const id = '\0theme.css';

/**
 * `import 'theme.css'`: the design that the pages of the service share, as a style sheet of a built
 * page.
 */
const theme = {
  name: 'theme',
  resolveId: (name) => (name === 'theme.css' ? id : undefined),
  load: (name) =>
    name === id
      ? /`\n([^`]*)`/.exec(readFileSync(join(root, 'src/http/theme.ts'), 'utf8'))[1]
      : undefined,
};

/**
 * How the pages in a folder are built, to dist/<folder>: files whose names say what is in them, and
 * nothing inlined.
 */
export const builtPage = ({ folder, base }) =>
  defineConfig({
    root: join(root, folder),
    base,
    plugins: [theme],
    resolve: { alias: { '@purser/sdk': join(root, 'sdk/src/index.ts') } },
    build: {
      outDir: join(root, 'dist', folder),
      emptyOutDir: true,
      // The policy of the page allows files of its own and nothing else.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/[name].[hash].js',
          chunkFileNames: 'assets/[name].[hash].js',
          assetFileNames: 'assets/[name].[hash][extname]',
        },
      },
    },
  });
