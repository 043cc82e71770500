import type { Config } from '../../config/config.ts';
import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus } from '../family/following/index.ts';
import type { SpendingBounds } from '../family/spending/budgets.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { runSuiReads } from './reads.ts';
import { createSigningAccount } from './relay/keys.ts';
import { runRelay } from './relay/run.ts';
import { createTreasury } from './relay/treasury.ts';
import type { SuiConnections } from './rpc/connections.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: SuiConnections;
}

const sui = 1_000_000_000n;
/** What projects and owners of wallets may spend for fees in a day: on mainnet about fifty transfers to new coins for an owner: their storage is
 * cash for who deletes them. */
const bounds: Readonly<Record<Config['environment'], SpendingBounds>> = {
  production: { projectDayMaxMinor: 20n * sui, ownerDayMaxMinor: sui / 5n },
  staging: { projectDayMaxMinor: 200n * sui, ownerDayMaxMinor: 20n * sui },
  development: { projectDayMaxMinor: 10_000n * sui, ownerDayMaxMinor: 10_000n * sui },
};

/** Relay and watcher of the network, until stopped. */
export async function runSui(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const { feePayerKeys, treasuryKey, relay: settings } = config.sui;
  const { network } = connections;
  const chain = network.name;
  const connect = () => connections.connect(chain);
  const followAlways = config.environment !== 'development';
  const account = treasuryKey && createSigningAccount(treasuryKey);
  const treasury = account && createTreasury({ store, chain, connect, account, priceMax: settings.priceMaxMist });
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
    bounds: bounds[config.environment],
    settleOperations: entrances.settleOperations,
    signBuilt: entrances.signBuilt,
    isUsed: async () => followAlways || (await followerStatus(store, chain)).length > 0,
  });
  const reads = await runSuiReads({ ...deps, followAlways, mints: network.testnet ? treasury?.mints : undefined }, entrances).catch(
    async (error: unknown) => {
      await relay.stop();
      throw error;
    },
  );
  return {
    async stop() {
      await Promise.all([relay.stop(), reads.stop()]);
      connections.close();
    },
  };
}
