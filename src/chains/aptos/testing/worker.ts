import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { runLateRelay } from '../../family/late/run.ts';
import { type KillSetup, killPointOf } from '../../testing/kills/kill-point.ts';
import { recordOutcomes } from '../../testing/outcomes.ts';
import { aptosNetwork } from '../config/networks.ts';
import { createAptosNetwork, createFeePayer, onChainOf } from '../operation/network.ts';
import { connectNode } from '../rpc/node.ts';
import { bounds, signWith } from './world.ts';

/** A worker process that kills itself at a named point: `worker.ts <json>`. */
export interface WorkerSetup extends KillSetup {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly feePayerSeeds: readonly string[];
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
  applicationName: 'aptos-test-worker',
});
const network = aptosNetwork('development');
const node = await connectNode({
  network,
  url: setup.rpcUrl,
  setting: 'APTOS_RPC_URL',
  timeoutMs: 5_000,
});
await runLateRelay({
  store,
  clock: systemClock,
  log: createLogger({ level: 'silent', process: 'test' }),
  chain: network.name,
  network: createAptosNetwork({
    connect: async () => node,
    now: () => systemClock.now(),
    feePayers: setup.feePayerSeeds.map((seed) => createFeePayer(new Secret(bytesOf(seed)))),
  }),
  onChainOf: (txId) => onChainOf(network, txId),
  settings: { ...testConfig().aptos.relay, leaseMs: setup.leaseMs },
  bounds,
  kind: 'fees',
  unit: 'octas',
  workerName: `worker-${process.pid}`,
  settleOperations: recordOutcomes,
  signBuilt: signWith(
    new Map(Object.entries(setup.walletSeeds).map(([id, seed]) => [id, bytesOf(seed)])),
  ),
  killPoint: killPointOf(setup),
});
process.stdout.write('running\n');
