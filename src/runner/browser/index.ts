export { RunBrowserError, type RunBrowserFault } from './errors.ts';
export { type BrowserExecutable, findExecutable } from './executable.ts';
export type { BrowserIncident } from './guards.ts';
export { openRunBrowser, type RunBrowser, type RunBrowserOptions } from './open.ts';
export { unprivilegedId } from './process.ts';
export { proveBrowser } from './proof.ts';
export { isWebAddress } from './transport.ts';
