export { RunBrowserError } from './errors.ts';
export { type BrowserExecutable, findExecutable } from './executable.ts';
export { openRunBrowser, type RunBrowser, type RunBrowserOptions } from './open.ts';
export { unprivilegedId } from './process.ts';
export { proveBrowser } from './proof.ts';
