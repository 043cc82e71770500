import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where the migrations of the main database lie: beside the sources, or beside the folder of the
 * built programs.
 */
export function migrationsFolder(): string {
  return findMigrations('main');
}

/** The same of the vault's database. */
export function vaultMigrationsFolder(): string {
  return findMigrations('vault');
}

/**
 * The built pages of the console: in the image beside the programs, of a development instance
 * beside its sources.
 */
export const consoleFolder = (): string => builtFolder('console');

/** The same of the page on which users approve. */
export const approvalPageFolder = (): string => builtFolder('approve');

function builtFolder(name: string): string {
  return (
    findShipped(join('dist', name)) ??
    join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', name)
  );
}

/**
 * A file or folder of the project by its path, e.g. `docs/guides`; undefined where it was not
 * shipped.
 */
export function findShipped(path: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, path);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

function findMigrations(database: string): string {
  const found = findShipped(join('migrations', database));
  if (found === undefined)
    throw new Error(`The folder migrations/${database} is missing: it belongs beside the program.`);
  return found;
}
