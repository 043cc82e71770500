import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findShipped } from '../../../config/folders.ts';

/** Where `npm run build` puts the library: its bundler is a package of development. */
const accessibleNamesPath = 'dist/accessible-names.js';

let read: Promise<string> | undefined;

/**
 * `dom-accessibility-api` for a page: a script that declares `accessible`, the library's functions.
 * @throws where it was not built
 */
export function accessibleNames(): Promise<string> {
  read ??= bundleAccessibleNames().then((bundled) => bundled ?? readBuilt());
  return read;
}

/** The same from the installed package; undefined where the bundler is not installed. */
export async function bundleAccessibleNames(): Promise<string | undefined> {
  const bundler = await import('esbuild').catch(() => undefined);
  if (!bundler) return undefined;
  try {
    const { outputFiles } = await bundler.build({
      stdin: {
        contents: `export { computeAccessibleName } from 'dom-accessibility-api'`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'accessible',
      write: false,
    });
    return outputFiles[0]?.text;
  } finally {
    // Else its helper process stays as long as this one.
    await bundler.stop();
  }
}

function readBuilt(): string {
  const path = findShipped(accessibleNamesPath);
  if (path === undefined)
    throw new Error(`${accessibleNamesPath} is missing: npm run build makes it.`);
  return readFileSync(path, 'utf8');
}
