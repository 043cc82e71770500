import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './load-config.ts';

const listName = '.complete';
const wayOut = 'put it back, or start empty with npm start -- --reset';

/**
 * The secrets of these names in `<dataDir>/secrets`, 64 hexadecimal digits each, readable by their
 * owner only. They are made while the data folder holds no database. After that nothing can replace
 * one: what it sealed or signed would be lost without a word. The file `.complete` lists the names
 * made so far, so that a later version can add another kind.
 * @throws ConfigError naming the file that is missing, damaged or unreadable
 */
export function readSecrets(
  dataDir: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const folder = join(dataDir, 'secrets');
  // Before the list is read: a database that appears meanwhile does so with its secrets complete.
  const isInUse = ['postgres/data', 'chains'].some((part) => existsSync(join(dataDir, part)));
  const listed = readList(folder);
  const mayMake = (name: string) => !isInUse || (listed.size > 0 && !listed.has(name));
  const secrets = new Map(names.map((name) => [name, readIfThere(join(folder, name))]));
  const lost = names
    .filter((name) => secrets.get(name) === undefined && !mayMake(name))
    .map((name) => join(folder, name));
  if (lost.length > 0)
    throw new ConfigError(
      lost.map((path) => `The file ${path} is missing, and the database needs it: ${wayOut}.`),
    );

  const made = names.map((name) => [name, secrets.get(name) ?? makeSecret(folder, name)] as const);
  if (names.some((name) => !listed.has(name)))
    replaceFile(folder, listName, `${[...new Set([...listed, ...names])].join('\n')}\n`);
  return new Map(made);
}

function readList(folder: string): ReadonlySet<string> {
  const text = readText(join(folder, listName)) ?? '';
  return new Set(text.split('\n').filter((line) => line !== ''));
}

/**
 * The file gets its name only once it is whole, by a link that fails when another process was
 * first: two simultaneous starts agree.
 */
function makeSecret(folder: string, name: string): string {
  const path = join(folder, name);
  const draft = writeDraft(folder, name, `${randomBytes(32).toString('hex')}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems know no links: there the last of two simultaneous first starts wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return readIfThere(path)!;
}

function replaceFile(folder: string, name: string, text: string): void {
  renameSync(writeDraft(folder, name, text), join(folder, name));
}

function writeDraft(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${name}.${process.pid}.${randomBytes(4).toString('hex')}`);
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}

function readIfThere(path: string): string | undefined {
  const text = readText(path)?.trim();
  if (text === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new ConfigError([
      `The file ${path} is damaged, it should hold 64 hexadecimal digits: ${wayOut}.`,
    ]);
  chmodSync(path, 0o600);
  return text;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError([
      `The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}): ${wayOut}.`,
    ]);
  }
}
