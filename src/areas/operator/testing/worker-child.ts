import pino from 'pino';
import { testConfig } from '../../../../test/harness/config.ts';
import type { Ctx } from '../../../context.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { systemIds } from '../../../lib/id.ts';
import { asRole, workerRole } from '../../../store/grants.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { performActions } from '../actions/perform.ts';

// The worker's look at actions as a process of its own, for the test that kills it.

export const childName = 'operator-actions-child';

export interface WorkerArguments {
  readonly url: string;
  readonly consoleUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

if (process.argv[2] === 'run') {
  const { url, consoleUrl, now } = JSON.parse(process.argv[3]!) as WorkerArguments;
  const config = testConfig({ console: { url: consoleUrl } });
  const rowMacs = createRowMacs(config.keyEncryptionKeys);
  const store = createStore({
    url: asRole(url, workerRole),
    poolSize: 4,
    applicationName: childName,
    rowMacs,
  });
  const ctx = {
    config,
    store,
    clock: createManualClock(new Date(now)),
    ids: systemIds,
    log: pino({ level: 'silent' }),
  };
  process.stdout.write('ready\n');
  // Rules of orders that wait ask no company and no chain.
  await performActions(ctx as unknown as Ctx);
  await store.close();
}
