import type { Running } from '../capabilities/status.ts';
import { Follower, type FollowerDeps } from './follower.ts';
import { runLeased } from './run-leased.ts';
import { claimChain, watchChain } from './store.ts';

export interface FollowingDeps extends Omit<FollowerDeps, 'leaseMs'> {
  readonly pollMs: number;
  /** Shown with the lease; need not be unique. */
  readonly workerName: string;
  /** Follow from the start, as production does; otherwise from the chain's first use on. */
  readonly followAlways?: boolean;
  /** How long a dead worker's chain waits for another; default 10 s. */
  readonly leaseMs?: number;
}

/** Follows the chain while it is in use, as {@link runLeased}. */
export async function runFollower(deps: FollowingDeps): Promise<Running> {
  const { store, log, pollMs, workerName, leaseMs } = deps;
  const { chain } = deps.history;
  if (deps.followAlways) await watchChain(store, chain);
  return runLeased({
    store,
    log,
    pollMs,
    workerName,
    leaseMs,
    chains: [chain],
    claim: (input) => claimChain(store, input),
    follow: (lease, own) => new Follower({ ...deps, ...own }, lease),
  });
}
