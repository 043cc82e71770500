import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DevnetError } from '../errors.ts';
import { endProcess, isAlive, ownRef, type ProcessRef, stampOf } from '../process.ts';

export interface SolanaChainOptions {
  /** Where the chain is kept between starts. Absent: in memory, for as long as it runs. */
  readonly folder?: string;
  /** JSON-RPC; web sockets are on this port and on the next one. Absent: any two that are free. */
  readonly port?: number;
  /** Default 400, as on mainnet. */
  readonly slotMs?: number;
  /** How many slots what is final is behind the newest block: 4 by default, 32 on mainnet. */
  readonly finalityLag?: number;
  /** How many transactions are remembered. Default 20,000. */
  readonly historyMax?: number;
  /** How long a start may take. Default 30 s. */
  readonly timeoutMs?: number;
}

/**
 * A running local Solana chain: an emulator around litesvm in a process of its own. No validator,
 * no network.
 */
export interface SolanaChain {
  readonly url: string;
  readonly webSocketUrl: string;
  readonly pid: number;
  /** Resolves when the process is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Until then what happened survives the end of the process; from then on that of the machine too.
   */
  save(): Promise<void>;
  /** The chain's time, in seconds since 1970. */
  time(): Promise<number>;
  /**
   * Moves the time forward, with as many slots as would have passed. Blockhashes from before expire
   * with two minutes.
   */
  advanceTime(seconds: number): Promise<void>;
  /**
   * Puts a program at an address of choice, without transactions: for what a chain holds before its
   * first use.
   */
  addProgram(address: string, file: Uint8Array): Promise<void>;
  /** Writes an account past all rules, final at once. */
  setAccount(
    address: string,
    account: { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array },
  ): Promise<void>;
  hasAccount(address: string): Promise<boolean>;
  /** Saves and ends it. May be called twice. */
  stop(): Promise<void>;
}

/** What a chain is called as a part of the devnet. */
export interface SolanaChainControl {
  /** Starts it if it does not run. @throws DevnetError one sentence */
  start(): Promise<SolanaChain>;
  stop(): Promise<void>;
  save(): Promise<void>;
  time(): Promise<number>;
  /** Where it answers while it runs. */
  url(): string | undefined;
  /** Stops it and forgets what it held; the next start begins a new chain. */
  reset(): Promise<void>;
}

const defaults = { slotMs: 400, finalityLag: 4, historyMax: 20_000, timeoutMs: 30_000 };
const callTimeoutMs = 30_000;
const signalsToEnd = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 2_000],
] as const;
const runSource = fileURLToPath(new URL('../../scripts/run-source.mjs', import.meta.url));
const program = fileURLToPath(new URL('./solana-node.ts', import.meta.url));
const refSchema = z.object({ pid: z.number().int(), stamp: z.string() });
const recordSchema = refSchema.extend({ owner: refSchema });
const readySchema = z.object({ port: z.number().int() });
const accountSchema = z.object({ value: z.unknown() });
const replySchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

