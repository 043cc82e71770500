import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { addresses } from '../../../../contracts/index.ts';
import type { EvmConfig } from '../../../config/config.ts';
import type { Store } from '../../../store/types.ts';
import type { Running } from '../../family.ts';
import type { EvmNetwork } from '../config/networks.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { ChainFollower, type WatcherEntrances } from './follower.ts';
import { HistoryChangedError } from './reading/read-node.ts';
import {
  claimChain,
  type Lease,
  LeaseLostError,
  recordHeartbeat,
  releaseChain,
  watchChain,
} from './store.ts';

export interface WatcherDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly config: Pick<EvmConfig, 'watcher'>;
  readonly rpc: (chain: string) => RpcClient;
  /** Networks this process can reach. Only those in use (`watchChain`) are followed. */
  readonly networks: readonly EvmNetwork[];
  readonly entrances: WatcherEntrances;
  /** Shown with the leases; need not be unique. */
  readonly workerName: string;
  /**
   * Follow every network from the start, as production does; otherwise from a chain's first use on.
   */
  readonly followAll?: boolean;
  /** How long a dead worker's chains wait for another; default 10 s. */
  readonly leaseMs?: number;
}

const leaseDefaultMs = 10_000;
const claimEveryMs = 1_000;
const claimsPerBeatMax = 8;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;
/** A step that takes longer hangs: the lease is let go, so that another worker tries. */
const stepMaxMs = 300_000;
/** So many changes under our hands in a row are no reorganisation any more. */
const historyChangesMax = 20;

/**
 * Follows the chains in use, one follower per chain among any number of workers: a chain belongs to
 * whoever holds its lease, and its fence keeps a worker that was away too long from writing.
 */
export async function runWatcher(deps: WatcherDeps): Promise<Running> {
  if (deps.followAll)
    for (const network of deps.networks) await watchChain(deps.store, network.name);
  const stopping = new AbortController();
  const followers = new Map<string, Promise<void>>();
  const done = claimChains(deps, followers, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await done;
      await Promise.all(followers.values());
    },
  };
}

async function claimChains(
  deps: WatcherDeps,
  followers: Map<string, Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  const networks = new Map(deps.networks.map((network) => [network.name, network]));
  const owner = `${deps.workerName}:${randomUUID()}`;
  while (!signal.aborted) {
    try {
      for (let claims = 0; claims < claimsPerBeatMax && !signal.aborted; claims++) {
        const chains = [...networks.keys()].filter((chain) => !followers.has(chain));
        const lease =
          chains.length === 0
            ? undefined
            : await claimChain(deps.store, {
                chains,
                owner,
                leaseMs: deps.leaseMs ?? leaseDefaultMs,
              });
        if (!lease) break;
        followers.set(
          lease.chain,
          followChain(deps, networks.get(lease.chain)!, lease, signal).finally(() =>
            followers.delete(lease.chain),
          ),
        );
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'chains to follow could not be looked up');
    }
    await pause(claimEveryMs, signal);
  }
}

/**
 * Follows one chain until told to stop or the lease is lost. Never throws: a broken chain disturbs
 * no other.
 */
async function followChain(
  deps: WatcherDeps,
  network: EvmNetwork,
  lease: Lease,
  stopping: AbortSignal,
): Promise<void> {
  const leaseMs = deps.leaseMs ?? leaseDefaultMs;
  const log = deps.log.child({ chain: lease.chain });
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const startHeight = deps.config.watcher.startHeights?.get(lease.chain);
  const follower = new ChainFollower(
    {
      ...deps,
      log,
      rpc: deps.rpc(lease.chain),
      network,
      moduleAddress: addresses.walletModule,
      blockRangeMax: deps.config.watcher.blockRangeMax,
      leaseMs,
      ...(startHeight === undefined ? {} : { startHeight }),
    },
    lease,
  );
  const pulse: Pulse = { answered: false };
  const heart = setInterval(
    () => void beat(deps, { lease, leaseMs, follower, pulse, log, lost }),
    leaseMs / 3,
  );
  try {
    await stepOn(follower, { pollMs: deps.config.watcher.pollMs, pulse, log, signal });
  } catch (error) {
    if (!(error instanceof LeaseLostError))
      log.error({ err: error }, 'following a chain ended unexpectedly');
  } finally {
    clearInterval(heart);
    await releaseChain(deps.store, lease).catch((error) =>
      log.warn({ err: error }, 'the lease of a chain could not be given back: it ends by itself'),
    );
  }
}

/** What the heartbeat tells of the steps. */
interface Pulse {
  answered: boolean;
  failure?: string;
  stepSince?: number;
}

async function stepOn(
  follower: ChainFollower,
  run: { pollMs: number; pulse: Pulse; log: Logger; signal: AbortSignal },
): Promise<void> {
  const { pulse, log, signal } = run;
  let failures = 0;
  let historyChanges = 0;
  while (!signal.aborted) {
    try {
      pulse.stepSince = performance.now();
      const result = await follower.step();
      if (failures > 0) log.info({ failures }, 'the chain can be read again');
      failures = 0;
      historyChanges = 0;
      pulse.answered = true;
      delete pulse.failure;
      if (result === 'caught-up') await pause(run.pollMs, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (error instanceof HistoryChangedError && ++historyChanges <= historyChangesMax) {
        await pause(run.pollMs, signal);
        continue;
      }
      failures += 1;
      pulse.failure = describeFailure(error);
      // The first failure and then fewer and fewer: a chain that is down for a day is not a full
      // log.
      if (Number.isInteger(Math.log2(failures)))
        log.warn({ err: error, failures }, 'the chain cannot be read: trying again');
      const pauseMs = Math.min(failurePauseMaxMs, failurePauseMs * 2 ** Math.min(failures - 1, 10));
      await pause(pauseMs * (0.75 + Math.random() / 2), signal);
    } finally {
      delete pulse.stepSince;
    }
  }
}

async function beat(
  deps: WatcherDeps,
  at: {
    lease: Lease;
    leaseMs: number;
    follower: ChainFollower;
    pulse: Pulse;
    log: Logger;
    lost: AbortController;
  },
): Promise<void> {
  const { lease, pulse, log, lost } = at;
  if (lost.signal.aborted) return;
  if (pulse.stepSince !== undefined && performance.now() - pulse.stepSince > stepMaxMs) {
    log.error('a step of the chain watcher hangs: its lease is let go');
    lost.abort();
    return;
  }
  const headHeight = pulse.answered ? at.follower.head : undefined;
  pulse.answered = false;
  try {
    await recordHeartbeat(deps.store, lease, {
      leaseMs: at.leaseMs,
      headHeight,
      failure: pulse.failure,
    });
  } catch (error) {
    if (error instanceof LeaseLostError) lost.abort();
    else log.warn({ err: error }, 'the heartbeat of the chain watcher could not be recorded');
  }
}

function describeFailure(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
