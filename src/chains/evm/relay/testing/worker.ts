import { testConfig } from '../../../../../test/harness/config.ts';
import { createStore } from '../../../../store/pool.ts';
import { createRowMacs } from '../../../../store/row-mac.ts';
import { type KillSetup, killPointOf } from '../../../testing/kills/kill-point.ts';
import type { KillPoint } from '../types.ts';
import { type RelaySetup, startTestRelay } from './relay.ts';

/** A worker process that kills itself at a named point: `worker.ts <json>`. */
export interface WorkerSetup extends KillSetup<KillPoint> {
  readonly databaseUrl: string;
  readonly relay: RelaySetup;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: setup.relay.workerName,
});
await startTestRelay(store, setup.relay, killPointOf(setup));
process.stdout.write('running\n');
