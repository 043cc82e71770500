// `npm start`: installs what the lock file says when it is not there, then runs bin/dev.ts in this
// process.
import './ensure-installed.mjs';

const { runSource } = await import('./run-source.mjs');
await runSource('bin/dev.ts');
