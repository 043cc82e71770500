// `npm start`: installs what the lock file says when it is not there, then runs bin/dev.ts in this process.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';

try {
  await ensureInstalled({ root: dirname(dirname(fileURLToPath(import.meta.url))) });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const { runSource } = await import('./run-source.mjs');
await runSource('bin/dev.ts');
