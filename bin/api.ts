import { startApi } from '../src/processes/api/start.ts';
import { exitWith } from '../src/processes/lifecycle.ts';

// The interface at {base_url}. Any number of these may run.
await startApi(process.env).catch(exitWith);
