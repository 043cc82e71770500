import type { Logger } from 'pino';
import { addresses } from '../../../../contracts/index.ts';
import type { EvmConfig } from '../../../config/config.ts';
import type { Store } from '../../../store/types.ts';
import { runLeased } from '../../family/following/run-leased.ts';
import type { Running } from '../../family.ts';
import type { EvmNetwork } from '../config/networks.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { ChainFollower, type WatcherEntrances } from './follower.ts';
import { HistoryChangedError } from './reading/read-node.ts';
import { claimChain, watchChain } from './store.ts';

export interface WatcherDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly config: Pick<EvmConfig, 'watcher'>;
  readonly rpc: (chain: string) => RpcClient;
  /** The second node of a chain; undefined where none is configured. */
  readonly secondRpc?: (chain: string) => Promise<RpcClient | undefined>;
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

/** Follows the chains in use, as {@link runLeased}. */
export async function runWatcher(deps: WatcherDeps): Promise<Running> {
  const { store, log, workerName, leaseMs } = deps;
  const { pollMs, blockRangeMax, startHeights } = deps.config.watcher;
  const networks = new Map(deps.networks.map((network) => [network.name, network]));
  if (deps.followAll) for (const chain of networks.keys()) await watchChain(store, chain);
  return runLeased({
    store,
    log,
    pollMs,
    workerName,
    leaseMs,
    chains: [...networks.keys()],
    claim: (input) => claimChain(store, input),
    follow: (lease, own) =>
      new ChainFollower(
        {
          ...deps,
          ...own,
          rpc: deps.rpc(lease.chain),
          network: networks.get(lease.chain)!,
          moduleAddress: addresses.walletModule,
          blockRangeMax,
          startHeight: startHeights?.get(lease.chain),
        },
        lease,
      ),
    isChange: (error) => error instanceof HistoryChangedError,
  });
}
