import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { runAccounts } from './account/run.ts';
import { selectOpenChains } from './account/store.ts';
import type { EvmNetwork } from './config/networks.ts';
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
  const common = {
    store,
    log,
    rpc: connections.rpcOf,
    secondRpc: async (chain: string) => (await connections.connectSecond(chain))?.rpc,
    workerName,
  };
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
  const running: Running[] = [relay];
  const stopAll = () => Promise.all(running.map((one) => one.stop()));
  try {
    for (const network of await networksOfAccounts(deps))
      running.push(
        await runAccounts({
          store,
          clock,
          log,
          config: config.evm,
          network,
          rpc: connections.rpcOf(network.name),
          workerName,
          settleOperations: entrances.settleOperations,
          signBuilt: entrances.signBuilt,
        }),
      );
    running.push(
      await runWatcher({
        ...common,
        config: config.evm,
        networks: connections.usableNetworks(),
        entrances,
        followAll: config.environment !== 'development',
      }),
    );
  } catch (error) {
    await stopAll();
    throw error;
  }
  return {
    async stop() {
      await stopAll();
      connections.close();
    },
  };
}

/** Those without EIP-7702, and those that got it while operations of such accounts were open. */
async function networksOfAccounts({
  connections,
  store,
}: Pick<RunDeps, 'connections' | 'store'>): Promise<EvmNetwork[]> {
  const networks = connections.usableNetworks();
  const open = await selectOpenChains(
    store,
    networks.map(({ name }) => name),
  );
  return networks.filter(({ name, delegation }) => !delegation || open.has(name));
}
