import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../lib/log/log.ts';
import type { Running } from '../capabilities/status.ts';
import { Follower, type FollowerDeps } from './follower.ts';
import {
  claimChain,
  type Lease,
  LeaseLostError,
  recordHeartbeat,
  releaseChain,
  watchChain,
} from './store.ts';

export interface FollowingDeps extends Omit<FollowerDeps, 'leaseMs'> {
  readonly pollMs: number;
  /** Shown with the lease; need not be unique. */
  readonly workerName: string;
  /** Follow from the start, as production does; otherwise from the chain's first use on. */
  readonly followAlways?: boolean;
  /** How long a dead worker's chain waits for another; default 10 s. */
  readonly leaseMs?: number;
}

const leaseDefaultMs = 10_000;
const claimEveryMs = 1_000;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;
/** A step that takes longer hangs: the lease is let go, so that another worker tries. */
const stepMaxMs = 300_000;

/**
 * Follows the chain while it is in use, in one of any number of workers: the one that holds the
 * lease.
 */
export async function runFollower(deps: FollowingDeps): Promise<Running> {
  if (deps.followAlways) await watchChain(deps.store, deps.history.chain);
  const stopping = new AbortController();
  const done = claimAndFollow(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function claimAndFollow(deps: FollowingDeps, signal: AbortSignal): Promise<void> {
  const leaseMs = deps.leaseMs ?? leaseDefaultMs;
  const owner = `${deps.workerName}:${randomUUID()}`;
  while (!signal.aborted) {
    try {
      const lease = await claimChain(deps.store, { chain: deps.history.chain, owner, leaseMs });
      if (lease) await follow(deps, lease, { leaseMs, stopping: signal });
    } catch (error) {
      deps.log.warn({ err: error }, 'the chain to follow could not be looked up');
    }
    await pause(claimEveryMs, signal);
  }
}

/** What the heartbeat tells of the steps. */
interface Pulse {
  answered: boolean;
  failure?: string;
  stepSince?: number;
}

/** Until told to stop or the lease is lost. Never throws. */
async function follow(
  deps: FollowingDeps,
  lease: Lease,
  { leaseMs, stopping }: { leaseMs: number; stopping: AbortSignal },
): Promise<void> {
  const log = deps.log.child({ chain: lease.chain });
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const follower = new Follower({ ...deps, log, leaseMs }, lease);
  const pulse: Pulse = { answered: false };
  const heart = setInterval(
    () => void beat(deps, { lease, leaseMs, follower, pulse, log, lost }),
    leaseMs / 3,
  );
  try {
    await stepOn(follower, { pollMs: deps.pollMs, pulse, log, signal });
  } catch (error) {
    if (!(error instanceof LeaseLostError))
      log.error({ err: error }, 'following a chain ended unexpectedly');
  } finally {
    clearInterval(heart);
    await releaseChain(deps.store, lease).catch((error: unknown) =>
      log.warn({ err: error }, 'the lease of a chain could not be given back: it ends by itself'),
    );
  }
}

async function stepOn(
  follower: Follower,
  run: { pollMs: number; pulse: Pulse; log: Logger; signal: AbortSignal },
): Promise<void> {
  const { pulse, log, signal } = run;
  let failures = 0;
  while (!signal.aborted) {
    try {
      pulse.stepSince = performance.now();
      const result = await follower.step();
      if (failures > 0) log.info({ failures }, 'the chain can be read again');
      failures = 0;
      pulse.answered = true;
      delete pulse.failure;
      if (result === 'caught-up') await pause(run.pollMs, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      failures += 1;
      pulse.failure = (error instanceof Error ? error.message : String(error)).slice(0, 500);
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

interface BeatInput {
  readonly lease: Lease;
  readonly leaseMs: number;
  readonly follower: Follower;
  readonly pulse: Pulse;
  readonly log: Logger;
  readonly lost: AbortController;
}

async function beat(
  deps: FollowingDeps,
  { lease, leaseMs, follower, pulse, log, lost }: BeatInput,
): Promise<void> {
  if (lost.signal.aborted) return;
  if (pulse.stepSince !== undefined && performance.now() - pulse.stepSince > stepMaxMs) {
    log.error('a step of the follower hangs: its lease is let go');
    lost.abort();
    return;
  }
  const headHeight = pulse.answered ? follower.head : undefined;
  pulse.answered = false;
  try {
    await recordHeartbeat(deps.store, lease, {
      leaseMs,
      ...(headHeight !== undefined && { headHeight }),
      ...(pulse.failure !== undefined && { failure: pulse.failure }),
    });
  } catch (error) {
    if (error instanceof LeaseLostError) lost.abort();
    else log.warn({ err: error }, 'the heartbeat of the follower could not be recorded');
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
