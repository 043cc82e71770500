import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlStateOf } from './pg-errors.ts';
import type { Db, Store } from './types.ts';

export interface MigrateOptions {
  /** Called before each migration is applied. `index` counts from 1. */
  readonly onProgress?: (step: {
    readonly name: string;
    readonly index: number;
    readonly count: number;
  }) => void;
}

export interface MigrateResult {
  /**
   * What this call applied, in order. Empty when everything was there, or another process was
   * faster.
   */
  readonly applied: readonly string[];
  /** Applied migrations this folder does not know: the database is newer than the code. */
  readonly unknown: readonly string[];
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const migrationTimeoutMs = 15 * 60_000;
const fileName = /^\d{4,}-[a-z0-9][a-z0-9-]*\.sql$/;

/**
 * Brings a database up to the numbered SQL files of `folder`, in the order of their names, each in
 * its own transaction. Safe when several processes start at once: one applies, the others wait and
 * find it done. The first file is where every database of this version began: one that was begun
 * otherwise is refused.
 * @throws when an applied file was edited, a file's name or number is wrong, or an older version
 *   made the database.
 */
export async function migrate(
  store: Store,
  folder: string,
  options: MigrateOptions = {},
): Promise<MigrateResult> {
  const migrations = await readMigrations(folder);
  await createMigrationTables(store);
  const before = await readApplied(store);
  checkBegin(migrations, before);
  checkApplied(migrations, before);
  const pending = migrations.filter((migration) => !before.has(migration.name));
  const applied: string[] = [];
  for (const [position, migration] of pending.entries()) {
    options.onProgress?.({ name: migration.name, index: position + 1, count: pending.length });
    if (await applyMigration(store, migration)) applied.push(migration.name);
  }
  const known = new Set(migrations.map((migration) => migration.name));
  return { applied, unknown: [...before.keys()].filter((name) => !known.has(name)).sort() };
}

/**
 * Reads a folder's migrations, sorted. Line ends do not count in the checksum: git may have changed
 * them.
 */
async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Map<string, string>();
  for (const name of names) {
    if (!fileName.test(name))
      throw new Error(`Migration ${join(folder, name)}: rename it to NNNN-what-it-does.sql.`);
    const number = name.slice(0, name.indexOf('-'));
    const other = numbers.get(number);
    if (other)
      throw new Error(
        `Migrations ${other} and ${name} have the same number: renumber the newer one.`,
      );
    numbers.set(number, name);
  }
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function createMigrationTables(store: Store): Promise<void> {
  const statements = [
    `create table if not exists schema_migrations (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    // The one row is what simultaneous starts queue on: a row lock works on every engine and leaves
    // no session state.
    'create table if not exists schema_migrations_lock (id int primary key)',
    'insert into schema_migrations_lock (id) values (1) on conflict do nothing',
  ];
  for (const text of statements) {
    for (let attempt = 1; ; attempt++) {
      try {
        await store.query({ text });
        break;
      } catch (error) {
        // `if not exists` is not atomic: two that create at once collide in the catalogue, and the
        // loser looks again.
        if (!['23505', '42710', '42P07', 'XX000'].includes(sqlStateOf(error) ?? '') || attempt >= 5)
          throw error;
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
      }
    }
  }
}

async function readApplied(db: Db): Promise<Map<string, string>> {
  const { rows } = await db.query<{ name: string; checksum: string }>({
    text: 'select name, checksum from schema_migrations',
  });
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Nothing leads from the files of an older version to these: none was released. */
function checkBegin(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const first = migrations[0]?.name;
  if (first === undefined || applied.size === 0 || applied.has(first)) return;
  throw new Error(
    `This database was made by an older version (${[...applied.keys()].sort()[0]}), and nothing leads from there to this ` +
      'one. In development start with an empty folder (npm start -- --reset). Elsewhere keep this database for the version that made it, ' +
      'export from there what you need, and give this version an empty database.',
  );
}

function checkApplied(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): void {
  for (const { name, checksum } of migrations) {
    const recorded = applied.get(name);
    if (recorded !== undefined && recorded !== checksum) {
      throw new Error(
        `Migration ${name} was edited after it was applied to this database. Migrations only go forward: restore the file ` +
          'and put the change into a new one. A development database can be emptied instead.',
      );
    }
  }
}

/** True when this call applied it; false when another process did in the meantime. */
async function applyMigration(store: Store, migration: Migration): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.query({ text: 'set local statement_timeout = 0' });
    await tx.query({
      text: 'select id from schema_migrations_lock where id = 1 for update',
      timeoutMs: migrationTimeoutMs,
    });
    const applied = await readApplied(tx);
    checkApplied([migration], applied);
    if (applied.has(migration.name)) return false;
    try {
      await tx.query({ text: migration.text, timeoutMs: migrationTimeoutMs });
    } catch (error) {
      throw withMigrationName(error, migration);
    }
    await tx.query({
      text: 'insert into schema_migrations (name, checksum) values ($1, $2)',
      values: [migration.name, migration.checksum],
    });
    return true;
  });
}

/**
 * Keeps the database's own error, which carries the code that decides about a retry, and says in
 * which file and line.
 */
function withMigrationName(error: unknown, migration: Migration): unknown {
  if (!(error instanceof Error)) return error;
  const position = Number((error as { position?: string }).position);
  const line =
    Number.isInteger(position) && position > 0
      ? `:${migration.text.slice(0, position).split('\n').length}`
      : '';
  error.message = `Migration ${migration.name}${line}: ${error.message}`;
  return error;
}