export function createSolanaChain(options: SolanaChainOptions): SolanaChainControl {
  let running: Promise<SolanaChain> | undefined;
  let url: string | undefined;
  async function launch(): Promise<SolanaChain> {
    const chain = await startSolanaChain(options);
    url = chain.url;
    void chain.ended.then(forget);
    return chain;
  }
  function forget(): void {
    running = undefined;
    url = undefined;
  }
  function start(): Promise<SolanaChain> {
    running ??= launch().catch((error: unknown) => {
      forget();
      throw error;
    });
    return running;
  }
  async function stop(): Promise<void> {
    const chain = await running?.catch(() => undefined);
    await chain?.stop();
    forget();
  }
  return {
    start,
    stop,
    save: async () => (await start()).save(),
    time: async () => (await start()).time(),
    url: () => url,
    async reset() {
      await stop();
      if (options.folder !== undefined) rmSync(options.folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a local Solana chain. With a folder it goes on where it was: what was answered is kept,
 * `kill -9` included. A chain ends with the process that started it; one that did not is ended by
 * the next start.
 * @throws DevnetError one sentence: package missing, ports taken, journal unreadable, folder in
 * use, no start within the time-out
 */
export async function startSolanaChain(options: SolanaChainOptions = {}): Promise<SolanaChain> {
  const {
    folder,
    port = 0,
    slotMs,
    finalityLag,
    historyMax,
    timeoutMs,
  } = { ...defaults, ...withoutAbsent(options) };
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await endEarlier(folder);
  }
  const file = folder === undefined ? undefined : join(folder, 'journal.jsonl');
  const child = spawnNode(JSON.stringify({ file, port, slotMs, finalityLag, historyMax }), folder);
  const ref: ProcessRef = { pid: child.pid ?? 0, stamp: stampOf(child.pid ?? 0) ?? '' };
  if (folder !== undefined) writeRecord(folder, ref);
  try {
    const bound = await waitForPort(child, timeoutMs);
    return createHandle(child, { ref, port: bound, folder });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function withoutAbsent(options: SolanaChainOptions): SolanaChainOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function spawnNode(argument: string, folder: string | undefined): ChildProcess {
  const log = folder === undefined ? undefined : openSync(join(folder, 'node.log'), 'a', 0o600);
  try {
    // A session of its own, so that Ctrl-C reaches us alone; its standard input ends when we do.
    return spawn(process.execPath, [runSource, program, argument], {
      detached: true,
      stdio: ['pipe', 'pipe', log ?? 'pipe'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

async function waitForPort(child: ChildProcess, timeoutMs: number): Promise<number> {
  let complaint = '';
  child.stderr?.on('data', (part: Buffer) => {
    complaint = `${complaint}${part}`.slice(-2_000);
  });
  child.stdin?.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout! });
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    new Promise<Error>((resolve) => child.once('error', resolve)),
    new Promise<Error>((resolve) =>
      child.once('close', (code, signal) => resolve(new Error(`it ended with ${code ?? signal}`))),
    ),
    new Promise<Error>((resolve) => {
      timer = setTimeout(() => resolve(new Error('it did not answer within its time')), timeoutMs);
    }),
  ]);
  clearTimeout(timer);
  if (outcome instanceof Error)
    throw new DevnetError(
      `The local Solana chain could not start: ${outcome.message}. ${complaint.trim()}`,
    );
  return readySchema.parse(JSON.parse(outcome)).port;
}

interface HandleParts {
  readonly ref: ProcessRef;
  readonly port: number;
  readonly folder: string | undefined;
}

function createHandle(child: ChildProcess, { ref, port, folder }: HandleParts): SolanaChain {
  const url = `http://127.0.0.1:${port}`;
  const ended = isAlive(ref)
    ? new Promise<void>((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve();
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  async function stop(): Promise<void> {
    await endProcess(ref, signalsToEnd);
    if (folder !== undefined) rmSync(recordPath(folder), { force: true });
  }
  let stopping: Promise<void> | undefined;
  return {
    url,
    webSocketUrl: `ws://127.0.0.1:${port + 1}`,
    pid: ref.pid,
    ended,
    async save() {
      await call(url, 'devnet_save', []);
    },
    time: async () => z.number().parse(await call(url, 'devnet_time', [])),
    async advanceTime(seconds) {
      await call(url, 'devnet_advanceTime', [seconds]);
    },
    async addProgram(address, file) {
      await call(url, 'devnet_addProgram', [address, Buffer.from(file).toString('base64')]);
    },
    async setAccount(address, { lamports, owner, data }) {
      await call(url, 'devnet_setAccount', [
        address,
        { lamports: lamports.toString(), owner, data: Buffer.from(data).toString('base64') },
      ]);
    },
    async hasAccount(address) {
      const config = { encoding: 'base64', commitment: 'processed' };
      return (
        accountSchema.parse(await call(url, 'getAccountInfo', [address, config])).value !== null
      );
    },
    stop: () => (stopping ??= stop()),
  };
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const { result, error } = replySchema.parse(await response.json());
  if (error) throw new DevnetError(`The local Solana chain refused ${method}: ${error.message}`);
  return result;
}

const recordPath = (folder: string) => join(folder, 'node.json');

function writeRecord(folder: string, ref: ProcessRef): void {
  const draft = `${recordPath(folder)}.new`;
  writeFileSync(draft, JSON.stringify({ ...ref, owner: ownRef() }), { mode: 0o600 });
  renameSync(draft, recordPath(folder));
}

/** A journal has one writer. @throws DevnetError when a living process uses the folder */
async function endEarlier(folder: string): Promise<void> {
  if (!existsSync(recordPath(folder))) return;
  const { data: record } = recordSchema.safeParse(
    parseJson(readFileSync(recordPath(folder), 'utf8')),
  );
  if (!record || !isAlive(record)) return;
  if (isAlive(record.owner))
    throw new DevnetError(
      `The local Solana chain in ${folder} is in use (process ${record.owner.pid}): stop that one first.`,
    );
  await endProcess(record, signalsToEnd);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
