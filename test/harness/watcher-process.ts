/**
 * A worker process for tests to kill: follows one chain and, when told so, stops for ever inside
 * the transaction that records a range. Arguments: database URL, node URL, `hang` or `run`, and
 * `deposits` when changes of deposits are to be written down.
 */

import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';
import { createStore } from '../../src/store/pool.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import { testConfig } from './config.ts';
import { localNetwork } from './watched-chain.ts';
import { realEntrances, recordDepositChanges, runTestWatcher } from './watcher-world.ts';

const [databaseUrl, nodeUrl, mode, follow] = process.argv.slice(2) as [
  string,
  string,
  'hang' | 'run',
  'deposits' | undefined,
];
const networks = [localNetwork()];
const entrances = realEntrances(networks, follow && recordDepositChanges);
const store = createStore({
  url: databaseUrl,
  poolSize: 4,
  rowMacs: createRowMacs(testConfig().keyEncryptionKeys),
});
const rpc = createRpc({ url: nodeUrl, timeoutMs: 5_000 });

await runTestWatcher({
  store,
  networks,
  rpc: () => rpc,
  leaseMs: 2_000,
  entrances: {
    ...entrances,
    recordTransfers: async (tx, transfers) => {
      await entrances.recordTransfers(tx, transfers);
      if (mode !== 'hang') return;
      process.stdout.write('recorded\n');
      await new Promise(() => setInterval(() => undefined, 1_000));
    },
  },
});
process.stdout.write('running\n');
