import type { FamilyDeps } from '../family/facts.ts';
import { followerStatus, runFollower } from '../family/following/index.ts';
import { runMints } from '../family/funding/run-mints.ts';
import { runLateRelay } from '../family/late/run.ts';
import { selectOperationIds } from '../family/late/store.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { aptosFees } from './config/fees.ts';
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
  const paying = runFeePayers({
    ...common,
    connect,
    feePayers,
    treasury: treasury?.topUps,
    settings: relay,
    isUsed,
  });
  const running: Running[] = [paying];
  try {
    running.push(
      await runLateRelay({
        ...common,
        kind: 'fees',
        network: createAptosNetwork({
          connect,
          feePayers,
          now: () => clock.now(),
          isEmpty: paying.isEmpty,
        }),
        onChainOf: (txId) => onChainOf(network, txId),
        settings: relay,
        bounds: aptosFees.bounds[config.environment],
        unit: aptosFees.unit,
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
  if (treasury && network.testnet)
    running.push(runMints({ ...common, network: treasury.mints, pollMs: watcher.pollMs }));
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      connections.close();
    },
  };
}
