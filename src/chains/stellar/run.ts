import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus } from '../family/following/index.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { stellarFees } from './config/fees.ts';
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

/** Operations that one worker looks after at once; each that is sent has an account to itself. */
const inFlightMax = 64;

/** Relay, watcher and the accounts that pay, until stopped. */
export async function runStellar(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const { feePayerKeys, treasuryKey, relay } = config.stellar;
  const { network } = connections;
  const connect = () => connections.connect(network.name);
  const channels = feePayerKeys.map(createChannel);
  const treasury =
    treasuryKey && createTopUps({ connect, treasuryKey, feeMaxStroops: relay.feeMaxStroops });
  const feePayers = channels.map(({ address }) => address);
  const followAlways = config.environment !== 'development';
  const isUsed = async () => followAlways || (await followerStatus(store, network.name)).length > 0;
  const paying = runFeePayers({
    store,
    log,
    chain: network.name,
    connect,
    feePayers,
    treasury,
    isUsed,
    settings: relay,
  });
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
        bounds: stellarFees.bounds[config.environment],
        settleOperations: entrances.settleOperations,
        signBuilt: entrances.signBuilt,
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
