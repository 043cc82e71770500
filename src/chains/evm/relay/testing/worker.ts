import { testConfig } from '../../../../../test/harness/config.ts';
import { createStore } from '../../../../store/pool.ts';
import { createRowMacs } from '../../../../store/row-mac.ts';
import type { KillPoint } from '../types.ts';
import { type RelaySetup, startTestRelay } from './relay.ts';

/**
 * A worker process that kills itself the hard way at a named point: `worker.ts <json>`. Without a
 * point it runs until killed.
 */
export interface WorkerSetup {
  readonly databaseUrl: string;
  readonly relay: RelaySetup;
  readonly killAt?: KillPoint;
  /** At which passing of the point; 1 is the first. */
  readonly killAtCount?: number;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: setup.relay.workerName,
});
let passed = 0;
await startTestRelay(store, setup.relay, (point) => {
  if (point === setup.killAt && ++passed >= (setup.killAtCount ?? 1))
    process.kill(process.pid, 'SIGKILL');
});
process.stdout.write('running\n');
