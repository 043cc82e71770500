import { pino } from 'pino';
import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createStore } from '../../../store/pool.ts';
import { watchChain } from '../../family/following/index.ts';
import { recordSeen } from '../../testing/kills/seen.ts';
import { createConnections } from '../rpc/connections.ts';
import { createSolanaTokens } from '../tokens/tokens.ts';
import { runWatcher } from '../watcher/index.ts';

/**
 * A process for tests to kill: follows the chain for one wallet and writes what comes to it into
 * `seen_transfers`. With `hang` it stops for ever inside the transaction that records a range:
 * `watcher-process.ts <json>`.
 */
export interface WatcherSetup {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly testTokenMint: string;
  readonly wallet: string;
  readonly leaseMs: number;
  readonly mode: 'hang' | 'run';
}

const setup = JSON.parse(process.argv[2]!) as WatcherSetup;
const store = createStore({
  url: setup.databaseUrl,
  poolSize: 4,
  applicationName: 'solana-test-watcher',
});
const config = testConfig({
  solana: { ...testConfig().solana, rpcUrl: setup.rpcUrl, testTokenMint: setup.testTokenMint },
});
const log = pino({ level: 'silent' });
const connections = createConnections({
  config,
  log,
  onFirstUse: (name) => watchChain(store, name),
});
await runWatcher({
  store,
  clock: systemClock,
  log,
  chain: 'solana',
  connect: connections.connect,
  tokens: createSolanaTokens(connections),
  entrances: {
    ownAddresses: async (_, asked) => new Set(asked.filter((one) => one === setup.wallet)),
    depositAddresses: async () => new Set(),
    async recordTransfers(tx, transfers) {
      await recordSeen(tx, transfers);
      if (transfers.length === 0) return;
      process.stdout.write('recorded\n');
      if (setup.mode === 'hang') await new Promise(() => setInterval(() => undefined, 1_000));
    },
    recordOperations: async () => undefined,
    finalizeTransfers: async () => undefined,
  },
  selectOperationIds: async () => new Map(),
  blocksMax: 3,
  pollMs: 20,
  workerName: `watcher-${process.pid}`,
  leaseMs: setup.leaseMs,
});
process.stdout.write('running\n');
