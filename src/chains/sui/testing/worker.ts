import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { type KillSetup, killPointOf } from '../../testing/kills/kill-point.ts';
import { recordOutcomes } from '../../testing/outcomes.ts';
import { suiNetwork } from '../config/networks.ts';
import { createSigningAccount } from '../relay/keys.ts';
import { runRelay } from '../relay/run.ts';
import { createConnections } from '../rpc/connections.ts';
import { bounds, rpcTimeoutMs, signWith } from './world.ts';

/** A worker process that kills itself at a named point: `worker.ts <json>`. */
export interface WorkerSetup extends KillSetup {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly sponsorSeeds: readonly string[];
  /** Of wallets, by their ids. */
  readonly walletSeeds: Readonly<Record<string, string>>;
  readonly leaseMs: number;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: 'sui-test-worker',
});
const log = createLogger({ level: 'silent', process: 'test' });
const network = suiNetwork('development');
const connections = createConnections({
  network,
  rpcUrl: setup.rpcUrl,
  rpcTimeoutMs,
  log,
  onFirstUse: async () => undefined,
});
await runRelay({
  store,
  clock: systemClock,
  log,
  network,
  connect: () => connections.connect(network.name),
  sponsors: setup.sponsorSeeds.map((seed) => createSigningAccount(new Secret(bytesOf(seed)))),
  treasury: undefined,
  settings: { ...testConfig().sui.relay, leaseMs: setup.leaseMs },
  bounds,
  workerName: `worker-${process.pid}`,
  settleOperations: recordOutcomes,
  signBuilt: signWith(
    new Map(Object.entries(setup.walletSeeds).map(([id, seed]) => [id, bytesOf(seed)])),
  ),
  killPoint: killPointOf(setup),
});
process.stdout.write('running\n');
