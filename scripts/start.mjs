// `npm start`: installs what the lock file says when it is not there, then runs bin/dev.ts in this process.
import { ensureInstalled } from './ensure-installed.mjs';

await ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
await import('../bin/dev.ts');
