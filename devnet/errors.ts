/**
 * Something on this machine keeps a local server from starting. The message is one sentence for the
 * person at the terminal.
 */
export class DevnetError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'DevnetError';
  }
}

/** Where the local servers report what a developer may want to read. */
export type Log = (message: string) => void;

/** Whether a file system call failed with this code, e.g. `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
