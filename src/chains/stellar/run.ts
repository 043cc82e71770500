import type { Config } from '../../config/config.ts';
import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus } from '../family/following/index.ts';
import type { SpendingBounds } from '../family/spending/budgets.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { runStellarReads } from './reads.ts';
import { runFeePayers } from './relay/fee-payers.ts';
import { createChannel } from './relay/keys.ts';
import { runStellarRelay } from './relay/run.ts';
import { createTopUps } from './relay/top-ups.ts';
import type { StellarConnections } from './rpc/connections.ts';
import type { StellarTokens } from './tokens/tokens.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: StellarConnections;
  readonly tokens: StellarTokens;
}

const xlm = 10_000_000n;
/** What projects and owners of wallets may spend for fees in a day: a first operation costs about half a lumen, a later one a tenth. */
const bounds: Readonly<Record<Config['environment'], SpendingBounds>> = {
  production: { projectDayMaxMinor: 500n * xlm, ownerDayMaxMinor: 10n * xlm },
  staging: { projectDayMaxMinor: 5_000n * xlm, ownerDayMaxMinor: 500n * xlm },
  development: { projectDayMaxMinor: 100_000n * xlm, ownerDayMaxMinor: 100_000n * xlm },
};
/** Operations that one worker looks after at once; each that is sent has an account to itself. */
const inFlightMax = 64;

/** Relay, watcher and the accounts that pay, until stopped. */
export async function runStellar(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const { feePayerKeys, treasuryKey, relay } = config.stellar;
  const { network } = connections;
  const connect = () => connections.connect(network.name);
  const channels = feePayerKeys.map(createChannel);
  const treasury = treasuryKey && createTopUps({ connect, treasuryKey, feeMaxStroops: relay.feeMaxStroops });
  const feePayers = channels.map(({ address }) => address);
  const followAlways = config.environment !== 'development';
  const isUsed = async () => followAlways || (await followerStatus(store, network.name)).length > 0;
  const paying = runFeePayers({ store, log, chain: network.name, connect, feePayers, treasury, isUsed, settings: relay });
  const running: Running[] = [paying];
  try {
    running.push(
      await runStellarRelay({
        store,
        clock,
        log,
        workerName,
        network,
        connect,
        channels,
        isEmpty: paying.isEmpty,
        settings: { ...relay, inFlightMax },
        bounds: bounds[config.environment],
        settleOperations: entrances.settleOperations,
      }),
      await runStellarReads(deps, entrances),
    );
  } catch (error) {
    await Promise.all(running.map((one) => one.stop()));
    throw error;
  }
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      connections.close();
    },
  };
}
