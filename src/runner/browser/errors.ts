/**
 * What went wrong with a browser; nothing of it is the shop's or the user's fault, and a step
 * before `armed` may be repeated.
 */
export type RunBrowserFault =
  | 'no-browser'
  | 'not-startable'
  | 'browser-crashed'
  | 'page-crashed'
  | 'hung'
  | 'memory-exceeded'
  | 'closed';

/** A browser that cannot be had, or is no more. */
export class RunBrowserError extends Error {
  override readonly name = 'RunBrowserError';
  readonly fault: RunBrowserFault;
  constructor(fault: RunBrowserFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
