import { exitWith } from '../src/processes/lifecycle.ts';
import { startRunner } from '../src/processes/runner/start.ts';

// Browsers for agent checkouts. Any number of these may run, each on a machine or in a container
// that reaches nothing of ours but the worker's gateway.
await startRunner(process.env).catch(exitWith);
