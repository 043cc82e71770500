import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * It takes three seconds, and was seen to take more than a minute on a machine with ten times its
 * load.
 */
const readyMaxMs = 180_000;

/** `npm start` as a process of its own. */
export interface DevProcess {
  readonly child: ChildProcess;
  /** What it has printed so far, both streams. */
  output(): string;
  /** Resolves with its exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
  /** Itself and everything below it that runs now. */
  pids(): number[];
}

export interface DevPlace {
  readonly dataDir: string;
  readonly port: number;
  readonly chainsPort: number;
  /** The same at each start of a data folder when absent. */
  readonly vaultPort?: number;
  /** First of ten; the same at each start of a data folder when absent. */
  readonly shopsPort?: number;
}

/** Runs `npm start` without waiting for anything. */
export function spawnDev(place: DevPlace, args: readonly string[] = []): DevProcess {
  const child = spawn(
    process.execPath,
    [
      join(root, 'scripts/start.mjs'),
      '--data',
      place.dataDir,
      '--port',
      String(place.port),
      '--chains-port',
      String(place.chainsPort),
      '--vault-port',
      String(place.vaultPort ?? vaultPortOf(place.dataDir)),
      '--shops-port',
      String(place.shopsPort ?? shopsPortOf(place.dataDir)),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, output: () => text, ended, pids: () => descendantsOf(child.pid!) };
}

const vaultPorts = new Map<string, number>();

/** Below the ports that the system gives to others. */
export function vaultPortOf(dataDir: string): number {
  const port = vaultPorts.get(dataDir) ?? 20_000 + randomInt(10_000);
  vaultPorts.set(dataDir, port);
  return port;
}

const shopsPorts = new Map<string, number>();

/** Ten in a row, below those of vaults. */
export function shopsPortOf(dataDir: string): number {
  const port = shopsPorts.get(dataDir) ?? 12_000 + 10 * randomInt(800);
  shopsPorts.set(dataDir, port);
  return port;
}

/**
 * Runs `npm start` and waits until it says that it is ready.
 * @throws with what it printed when it ends before
 */
export async function startDev(place: DevPlace, args: readonly string[] = []): Promise<DevProcess> {
  const dev = spawnDev(place, args);
  let end: number | string | undefined;
  void dev.ended.then((value) => (end = value));
  for (
    const endAt = Date.now() + readyMaxMs;
    !dev.output().includes('Purser is ready.');
    await delay(50)
  ) {
    if (end === undefined && Date.now() <= endAt) continue;
    dev.child.kill('SIGTERM');
    const state = end ?? 'still starting';
    await dev.ended;
    throw new Error(`npm start did not get ready (${state}):\n${dev.output()}`);
  }
  return dev;
}

/** Runs a plain Node.js program of the project to its end. */
export async function runProgram(
  path: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | string; output: string }> {
  const child = spawn(process.execPath, [join(root, path), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal!, output };
}

export function isRunning(pid: number): boolean {
  try {
    // A zombie answers to signals, but it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const found = [pid];
  for (const one of found)
    for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

const portsGiven = new Set<number>();

/**
 * A port of 127.0.0.1 that was free a moment ago; never the same one twice, as the system may give
 * what was just closed.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  if (portsGiven.has(port)) return freePort();
  portsGiven.add(port);
  return port;
}
