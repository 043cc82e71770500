import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DevnetError, hasCode, type Log } from './errors.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { makeThrowAwayFolder } from './memory-folder.ts';
import { placeBinaries } from './postgres-binaries.ts';
import {
  findPostmaster,
  ownFolder,
  type Postmaster,
  prepareSite,
  readLines,
  removeStrangersLocks,
  type Site,
  tail,
} from './postgres-site.ts';
import { endProcess, isAlive, type ProcessRef, watchEnd } from './process.ts';
import { startWatchdog } from './watchdog.ts';

export interface PostgresOptions {
  readonly log: Log;
  /** Where everything of this server lives; made when missing. Not with `ephemeral`. */
  readonly dataDir?: string;
  /**
   * A throw-away server: own temporary folder, no fsync, gone with `stop` or with the death of this
   * process.
   */
  readonly ephemeral?: boolean;
  /** How long a start may take, recovery after a crash included. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface Postgres {
  readonly pid: number;
  /** True when the server had outlived its parent and was taken over. */
  readonly adopted: boolean;
  /**
   * Address of a database on this server, for `pg` and for anything else that reads libpq
   * addresses.
   */
  url(database: string): string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Ends the server, the taken-over one as well, and gives the data folder free. May be called
   * twice.
   */
  stop(): Promise<void>;
}

const superuser = 'purser';
const majorVersion = '18';
const timeoutDefaultMs = 30_000;
const pollMs = 25;
const logBytesMax = 10 * 1024 * 1024;
const draftPrefix = 'data.new-';
const draftTriesMax = 80;
const draftPauseMs = 50;

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '64MB',
  // No replicas here: less to write, and three processes fewer.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
} as const;
const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The worlds of several tests at once share one server.
  max_connections: '400',
} as const;

/**
 * Starts the embedded PostgreSQL 18, or takes over the one that outlived a killed parent. Reached
 * over a unix socket in a folder of mode 0700 only; whoever may enter that folder is trusted.
 * @throws DevnetError one sentence: folder in use, broken, of another version; package missing; no
 * start within the time-out
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const ephemeral = options.ephemeral ?? false;
  const folder = ephemeral
    ? makeThrowAwayFolder('purser-pg-')
    : resolve(options.dataDir ?? missingDataDir());
  const lock = await lockFolder(folder);
  try {
    const site = prepareSite(folder, ephemeral);
    const endAt = Date.now() + (options.timeoutMs ?? timeoutDefaultMs);
    const running = await adopt(site, endAt);
    if (running) {
      options.log(`Took over the PostgreSQL that outlived its parent (process ${running.pid}).`);
      return createHandle({ ...site, socketDir: running.socketDir }, running, lock, true);
    }
    return createHandle(site, await startServer(site, options.log, endAt), lock, false);
  } catch (error) {
    lock.release();
    if (ephemeral) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Deletes a data folder, with the server that may have outlived its parent in it.
 * @throws DevnetError when another Purser uses it
 */
