import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../../devnet/postgres.ts';
import { freePort } from '../../harness/dev-process.ts';
import { ordersSchema, type ShopOrders } from './cases.ts';
import { everShopAccount, everShopOrders, everShopSetUp } from './evershop-data.ts';

/** A stranger's shop platform that npm has. */
export interface EverShop {
  readonly at: string;
  readonly readOrders: () => Promise<ShopOrders>;
  stop(): Promise<void>;
}

export const everShopVersion = '2.2.1';
/** Its build imports the second and does not name it. */
const packages = [`@evershop/evershop@${everShopVersion}`, 'concat-stream@1'];
const program = 'node_modules/@evershop/evershop/dist/bin/evershop.js';
const installMaxMs = 10 * 60_000;
const readyMaxMs = 120_000;
const answerMaxMs = 5_000;
const pollMs = 500;
const stopMaxMs = 10_000;
const outputBytesMax = 64 * 1_048_576;

/**
 * Installs EverShop from npm into a folder of its own, on a database of its own, fills it with its
 * own demonstration data and opens it.
 * @throws Error one sentence
 */
export async function startEverShop(print: (text: string) => void): Promise<EverShop> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-evershop-'));
  const closers: (() => Promise<void> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const stop = async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    print(`Installing EverShop ${everShopVersion} from npm.\n`);
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--save-exact', ...packages],
      folder,
      process.env,
    );
    const server = await startPostgres({ ephemeral: true, log: () => undefined });
    closers.push(() => server.stop());
    await query(server.url('postgres'), 'create database evershop');
    const url = server.url('evershop');
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    const env = { ...process.env, ...databaseOf(url), PORT: String(port) };
    // Its pages send to this address, whichever they were loaded from.
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/default.json'), JSON.stringify({ shop: { homeUrl: at } }));
    print('Building it.\n');
    await run(process.execPath, [program, 'build'], folder, env);
    // Its demonstration data needs its tables, which its first start makes; its settings are read
    // as it starts.
    const close = await open(folder, env, at);
    try {
      await run(process.execPath, [program, 'seed', '--all'], folder, env);
      await query(url, everShopSetUp);
    } finally {
      await close();
    }
    closers.push(await open(folder, env, at));
    await register(at);
    const readOrders = async () =>
      ordersSchema.parse((await query(url, everShopOrders)).map(({ one }) => one));
    return { at, readOrders, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const limits = { timeout: installMaxMs, maxBuffer: outputBytesMax };
  await promisify(execFile)(file, args, { cwd, env, ...limits }).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      const said = `${error.stdout ?? ''}${error.stderr ?? ''}`
        .trim()
        .split('\n')
        .slice(-5)
        .join(' ');
      throw new Error(`EverShop: ${args.join(' ')} failed: ${said || error.message}`);
    },
  );
}

/** The server of the database listens at a socket. */
function databaseOf(url: string): NodeJS.ProcessEnv {
  const { host, port, user, database } = new pg.Client({ connectionString: url });
  return {
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_PASSWORD: '',
    DB_NAME: database,
    DB_SSLMODE: 'disable',
  };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** @returns what closes it */
async function open(cwd: string, env: NodeJS.ProcessEnv, at: string): Promise<() => Promise<void>> {
  const log = join(cwd, 'evershop.log');
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, [program, 'start'], {
    cwd,
    env,
    stdio: ['ignore', out, out],
    detached: true,
  });
  const close = () => end(child);
  for (const endMs = Date.now() + readyMaxMs; ; await delay(pollMs)) {
    if (await answers(at)) return close;
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver && Date.now() < endMs) continue;
    await close();
    throw new Error(
      `EverShop did not start: ${readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' ')}`,
    );
  }
}

const answers = (at: string) =>
  fetch(at, { signal: AbortSignal.timeout(answerMaxMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** With what it has started: its scheduled jobs are a process of their own, which outlives it. */
async function end(child: ChildProcess): Promise<void> {
  const isOver = child.exitCode !== null || child.signalCode !== null;
  const ended = isOver ? undefined : once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), stopMaxMs);
  await ended;
  clearTimeout(timer);
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // All of them are gone.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function register(at: string): Promise<void> {
  const answer = await fetch(`${at}/api/customers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(everShopAccount),
    signal: AbortSignal.timeout(answerMaxMs),
  });
  if (!answer.ok)
    throw new Error(
      `EverShop takes no customer: ${answer.status} ${(await answer.text()).slice(0, 200)}`,
    );
}
