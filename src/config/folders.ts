import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the migrations of the main database lie: beside the sources, or beside the folder of the built programs. */
export function migrationsFolder(): string {
  return findFolder('main');
}

/** The same of the vault's database. */
export function vaultMigrationsFolder(): string {
  return findFolder('vault');
}

function findFolder(database: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations', database);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`The folder migrations/${database} is missing: it belongs beside the program.`);
  }
}
