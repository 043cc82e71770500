import { exitWith } from '../src/processes/lifecycle.ts';
import { startWorker } from '../src/processes/worker/start.ts';

// Durable work: transactions on their way to the chain, watchers, timers. Any number of these may
// run.
await startWorker(process.env).catch(exitWith);
