import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';
import { DevnetError, type Log } from '../errors.ts';
import { endProcess, isAlive, watchEnd } from '../process.ts';
import { startWatchdog } from '../watchdog.ts';
import { restoreClock, saveClock } from './anvil-clock.ts';
import {
  type AnvilOptions,
  launchNode,
  type NodeRecord,
  readChainId,
  readRecord,
  removeRecord,
  writeRecord,
} from './anvil-node.ts';
import { saveState, unpackState } from './anvil-state.ts';

export type { AnvilOptions } from './anvil-node.ts';

export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly chainId: number;
  /**
   * `fresh`: an empty chain; `restored`: from the state file; `adopted`: the node had outlived its
   * parent.
   */
  readonly origin: 'fresh' | 'restored' | 'adopted';
  /** Resolves when the node is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Writes the state file now: what happened before this call survives any kill. Nothing for a
   * throw-away chain.
   */
  save(): Promise<void>;
  /** Saves and ends the node. May be called twice. */
  stop(): Promise<void>;
}

const headSchema = z.object({ hash: z.string() });
const rpcTimeoutMs = 30_000;
const signalsToEnd = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 2_000],
] as const;
const saveCheckMs = 1_000;
/** A save may take this share of the time: dumps grow with the chain, and nobody waits for them. */
const savePauseFactor = 10;

/**
 * Starts a local EVM node without accounts of its own, mining each transaction at once. With a
 * state file the chain goes on where it was; its clock keeps the distance to ours that it had been
 * moved by.
 * @throws DevnetError one sentence: package missing, port taken, state unreadable, state in use, no
 * start within the time-out
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  if (options.stateFile === undefined) return startThrowAway(options);
  mkdirSync(dirname(options.stateFile), { recursive: true });
  const found = readRecord(options.stateFile);
  if (found && (await takeOver(found, options))) {
    options.log(
      `Took over the local chain ${options.chainId} that outlived its parent (process ${found.pid}).`,
    );
    writeRecord(options.stateFile, found);
    return keepSaved(
      options.stateFile,
      options.log,
      createHandle(found, 'adopted', { stateFile: options.stateFile }),
    );
  }
  const state = await unpackState(options.stateFile);
  if (state?.isBackup)
    options.log(
      `The last saved state of the local chain ${options.chainId} cannot be read: going on from the one before it.`,
    );
  try {
    const node = await launchNode(options, options.stateFile, state?.path);
    const anvil = createHandle(node.record, state ? 'restored' : 'fresh', {
      stateFile: options.stateFile,
      child: node.child,
    });
    if (state) {
      await restoreClock(anvil.url, options.stateFile).catch(async (error: unknown) => {
        await anvil.stop();
        throw error;
      });
    }
    return keepSaved(options.stateFile, options.log, anvil);
  } finally {
    if (state) rmSync(state.path, { force: true });
  }
}

async function startThrowAway(options: AnvilOptions): Promise<Anvil> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-anvil-'));
  try {
    const { record, child } = await launchNode(options, join(folder, 'node'), undefined);
    const watchdog = startWatchdog({ pid: record.pid, signal: 'TERM', folder });
    const onStopped = () => {
      watchdog.dismiss();
      rmSync(folder, { recursive: true, force: true });
    };
    return createHandle(record, 'fresh', { child, onStopped });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Ends a node that outlived its parent, saving its state. For chains that are not wanted any more.
 */
export async function endOrphan(stateFile: string, log: Log): Promise<void> {
  const record = readRecord(stateFile);
  if (!record || isAlive(record.owner) || !isAlive(record)) return;
  await createHandle(record, 'adopted', { stateFile, log }).stop();
}

/** Whether a node that outlived its parent works on this state file. */
export function hasOrphan(stateFile: string): boolean {
  const record = readRecord(stateFile);
  return record !== undefined && isAlive(record) && !isAlive(record.owner);
}

/**
 * Whether the node of this record can be used as it is. One that cannot is ended, so that the state
 * file has one writer.
 */
async function takeOver(record: NodeRecord, options: AnvilOptions): Promise<boolean> {
  if (!isAlive(record)) return false;
  if (isAlive(record.owner))
    throw new DevnetError(
      `The local chain ${options.chainId} in ${options.stateFile} is in use by another Purser (process ${record.owner.pid}): stop that one first.`,
    );
  const isWanted =
    record.chainId === options.chainId &&
    record.blockTimeS === options.blockTimeS &&
    (options.port === undefined || options.port === record.port);
  const doesAnswer = (await readChainId(record.port)) === record.chainId;
  if (isWanted && doesAnswer) return true;
  if (doesAnswer)
    await createHandle(record, 'adopted', {
      stateFile: options.stateFile!,
      log: options.log,
    }).stop();
  else await endProcess(record, signalsToEnd);
  return false;
}

interface HandleParts {
  readonly stateFile?: string;
  readonly child?: ChildProcess;
  readonly log?: Log;
  readonly onStopped?: () => void;
}

function createHandle(record: NodeRecord, origin: Anvil['origin'], parts: HandleParts): Anvil {
  const url = `http://127.0.0.1:${record.port}`;
  const { stateFile } = parts;
  let saving: Promise<void> | undefined;
  async function saveAll(file: string): Promise<void> {
    await saveClock(url, file);
    await saveState(url, file);
  }
  async function save(): Promise<void> {
    if (stateFile === undefined) return;
    // A save that runs already may have read the state before what the caller wants kept.
    while (saving) await saving.catch(() => undefined);
    saving = saveAll(stateFile).finally(() => {
      saving = undefined;
    });
    await saving;
  }
  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    if (isAlive(record))
      await save().catch((error: unknown) =>
        parts.log?.(
          `The local chain ${record.chainId} was stopped without a last save: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    await endProcess(record, signalsToEnd);
    if (stateFile !== undefined) removeRecord(stateFile);
    parts.onStopped?.();
  }
  const ended = watchEnd(record, parts.child);
  return {
    url,
    port: record.port,
    pid: record.pid,
    chainId: record.chainId,
    origin,
    ended,
    save,
    stop: () => (stopping ??= stop()),
  };
}

/** Saves whenever the head has changed, at most each second. */
function keepSaved(stateFile: string, log: Log, anvil: Anvil): Anvil {
  const rpc = createRpc({ url: anvil.url, timeoutMs: rpcTimeoutMs });
  let savedHead: string | undefined;
  let pauseUntil = 0;
  let isBusy = false;
  async function saveIfChanged(): Promise<void> {
    const head = headSchema.parse(
      await rpc.request('eth_getBlockByNumber', ['latest', false]),
    ).hash;
    if (head === savedHead) return;
    const from = Date.now();
    await anvil.save();
    savedHead = head;
    pauseUntil = Date.now() + (Date.now() - from) * savePauseFactor;
  }
  const timer = setInterval(() => {
    if (isBusy || Date.now() < pauseUntil) return;
    isBusy = true;
    saveIfChanged()
      .catch((error: unknown) => {
        if (!hasStopped)
          log(
            `The state of the local chain ${anvil.chainId} could not be saved to ${stateFile}: ${error instanceof Error ? error.message : String(error)}`,
          );
      })
      .finally(() => {
        isBusy = false;
      });
  }, saveCheckMs);
  timer.unref();
  let hasStopped = false;
  const end = () => {
    hasStopped = true;
    clearInterval(timer);
    rpc.close();
  };
  void anvil.ended.then(end);
  return {
    ...anvil,
    stop: () => {
      end();
      return anvil.stop();
    },
  };
}
