import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import type { Running } from '../capabilities/status.ts';
import {
  type ClaimInput,
  type Lease,
  LeaseLostError,
  recordHeartbeat,
  releaseChain,
} from './leases.ts';

/**
 * What a step came to: more can be read at once, or the follower stands at the newest height that
 * it reads.
 */
export type StepResult = 'behind' | 'caught-up';

/** Reads one chain step by step. */
export interface Stepper {
  /** The newest height that the node told of. */
  readonly head: bigint | undefined;
  /** @throws LeaseLostError, and whatever its node does; nothing of the step is recorded then */
  step(): Promise<StepResult>;
}

export interface LeasedRun<OneLease extends Lease> {
  readonly store: Store;
  readonly log: Logger;
  /** Those this process can follow. */
  readonly chains: readonly string[];
  readonly pollMs: number;
  /** Shown with the leases; need not be unique. */
  readonly workerName: string;
  /** How long a dead worker's chains wait for another; default 10 s. */
  readonly leaseMs?: number | undefined;
  claim(input: ClaimInput): Promise<OneLease | undefined>;
  follow(lease: OneLease, with_: { readonly log: Logger; readonly leaseMs: number }): Stepper;
  /** True: the chain changed while it was read, which is no failure unless it goes on. */
  isChange?(error: unknown): boolean;
}

const leaseDefaultMs = 10_000;
const claimEveryMs = 1_000;
const claimsPerBeatMax = 8;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;
/** A step that takes longer hangs: the lease is let go, so that another worker tries. */
const stepMaxMs = 300_000;
/** So many changes while reading in a row are no reorganisation any more. */
const changesMax = 20;

/**
 * Follows the chains in use, one follower per chain among any number of workers: a chain belongs to
 * whoever holds its lease, and its fence keeps a worker that was away too long from writing.
 */
export function runLeased<OneLease extends Lease>(run: LeasedRun<OneLease>): Running {
  const stopping = new AbortController();
  const followers = new Map<string, Promise<void>>();
  const done = claimChains(run, followers, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
      await Promise.all(followers.values());
    },
  };
}

async function claimChains<OneLease extends Lease>(
  run: LeasedRun<OneLease>,
  followers: Map<string, Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  const leaseMs = run.leaseMs ?? leaseDefaultMs;
  const owner = `${run.workerName}:${randomUUID()}`;
  while (!signal.aborted) {
    try {
      for (let claims = 0; claims < claimsPerBeatMax && !signal.aborted; claims++) {
        const chains = run.chains.filter((chain) => !followers.has(chain));
        const lease = chains.length > 0 && (await run.claim({ chains, owner, leaseMs }));
        if (!lease) break;
        const following = followChain(run, lease, { leaseMs, stopping: signal });
        followers.set(
          lease.chain,
          following.finally(() => followers.delete(lease.chain)),
        );
      }
    } catch (error) {
      run.log.warn({ err: error }, 'chains to follow could not be looked up');
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

/**
 * Follows one chain until told to stop or the lease is lost. Never throws: a broken chain disturbs
 * no other.
 */
async function followChain<OneLease extends Lease>(
  run: LeasedRun<OneLease>,
  lease: OneLease,
  { leaseMs, stopping }: { leaseMs: number; stopping: AbortSignal },
): Promise<void> {
  const log = run.log.child({ chain: lease.chain });
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const follower = run.follow(lease, { log, leaseMs });
  const pulse: Pulse = { answered: false };
  const heart = setInterval(
    () => void beat(run.store, { lease, leaseMs, follower, pulse, log, lost }),
    leaseMs / 3,
  );
  try {
    await stepOn(follower, { pollMs: run.pollMs, isChange: run.isChange, pulse, log, signal });
  } catch (error) {
    if (!(error instanceof LeaseLostError))
      log.error({ err: error }, 'following a chain ended unexpectedly');
  } finally {
    clearInterval(heart);
    await releaseChain(run.store, lease).catch((error: unknown) =>
      log.warn({ err: error }, 'the lease of a chain could not be given back: it ends by itself'),
    );
  }
}

interface StepInput extends Pick<LeasedRun<Lease>, 'pollMs' | 'isChange' | 'log'> {
  readonly pulse: Pulse;
  readonly signal: AbortSignal;
}

async function stepOn(
  follower: Stepper,
  { pollMs, isChange, pulse, log, signal }: StepInput,
): Promise<void> {
  let failures = 0;
  let changes = 0;
  while (!signal.aborted) {
    try {
      pulse.stepSince = performance.now();
      const result = await follower.step();
      if (failures > 0) log.info({ failures }, 'the chain can be read again');
      failures = 0;
      changes = 0;
      pulse.answered = true;
      delete pulse.failure;
      if (result === 'caught-up') await pause(pollMs, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (isChange?.(error) && ++changes <= changesMax) {
        await pause(pollMs, signal);
        continue;
      }
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
  readonly follower: Stepper;
  readonly pulse: Pulse;
  readonly log: Logger;
  readonly lost: AbortController;
}

async function beat(
  store: Store,
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
    await recordHeartbeat(store, lease, { leaseMs, headHeight, failure: pulse.failure });
  } catch (error) {
    if (error instanceof LeaseLostError) lost.abort();
    else log.warn({ err: error }, 'the heartbeat of the follower could not be recorded');
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
