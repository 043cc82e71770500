import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus } from '../family/following/index.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { suiFees } from './config/fees.ts';
import { runSuiReads } from './reads.ts';
import { createSigningAccount } from './relay/keys.ts';
import { runRelay } from './relay/run.ts';
import { createTreasury } from './relay/treasury.ts';
import type { SuiConnections } from './rpc/connections.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: SuiConnections;
}

/** Relay and watcher of the network, until stopped. */
export async function runSui(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const { feePayerKeys, treasuryKey, relay: settings } = config.sui;
  const { network } = connections;
  const chain = network.name;
  const connect = () => connections.connect(chain);
  const followAlways = config.environment !== 'development';
  const account = treasuryKey && createSigningAccount(treasuryKey);
  const treasury =
    account && createTreasury({ store, chain, connect, account, priceMax: settings.priceMaxMist });
  const relay = await runRelay({
    store,
    clock,
    log,
    workerName,
    network,
    connect,
    sponsors: feePayerKeys.map(createSigningAccount),
    treasury,
    settings,
    bounds: suiFees.bounds[config.environment],
    settleOperations: entrances.settleOperations,
    signBuilt: entrances.signBuilt,
    isUsed: async () => followAlways || (await followerStatus(store, chain)).length > 0,
  });
  const reads = await runSuiReads(
    { ...deps, followAlways, mints: network.testnet ? treasury?.mints : undefined },
    entrances,
  ).catch(async (error: unknown) => {
    await relay.stop();
    throw error;
  });
  return {
    async stop() {
      await Promise.all([relay.stop(), reads.stop()]);
      connections.close();
    },
  };
}
