import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { createJsonRpc, type RpcParams } from '../../../lib/net/json-rpc.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { type KillSetup, killPointOf } from '../../testing/kills/kill-point.ts';
import { recordOutcomes } from '../../testing/outcomes.ts';
import { stellarNetwork } from '../config/networks.ts';
import { createChannel } from '../relay/keys.ts';
import { runStellarRelay } from '../relay/run.ts';
import { signAsCustody } from './custody.ts';

/** A worker process that kills itself at a named point: `worker.ts <json>`. */
export interface WorkerSetup extends KillSetup {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly channelSeeds: readonly string[];
  readonly leaseMs: number;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: 'stellar-test-worker',
});
const network = stellarNetwork('development');
const rpc = createJsonRpc<RpcParams>({ url: setup.rpcUrl, timeoutMs: 10_000, readMethods: /^get/ });
await runStellarRelay({
  store,
  clock: systemClock,
  log: createLogger({ level: 'silent', process: 'test' }),
  network,
  connect: async () => ({ network, rpc }),
  channels: setup.channelSeeds.map((seed) =>
    createChannel(new Secret(new Uint8Array(Buffer.from(seed, 'hex')))),
  ),
  settings: { inFlightMax: 20, resendAfterMs: 500, leaseMs: setup.leaseMs },
  bounds: { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 10n ** 12n },
  workerName: `worker-${process.pid}`,
  settleOperations: recordOutcomes,
  signBuilt: async (input) => signAsCustody(input),
  killPoint: killPointOf(setup),
});
process.stdout.write('running\n');
