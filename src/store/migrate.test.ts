import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  migrationsFolder,
  startTestDatabase,
  type TestDatabase,
} from '../../test/harness/database.ts';
import { programArgs } from '../../test/harness/programs.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await startTestDatabase({ empty: true });
  folder = await mkdtemp(join(tmpdir(), 'purser-migrations-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const put = (name: string, text: string) => writeFile(join(folder, name), text);
const tables = async () =>
  (
    await database.store.query<{ name: string }>({
      text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'schema_%' order by 1`,
    })
  ).rows.map(({ name }) => name);

test('migrations are applied once, in the order of their numbers, with progress', async () => {
  await put('0002-second.sql', 'alter table a add column b int; create table b (id int);');
  await put('0001-first-with-a-long-name.sql', 'create table a (id int);');
  await put('notes.txt', 'not a migration');
  const steps: string[] = [];
  const result = await migrate(database.store, folder, {
    onProgress: ({ name, index, count }) => steps.push(`${index}/${count} ${name}`),
  });
  expect(result).toEqual({
    applied: ['0001-first-with-a-long-name.sql', '0002-second.sql'],
    unknown: [],
  });
  expect(steps).toEqual(['1/2 0001-first-with-a-long-name.sql', '2/2 0002-second.sql']);
  expect(await migrate(database.store, folder)).toEqual({ applied: [], unknown: [] });
  await put('0003-third.sql', 'create table c (id int);');
  expect((await migrate(database.store, folder)).applied).toEqual(['0003-third.sql']);
  expect(await tables()).toEqual(['a', 'b', 'c']);
});

test('a migration that fails leaves nothing of itself and names its file and line', async () => {
  await put('0001-good.sql', 'create table a (id int);');
  await put('0002-bad.sql', 'create table b (id int);\n\ncreate tabel c (id int);');
  await expect(migrate(database.store, folder)).rejects.toThrow(
    /^Migration 0002-bad\.sql:3: syntax error/,
  );
  expect(await tables()).toEqual(['a']);
  await put('0002-bad.sql', 'create table b (id int);');
  expect((await migrate(database.store, folder)).applied).toEqual(['0002-bad.sql']);
});

test('an applied migration that was edited is refused; other line ends are no edit', async () => {
  await put('0001-a.sql', 'create table a (\n  id int\n);\n');
  await migrate(database.store, folder);
  await put('0001-a.sql', 'create table a (\r\n  id int\r\n);\r\n');
  expect((await migrate(database.store, folder)).applied).toEqual([]);
  await put('0001-a.sql', 'create table a (id bigint);');
  await expect(migrate(database.store, folder)).rejects.toThrow(
    'Migration 0001-a.sql was edited after it was applied',
  );
});

test('a database that an older version began is refused with what to do, and stays as it is', async () => {
  await put('0001-older.sql', 'create table a (id int);');
  await migrate(database.store, folder);
  await rm(join(folder, '0001-older.sql'));
  await put('0001-begin.sql', 'create table b (id int);');
  await expect(migrate(database.store, folder)).rejects.toThrow(
    /made by an older version \(0001-older\.sql\).*npm start -- --reset.*empty database/,
  );
  expect(await tables()).toEqual(['a']);
});

test('names that leave the order open are refused', async () => {
  await put('0001-a.sql', '');
  await put('0001-b.sql', '');
  await expect(migrate(database.store, folder)).rejects.toThrow(
    '0001-a.sql and 0001-b.sql have the same number',
  );
  await put('0001-b.sql', '');
  await rm(join(folder, '0001-b.sql'));
  await put('Add Users.sql', '');
  await expect(migrate(database.store, folder)).rejects.toThrow(
    'rename it to NNNN-what-it-does.sql',
  );
});

test('what a newer version applied is reported, not refused: old and new run side by side during an update', async () => {
  await put('0001-a.sql', 'create table a (id int);');
  await put('0002-b.sql', 'create table b (id int);');
  await migrate(database.store, folder);
  await rm(join(folder, '0002-b.sql'));
  expect(await migrate(database.store, folder)).toEqual({ applied: [], unknown: ['0002-b.sql'] });
});

test('five processes that start at once apply every migration once', { tags: 'slow' }, async () => {
  const child = programArgs('src/store/migrate-child.ts');
  const runs = Array.from({ length: 5 }, () =>
    promisify(execFile)(process.execPath, [...child, database.url, migrationsFolder]),
  );
  const applied = (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  const recorded = await database.store.query<{ name: string }>({
    text: 'select name from schema_migrations order by name',
  });
  expect(applied.length).toBeGreaterThan(2);
  expect(applied.sort()).toEqual(recorded.rows.map(({ name }) => name));
});
