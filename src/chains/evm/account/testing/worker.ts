import { testConfig } from '../../../../../test/harness/config.ts';
import { createStore } from '../../../../store/pool.ts';
import { createRowMacs } from '../../../../store/row-mac.ts';
import { type AccountsSetup, type KillAt, startTestAccounts } from './relay.ts';

/** A worker process that kills itself the hard way at a named point: `worker.ts <json>`. */
export interface WorkerSetup {
  readonly databaseUrl: string;
  readonly accounts: AccountsSetup;
  readonly killAt: KillAt;
}

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: setup.accounts.workerName,
});
await startTestAccounts(store, setup.accounts, {
  reach(point) {
    if (point === setup.killAt) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write('running\n');
