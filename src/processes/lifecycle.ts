import { hostname } from 'node:os';
import { createLogger, type Logger } from '../lib/log/log.ts';

/** Of the command line: a command says what it did in its own words. */
export const quietLog = createLogger({ level: 'silent', process: 'purser' });

// Node opens its debugger on this signal, for whoever may send it: in no process of ours, where
// keys and numbers are in memory.
process.on('SIGUSR1', () => undefined);

/** Of what `PLAINTEXT_HOSTS` allows and the settings use. */
export const plaintextWarning = (hosts: readonly string[]) =>
  `PLAINTEXT_HOSTS: without TLS that is verified, this reaches ${hosts.join(', ')}. Whoever stands between reads and changes what goes over it.`;

/** A part of a process that can be stopped; stopping finishes what is under way. */
export interface Running {
  readonly name: string;
  stop(): Promise<void>;
}

/**
 * Stops parts in the reverse order of their start; a part that fails to stop does not keep the
 * others.
 */
export async function stopAll(parts: readonly Running[], log: Logger): Promise<void> {
  for (const part of parts.toReversed()) {
    try {
      await part.stop();
    } catch (error) {
      log.error({ err: error, part: part.name }, 'a part did not stop cleanly');
    }
  }
}

const stopMaxMs = 20_000;
/** One Ctrl-C can arrive twice: from the terminal, and handed on by npm or a shell. */
const sameSignalMs = 1_000;

/**
 * Runs a process until SIGINT or SIGTERM, then stops its parts in order. A later second signal, or
 * 20 s, ends it at once.
 * @returns the same end for a reason from inside: one sentence on standard error and exit code 1
 */
export function runUntilSignal(log: Logger, parts: readonly Running[]): (reason: Error) => void {
  let stoppingSinceMs: number | undefined;
  const stop = (exitCode: number) => {
    stoppingSinceMs = performance.now();
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    void stopAll(parts, log).then(() => process.exit(exitCode));
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
      return;
    }
    log.info({ signal }, 'stopping');
    stop(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return (reason) => {
    if (stoppingSinceMs !== undefined) return;
    log.fatal({ err: reason }, 'stopping');
    console.error(reason.message);
    stop(1);
  };
}

/** Names a process in leases and logs; nothing depends on it being the same after a restart. */
export function workerName(process_: string): string {
  return `${process_}-${hostname()}-${process.pid}`;
}

/** Ends the process with one sentence on standard error. */
export function exitWith(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
