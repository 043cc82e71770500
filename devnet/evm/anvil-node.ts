import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';
import { DevnetError, type Log } from '../errors.ts';
import { ownRef, stampOf } from '../process.ts';

export interface AnvilOptions {
  readonly chainId: number;
  readonly log: Log;
  /**
   * Where the chain is kept between starts. Absent: a throw-away chain that ends with this process.
   */
  readonly stateFile?: string;
  /** Absent: any free port. */
  readonly port?: number;
  /** Absent: a block for each transaction, at once. */
  readonly blockTimeS?: number;
  /** Rules of an older EVM, e.g. `cancun`, which has no EIP-7702; the newest by default. */
  readonly hardfork?: string | undefined;
  /** How long a start may take. Default 30 s. */
  readonly timeoutMs?: number;
}

/**
 * What is written beside the state file, so that a node that outlived its parent is found again.
 */
const recordSchema = z.object({
  pid: z.number().int(),
  stamp: z.string(),
  port: z.number().int(),
  chainId: z.number().int(),
  blockTimeS: z.number().optional(),
  owner: z.object({ pid: z.number().int(), stamp: z.string() }),
});
export type NodeRecord = z.infer<typeof recordSchema>;

const timeoutDefaultMs = 30_000;
const pollMs = 15;
const portAttemptsMax = 5;
const logBytesMax = 5 * 1024 * 1024;
/**
 * Reorganisations and reads of old states reach back this many blocks. By default anvil keeps a
 * whole copy of the state for each block, in memory and then in files: 2,000 transfers to new
 * accounts took 61 s of CPU and 3.7 GB of disk, with the limit 5 s and nothing.
 */
const statesKept = '128';
const blockGasLimit = '300000000';

/** The anvil executable of the npm package for this machine. */
export function findAnvil(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const packageName = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`;
  try {
    const require = createRequire(
      createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'),
    );
    return join(
      dirname(require.resolve(`${packageName}/package.json`)),
      'bin',
      platform === 'win32' ? 'anvil.exe' : 'anvil',
    );
  } catch (cause) {
    throw new DevnetError(
      `The npm package ${packageName} with the local chain for this machine is not installed: run \`npm ci\` without --omit=optional.`,
      { cause },
    );
  }
}

/** Who answers on this port; undefined when nobody does. */
export async function readChainId(port: number): Promise<number | undefined> {
  const rpc = createRpc({ url: `http://127.0.0.1:${port}`, timeoutMs: 2_000 });
  try {
    return Number(await rpc.request('eth_chainId'));
  } catch {
    return undefined;
  } finally {
    rpc.close();
  }
}

/**
 * Starts a node and waits until it answers. Its record is written as soon as there is a process:
 * from then on a kill of this one leaves nothing that the next start cannot find.
 * @param base path without ending, for the log and the record of this node
 */
export async function launchNode(
  options: AnvilOptions,
  base: string,
  statePath: string | undefined,
): Promise<{ record: NodeRecord; child: ChildProcess }> {
  const binary = findAnvil();
  const endAt = Date.now() + (options.timeoutMs ?? timeoutDefaultMs);
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(options.port);
    if (port === undefined)
      throw new DevnetError(
        `Port ${options.port} for the local chain ${options.chainId} is in use: free it, or choose another.`,
      );
    const logFile = `${base}.log`;
    const logFrom = trimLog(logFile);
    const child = spawnNode(binary, options, port, logFile, statePath);
    const failure = waitForFailure(child);
    const record: NodeRecord = {
      pid: child.pid ?? 0,
      stamp: stampOf(child.pid ?? 0) ?? '',
      port,
      chainId: options.chainId,
      blockTimeS: options.blockTimeS,
      owner: ownRef(),
    };
    writeRecord(base, record);
    const outcome = await waitUntilAnswering(failure, port, options.chainId, endAt);
    child.unref();
    if (outcome === 'ready') return { record, child };
    child.kill('SIGKILL');
    removeRecord(base);
    const lines = readFileSync(logFile, 'utf8')
      .slice(logFrom)
      .trim()
      .split('\n')
      .slice(-4)
      .join('\n  ');
    // Somebody else took the free port between our look and the node's.
    if (/address already in use/i.test(lines) && attempt < portAttemptsMax) continue;
    throw new DevnetError(`The local chain ${options.chainId} ${outcome}.\n  ${lines}`);
  }
}

/** @returns where the output of this start begins */
function trimLog(logFile: string): number {
  if (!existsSync(logFile)) return 0;
  if (statSync(logFile).size <= logBytesMax) return statSync(logFile).size;
  truncateSync(logFile);
  return 0;
}

function spawnNode(
  binary: string,
  options: AnvilOptions,
  port: number,
  logFile: string,
  statePath: string | undefined,
): ChildProcess {
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(options.chainId),
    '--accounts',
    '0',
    '--gas-limit',
    blockGasLimit,
    '--prune-history',
    statesKept,
    '--no-request-size-limit',
    '--quiet',
    ...(options.blockTimeS === undefined ? [] : ['--block-time', String(options.blockTimeS)]),
    ...(options.hardfork === undefined ? [] : ['--hardfork', options.hardfork]),
    ...(statePath === undefined ? [] : ['--load-state', statePath]),
  ];
  const output = openSync(logFile, 'a', 0o600);
  try {
    // Its own session: Ctrl-C reaches us alone. Its output goes to a file, which outlives us.
    return spawn(binary, args, {
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: '/usr/bin:/bin', HOME: dirname(logFile), TMPDIR: tmpdir() },
    });
  } finally {
    closeSync(output);
  }
}

/** Resolves with what befell the node. */
function waitForFailure(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(`could not start: it ended with ${code ?? signal}`),
    );
    child.once('error', (cause) => resolve(`could not start: ${cause.message}`));
  });
}

async function waitUntilAnswering(
  failure: Promise<string>,
  port: number,
  chainId: number,
  endAt: number,
): Promise<string> {
  while (Date.now() < endAt) {
    const answer = await Promise.race([readChainId(port), failure]);
    if (typeof answer === 'string') return answer;
    if (answer === chainId) return 'ready';
    const news = await Promise.race([delay(pollMs), failure]);
    if (typeof news === 'string') return news;
  }
  return 'did not answer within its time';
}

/** A port that nobody listens on: the wanted one (undefined when it is taken), or any. */
async function findFreePort(wanted: number | undefined): Promise<number | undefined> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(wanted ?? 0, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return undefined;
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : undefined;
}

const recordFile = (base: string) => `${base}.pid`;

/** The node that was started last for this base; undefined when it was stopped in order. */
export function readRecord(base: string): NodeRecord | undefined {
  if (!existsSync(recordFile(base))) return undefined;
  const parsed = recordSchema.safeParse(parseJson(readFileSync(recordFile(base), 'utf8')));
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Notes the node as ours. */
export function writeRecord(base: string, record: NodeRecord): void {
  const draft = `${recordFile(base)}.new`;
  writeFileSync(draft, JSON.stringify({ ...record, owner: ownRef() }), { mode: 0o600 });
  renameSync(draft, recordFile(base));
}

export function removeRecord(base: string): void {
  rmSync(recordFile(base), { force: true });
}
