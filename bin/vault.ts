import { explainFailure } from '../src/lib/command.ts';
import { exitWith } from '../src/processes/lifecycle.ts';
import { startVault } from '../src/processes/vault/start.ts';

// The interface at {vault_url}: account numbers and their use. Any number of these may run.
await startVault(process.env).catch((error) => exitWith(new Error(explainFailure(error))));
