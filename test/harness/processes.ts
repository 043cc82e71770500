import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programArgs } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A program of the service as a process of its own, with nothing of our environment but the path.
 */
export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  /** Standard output and error so far. */
  output(): string;
  /** Code and signal of its end. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends the signal and waits; after 30 s it is killed. */
  stop(
    signal?: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface ServiceProcessInput {
  readonly name: string;
  /**
   * What node runs: a source below the root (`bin/api.ts`), or a built file (`dist/bin/api.js`).
   */
  readonly program: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * File for the output instead of memory: reading a pipe costs the reader CPU. `output` is empty
   * then.
   */
  readonly outputFile?: string;
}

const killAfterMs = 30_000;
const outputCharsMax = 50_000_000;
const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));

/** Starts a program. */
export function startProcess(input: ServiceProcessInput): ServiceProcess {
  const file = input.outputFile === undefined ? 'pipe' : openSync(input.outputFile, 'a', 0o600);
  const child = spawn(
    process.execPath,
    [...(input.nodeArgs ?? []), ...programArgs(input.program), ...(input.args ?? [])],
    {
      cwd: input.cwd ?? root,
      env: { PATH: process.env.PATH ?? '', ...input.env },
      stdio: ['ignore', file, file],
    },
  );
  if (file !== 'pipe') closeSync(file);
  started.add(child);
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= outputCharsMax) chunks.push(chunk);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        started.delete(child);
        resolve({ code, signal });
      });
    },
  );
  return {
    name: input.name,
    pid: child.pid ?? 0,
    output: () => Buffer.concat(chunks).toString('utf8'),
    ended,
    async stop(signal = 'SIGTERM') {
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      child.kill(signal);
      try {
        return await ended;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Stops a process where it stands, as SIGSTOP does, and waits until it does: a busy machine lets
 * its threads run on for a while, and they still answer. Resolves at once where there is no
 * `/proc`.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  if (process.platform !== 'linux') return;
  const isStopped = (thread: string) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return stat.startsWith('T', stat.lastIndexOf(')') + 2);
    } catch {
      // A thread that has ended since it was listed.
      return true;
    }
  };
  for (
    const endMs = Date.now() + killAfterMs;
    !readdirSync(`/proc/${pid}/task`).every(isStopped);
    await delay(5)
  ) {
    if (Date.now() > endMs) throw new Error(`Process ${pid} goes on after SIGSTOP.`);
  }
}

/**
 * Waits until the address answers 200.
 * @throws Error with the program's output when it ends first, or after the time-out
 */
export async function waitUntilReady(
  url: string,
  process: ServiceProcess,
  timeoutMs = 60_000,
): Promise<void> {
  let ending: string | undefined;
  void process.ended.then(
    ({ code, signal }) => (ending = `ended with ${code ?? signal}`),
    (error: Error) => (ending = error.message),
  );
  for (
    const endAt = Date.now() + timeoutMs;
    ;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    if (ending === undefined && Date.now() < endAt) continue;
    throw new Error(
      `${process.name} ${ending ?? `answers ${status ?? 'nothing'} at ${url} after ${timeoutMs} ms`}:\n${process.output().slice(-4_000)}`,
    );
  }
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
