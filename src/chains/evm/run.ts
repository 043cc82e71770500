import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { runRelay } from './relay/index.ts';
import type { EvmConnections } from './rpc/connections.ts';
import { runWatcher } from './watcher/index.ts';

export interface RunDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly workerName: string;
  readonly connections: EvmConnections;
}

/** Relay and watcher of every usable network, until stopped. */
export async function runEvm(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const common = { store, log, rpc: connections.rpcOf, workerName };
  const relay = await runRelay({
    ...common,
    clock,
    config: config.evm,
    network: (chain) => ({
      ...connections.requireNetwork(chain),
      chainId: connections.chainIdOf(chain),
    }),
    settle: entrances.settleOperations,
  });
  const watcher = await runWatcher({
    ...common,
    config: config.evm,
    networks: connections.usableNetworks(),
    entrances,
    followAll: config.environment !== 'development',
  }).catch(async (error: unknown) => {
    await relay.stop();
    throw error;
  });
  return {
    async stop() {
      await Promise.all([relay.stop(), watcher.stop()]);
      connections.close();
    },
  };
}
