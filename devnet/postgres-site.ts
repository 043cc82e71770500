import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DevnetError, hasCode } from './errors.ts';
import {
  canEnter,
  chooseServerUser,
  findOpenFolder,
  type ServerUser,
} from './postgres-binaries.ts';
import { type ProcessRef, stampOf, worksIn } from './process.ts';

/** Where things are, and as whom. */
export interface Site {
  readonly folder: string;
  readonly data: string;
  readonly logFile: string;
  readonly user: ServerUser;
  /** Socket folder for clients. */
  readonly socketDir: string;
  /** The same for the server, which may not be able to walk there from the root. */
  readonly socketDirOfServer: string;
  /** `-D` of the server. */
  readonly dataOfServer: (path: string) => string;
  readonly ephemeral: boolean;
}

/** What `postmaster.pid` says of a server. */
export interface Postmaster extends ProcessRef {
  readonly socketDir: string;
  readonly ready: boolean;
}

/** `sun_path` has 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const socketPathBytesMax = 103;
const socketName = '.s.PGSQL.5432';

/** Makes the folders of a server, in places and with owners that its user can work with. */
export function prepareSite(folder: string, ephemeral: boolean): Site {
  // Group and others may pass through, not look in: what is inside has its own, stricter mode.
  chmodSync(folder, 0o711);
  const data = join(folder, 'data');
  const user = chooseServerUser(data);
  const reachable = canEnter(folder, user);
  const inFolder = join(folder, 'socket');
  const fits = Buffer.byteLength(join(inFolder, socketName)) <= socketPathBytesMax;
  const socketDir = fits
    ? inFolder
    : join(
        findOpenFolder(user),
        `purser-pg-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
      );
  const socketDirOfServer = reachable || !fits ? socketDir : '../socket';
  ownFolder(socketDir, user);
  const dataOfServer = reachable ? (path: string) => path : () => throughWorkingDirectory(folder);
  return {
    folder,
    data,
    logFile: join(folder, 'postgres.log'),
    user,
    socketDir,
    socketDirOfServer,
    dataOfServer,
    ephemeral,
  };
}

/**
 * A data folder below /root is closed to the server's user, who could not even name it. The working
 * directory is set while we are still root, and Linux lets a process reach its own by this link
 * whatever lies above.
 */
function throughWorkingDirectory(folder: string): string {
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new DevnetError(
    `The database's user (nobody) cannot enter ${folder}: run Purser as another user than root, or name a data folder that everybody may enter.`,
  );
}

/** A folder of mode 0700 that belongs to the server's user. */
export function ownFolder(folder: string, user: ServerUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = statSync(folder).uid;
  const wanted = user.uid ?? process.getuid?.();
  if (owner !== wanted && owner !== process.getuid?.())
    throw new DevnetError(
      `The folder ${folder} belongs to somebody else: remove it and start again.`,
    );
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

/** The postmaster that works in this data folder; undefined when none does. */
export function findPostmaster(site: Site): Postmaster | undefined {
  const lines = readLines(join(site.data, 'postmaster.pid'));
  const pid = Number(lines[0]);
  const stamp = stampOf(pid);
  if (stamp === undefined || !worksIn(pid, site.data)) return undefined;
  const socketDir = lines[4]?.startsWith('/') ? lines[4] : site.socketDir;
  return { pid, stamp, socketDir, ready: lines[7]?.trim() === 'ready' };
}

/** Lines of a small file; none when it is not there. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/**
 * After a reboot, or in a new container, the pid in a lock file may be somebody else's, and
 * PostgreSQL would then refuse to start. The lock of a dead process is left alone: it leads the
 * server to the memory that must be gone first.
 */
export function removeStrangersLocks(site: Site): void {
  for (const file of [
    join(site.data, 'postmaster.pid'),
    join(site.socketDir, `${socketName}.lock`),
  ]) {
    const pid = Number(readLines(file)[0]);
    if (stampOf(pid) !== undefined && !worksIn(pid, site.data)) rmSync(file, { force: true });
  }
}

/** The last lines of the server's log since a position, as the end of an error's sentence. */
export function tail(site: Site, from: number): string {
  if (!existsSync(site.logFile)) return '';
  const size = statSync(site.logFile).size;
  const start = Math.max(Math.min(from, size), size - 4096);
  const bytes = Buffer.alloc(size - start);
  const file = openSync(site.logFile, 'r');
  readSync(file, bytes, 0, bytes.length, start);
  closeSync(file);
  const lines = bytes.toString('utf8').trim().split('\n').slice(-6).join('\n  ');
  return `\n  The last lines of ${site.logFile}:\n  ${lines}`;
}
