import pino from 'pino';
import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { systemIds } from '../../../lib/id.ts';
import { createStore } from '../../../store/pool.ts';
import { createRowMacs } from '../../../store/row-mac.ts';
import { createSender } from '../deliveries/sender.ts';
import { createEventFeed } from '../events/feed.ts';

// Feed and sender as a process of their own, for the tests that kill it.

export interface SenderArguments {
  readonly url: string;
  readonly leaseMs: number;
}

if (process.argv[2] === 'run') {
  const { url, leaseMs } = JSON.parse(process.argv[3]!) as SenderArguments;
  const config = testConfig();
  const rowMacs = createRowMacs(config.keyEncryptionKeys);
  const store = createStore({ url, poolSize: 6, applicationName: 'webhooks-child', rowMacs });
  const ctx = { config, store, clock: systemClock, ids: systemIds, log: pino({ level: 'silent' }) };
  const [feed, sender] = [
    createEventFeed(ctx, { pollMs: 100 }),
    createSender(ctx, { pollMs: 100, leaseMs }),
  ];
  feed.start();
  sender.start();
  process.stdout.write('ready\n');
}
