import type { Config } from '../../config/config.ts';
import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus, runFollower } from '../family/following/index.ts';
import { runMints } from '../family/funding/run-mints.ts';
import { runLateRelay } from '../family/late/run.ts';
import { selectOperationIds } from '../family/late/store.ts';
import type { SpendingBounds } from '../family/spending/budgets.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { createAptosNetwork, createFeePayer, onChainOf } from './operation/network.ts';
import { runFeePayers } from './relay/fee-payers.ts';
import { createTreasury } from './relay/treasury.ts';
import type { AptosConnections } from './rpc/connections.ts';
import type { AptosTokens } from './tokens/tokens.ts';
import { createAptosHistory } from './watcher/history.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: AptosConnections;
  readonly tokens: AptosTokens;
}

const apt = 100_000_000n;
/** What projects and owners of wallets may spend for fees in a day: on mainnet a transfer to a new account costs about 0.001 APT. */
const bounds: Readonly<Record<Config['environment'], SpendingBounds>> = {
  production: { projectDayMaxMinor: 20n * apt, ownerDayMaxMinor: apt / 5n },
  staging: { projectDayMaxMinor: 200n * apt, ownerDayMaxMinor: 20n * apt },
  development: { projectDayMaxMinor: 10_000n * apt, ownerDayMaxMinor: 10_000n * apt },
};

/** Relay, watcher and the accounts that pay, until stopped. */
export async function runAptos(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName, tokens } = deps;
  const { feePayerKeys, treasuryKey, relay, watcher } = config.aptos;
  const { network } = connections;
  const connect = () => connections.connect(network.name);
  const common = { store, clock, log, chain: network.name, workerName };
  const feePayers = feePayerKeys.map(createFeePayer);
  const treasury = treasuryKey && createTreasury({ connect, key: treasuryKey, ceilings: relay });
  const followAlways = config.environment !== 'development';
  const isUsed = async () => followAlways || (await followerStatus(store, network.name)).length > 0;
  const paying = runFeePayers({ ...common, connect, feePayers, treasury: treasury?.topUps, settings: relay, isUsed });
  const running: Running[] = [paying];
  try {
    running.push(
      await runLateRelay({
        ...common,
        network: createAptosNetwork({ connect, feePayers, now: () => clock.now(), isEmpty: paying.isEmpty }),
        onChainOf: (txId) => onChainOf(network, txId),
        settings: relay,
        bounds: bounds[config.environment],
        unit: 'octas',
        settleOperations: entrances.settleOperations,
        signBuilt: entrances.signBuilt,
      }),
      await runFollower({
        ...common,
        history: createAptosHistory({
          chain: network.name,
          connect,
          tokens,
          operationIds: (hashes) => selectOperationIds(store, network.name, hashes),
          versionsMax: watcher.versionsMax,
        }),
        entrances,
        pollMs: watcher.pollMs,
        ...(watcher.startVersion !== undefined && { startHeight: watcher.startVersion }),
        followAlways,
      }),
    );
  } catch (error) {
    await Promise.all(running.map((one) => one.stop()));
    throw error;
  }
  if (treasury && network.testnet) running.push(runMints({ ...common, network: treasury.mints, pollMs: watcher.pollMs }));
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      connections.close();
    },
  };
}