export async function removePostgres(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  if (!existsSync(folder)) return;
  const lock = await lockFolder(folder);
  try {
    const site = prepareSite(folder, false);
    const found = findPostmaster(site);
    if (found)
      await endProcess(found, [
        ['SIGQUIT', 5_000],
        ['SIGKILL', 2_000],
      ]);
    rmSync(site.socketDir, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

/**
 * Makes sure that the server of `url` has a database of this name.
 * @param url address of any database on the server, e.g. `postgres.url('postgres')`
 */
export async function createDatabaseIfMissing(url: string, name: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw new DevnetError(
      `"${name}" cannot be a database name: use a-z, 0-9 and _, at most 63 of them.`,
    );
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${name}`);
  } catch (error) {
    // Two at once: 42P04 when the other was done, 23505 when it was still at it.
    if (!hasCode(error, '42P04', '23505')) throw error;
  } finally {
    await client.end();
  }
}

function missingDataDir(): never {
  throw new DevnetError('startPostgres needs `dataDir`, or `ephemeral: true`.');
}

/**
 * Takes over a server that outlived its parent. One that is on its way down is waited for instead.
 */
async function adopt(site: Site, endAt: number): Promise<Postmaster | undefined> {
  for (let found = findPostmaster(site); found !== undefined; found = findPostmaster(site)) {
    if (found.ready && (await answers(found.socketDir))) return found;
    if (Date.now() > endAt)
      throw new DevnetError(
        `A PostgreSQL (process ${found.pid}) holds ${site.data} and does not answer: end it with \`kill -INT ${found.pid}\` and start again.${tail(site, 0)}`,
      );
    await delay(pollMs);
  }
  return undefined;
}

async function answers(socketDir: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(socketDir, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startServer(site: Site, log: Log, endAt: number): Promise<ProcessRef> {
  const native = placeBinaries(site.user, log);
  await initialise(site, native, log, endAt);
  removeStrangersLocks(site);
  if (existsSync(site.logFile) && statSync(site.logFile).size > logBytesMax)
    truncateSync(site.logFile);
  const values = {
    ...settings,
    ...(site.ephemeral ? throwAwaySettings : {}),
    unix_socket_directories: site.socketDirOfServer,
  };
  const args = [
    '-D',
    site.dataOfServer(site.data),
    ...Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
  for (;;) {
    const logFrom = existsSync(site.logFile) ? statSync(site.logFile).size : 0;
    const child = launch(site, join(native, 'bin', 'postgres'), args, site.data);
    const outcome = await waitUntilReady(site, child, endAt);
    child.unref();
    if (outcome !== 'ended' && outcome !== 'late') return outcome;
    const lines = tail(site, logFrom);
    if (outcome === 'late')
      throw new DevnetError(`PostgreSQL did not start within its time.${lines}`);
    // Workers of a killed server need a moment to notice; until then they hold its memory.
    const isLeftover = /shared memory block|lock file .* already exists|could not bind/.test(lines);
    if (!isLeftover || Date.now() > endAt)
      throw new DevnetError(
        `PostgreSQL could not start with the data folder ${site.data}: mend it, or start empty with \`npm start -- --reset\`.${lines}`,
      );
    await delay(200);
  }
}

/**
 * An initdb that outlived its parent may still write into its draft for a moment, which then is not
 * empty when it is to go; it ends by itself when its files are gone. What is left after 4 s stays
 * for the next start. (Node.js 24 retries no full folder.)
 */
async function removeDraft(path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EBUSY')) throw error;
      if (tries === draftTriesMax) return;
      await delay(draftPauseMs);
    }
  }
}

/**
 * Makes the database files once. They appear under their name only when complete, so a kill leaves
 * nothing half-made.
 */
async function initialise(site: Site, native: string, log: Log, endAt: number): Promise<void> {
  for (const name of readdirSync(site.folder))
    if (name.startsWith(draftPrefix)) await removeDraft(join(site.folder, name));
  const version = readLines(join(site.data, 'PG_VERSION'))[0];
  if (version === majorVersion) return;
  if (version !== undefined)
    throw new DevnetError(
      `The database in ${site.data} was made by PostgreSQL ${version}, and this is ${majorVersion}: start empty with \`npm start -- --reset\`, or use the Purser that made it.`,
    );
  if (existsSync(site.data))
    throw new DevnetError(
      `The folder ${site.data} exists but holds no complete database: mend it, or start empty with \`npm start -- --reset\`.`,
    );
  // A new name each time: an initdb that outlived its parent clears up its own draft, not ours.
  const draft = mkdtempSync(join(site.folder, draftPrefix));
  ownFolder(draft, site.user);
  log('Making the database files (once).');
  const logFrom = existsSync(site.logFile) ? statSync(site.logFile).size : 0;
  const args = [
    '-D',
    site.dataOfServer(draft),
    '-U',
    superuser,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  const child = launch(
    site,
    join(native, 'bin', 'initdb'),
    site.ephemeral ? [...args, '--no-sync'] : args,
    draft,
  );
  const code = await Promise.race([
    waitForExit(child),
    delay(Math.max(0, endAt - Date.now()), 'late' as const, { ref: false }),
  ]);
  if (code !== 0) {
    child.kill('SIGKILL');
    throw new DevnetError(
      `The database files could not be made in ${site.folder}${code === 'late' ? ' in time: is this machine busy?' : '.'}${tail(site, logFrom)}`,
    );
  }
  renameSync(draft, site.data);
}

/**
 * Its own session, so that Ctrl-C reaches us alone and we stop it in order; its output goes to a
 * file, which outlives us.
 */
function launch(site: Site, command: string, args: readonly string[], cwd: string): ChildProcess {
  const output = openSync(site.logFile, 'a', 0o600);
  try {
    return spawn(command, args, {
      ...site.user,
      cwd,
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
  } finally {
    closeSync(output);
  }
}

function waitForExit(child: ChildProcess): Promise<number | string> {
  return new Promise((resolveExit, reject) => {
    child.once('exit', (code, signal) => resolveExit(code ?? signal ?? 'unknown'));
    child.once('error', (cause) =>
      reject(
        new DevnetError(
          `${basename(child.spawnfile)} could not be run as the database's user: ${cause.message}.`,
          { cause },
        ),
      ),
    );
  });
}

async function waitUntilReady(
  site: Site,
  child: ChildProcess,
  endAt: number,
): Promise<ProcessRef | 'ended' | 'late'> {
  let hasEnded = false;
  const exit = waitForExit(child).then(() => {
    hasEnded = true;
  });
  // Read below; here only so that a refusal to spawn is not an unhandled one.
  exit.catch(() => undefined);
  for (;;) {
    await Promise.race([exit, delay(pollMs)]);
    if (hasEnded) return 'ended';
    const found = findPostmaster(site);
    if (found?.pid === child.pid && found?.ready && (await answers(site.socketDir))) return found;
    if (Date.now() <= endAt) continue;
    if (found)
      await endProcess(found, [
        ['SIGINT', 5_000],
        ['SIGKILL', 2_000],
      ]);
    return 'late';
  }
}

function urlOf(socketDir: string, database: string): string {
  return `postgres://${superuser}@/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDir)}`;
}

function createHandle(
  site: Site,
  server: ProcessRef,
  lock: FolderLock,
  adopted: boolean,
): Postgres {
  const watchdog = site.ephemeral
    ? startWatchdog({ pid: server.pid, signal: 'QUIT', folder: site.folder })
    : undefined;
  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    // SIGINT is PostgreSQL's "fast": it disconnects everybody, writes a checkpoint and leaves.
    if (isAlive(server))
      await endProcess(server, [
        ['SIGINT', 20_000],
        ['SIGQUIT', 5_000],
        ['SIGKILL', 2_000],
      ]);
    watchdog?.dismiss();
    if (site.ephemeral) rmSync(site.folder, { recursive: true, force: true });
    if (!site.socketDir.startsWith(site.folder))
      rmSync(site.socketDir, { recursive: true, force: true });
    lock.release();
  }
  return {
    pid: server.pid,
    adopted,
    ended: watchEnd(server),
    url: (database) => urlOf(site.socketDir, database),
    stop: () => (stopping ??= stop()),
  };
}
