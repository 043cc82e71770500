import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { factsOf } from '../../families.ts';
import { recordOutcomes } from '../outcomes.ts';
import { recordSeen } from './seen.ts';
import { configOf, type WorkerSetup } from './setup.ts';

// A process for tests to kill: everything that the worker of a family does, as the service runs it:
// `worker.ts <json>`.

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;
const store = createStore({
  url: setup.databaseUrl,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
  poolSize: 4,
  applicationName: 'family-test-worker',
});
const log = createLogger({
  level: (process.env['TEST_LOG'] ?? 'silent') as 'silent',
  process: 'test',
});
const { create } = await factsOf(setup.family).code!.load();
const family = create({ config: configOf(setup), store, clock: systemClock, log });
await family.run({
  settleOperations: recordOutcomes,
  ownAddresses: async (_, asked) => new Set(asked.filter((one) => one === setup.wallet)),
  depositAddresses: async () => new Set(),
  recordTransfers: recordSeen,
  recordOperations: async () => undefined,
  finalizeTransfers: async () => undefined,
  retractTransfers: async () => undefined,
  signBuilt: async () => {
    throw new Error('no wallet acts here');
  },
});
process.stdout.write('running\n');
