import type { Config } from '../../config/config.ts';
import type { FamilyDeps } from '../family/facts.ts';
import type { SpendingBounds } from '../family/spending/budgets.ts';
import type { ChainEntrances, Running } from '../family.ts';
import { runSolanaReads } from './reads.ts';
import { createSigningAccount } from './relay/keys.ts';
import { runRelay } from './relay/run.ts';
import type { SolanaConnections } from './rpc/connections.ts';

export interface RunDeps extends Omit<FamilyDeps, 'workerName'> {
  readonly workerName: string;
  readonly connections: SolanaConnections;
}

const sol = 1_000_000_000n;
/** What projects and owners of wallets may spend for fees in a day: on mainnet ten token accounts for an owner: their
 * rent is cash for who closes them. */
const bounds: Readonly<Record<Config['environment'], SpendingBounds>> = {
  production: { projectDayMaxMinor: 2n * sol, ownerDayMaxMinor: sol / 50n },
  staging: { projectDayMaxMinor: 20n * sol, ownerDayMaxMinor: 2n * sol },
  development: { projectDayMaxMinor: 1_000n * sol, ownerDayMaxMinor: 1_000n * sol },
};

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
    bounds: bounds[config.environment],
    settle: entrances.settleOperations,
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
