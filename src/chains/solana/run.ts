import type { FamilyDeps } from '../family/facts.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { solanaFees } from './config/fees.ts';
import { runSolanaReads } from './reads.ts';
import { createSigningAccount } from './relay/keys.ts';
import { runRelay } from './relay/run.ts';
import type { SolanaConnections } from './rpc/connections.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: SolanaConnections;
}

/** Relay and watcher of the cluster, until stopped. */
export async function runSolana(deps: RunDeps, entrances: ChainEntrances): Promise<Running> {
  const { config, connections, store, clock, log, workerName } = deps;
  const { feePayerKeys, treasuryKey, relay: settings } = config.solana;
  const relay = await runRelay({
    store,
    clock,
    log,
    workerName,
    chain: connections.network.name,
    connect: connections.connect,
    feePayers: feePayerKeys.map(createSigningAccount),
    treasury: treasuryKey && createSigningAccount(treasuryKey),
    settings,
    walletProgram: config.solana.walletProgramId,
    bounds: solanaFees.bounds[config.environment],
    settle: entrances.settleOperations,
    signBuilt: entrances.signBuilt,
  });
  const reads = await runSolanaReads(deps, entrances).catch(async (error: unknown) => {
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
