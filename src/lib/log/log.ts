import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { cleanLogFields } from './log-fields.ts';

export type { Logger };

const standardOutput = 1;

/**
 * Structured logs: one JSON object per line. Secrets have their own type and print as `[secret]`,
 * and so do fields of their names at any depth; of errors it keeps what names no values. On
 * standard output when no destination is given.
 */
export function createLogger(
  options: { level: string; process: string },
  destination: DestinationStream = logTo(standardOutput),
): Logger {
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: cleanLogFields },
    // Errors are plain fields by then; the library's own writer would add its reading of them.
    serializers: { err: (error: unknown) => error },
  };
  return pino(settings, destination);
}

/**
 * Writes lines to an open file, each at once. What cannot be written is lost: a full disk, or a
 * reader that has gone, must not end a service. The library's own writer ends the process then, or
 * tries for ever to write what is left.
 */
export function logTo(file: number): DestinationStream {
  return {
    write(line) {
      try {
        writeAll(file, Buffer.from(line));
      } catch {
        // There is nowhere to say so.
      }
    },
  };
}

const busy = new Set(['EAGAIN', 'EBUSY']);
const busyPauseMs = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A reader that is slow is waited for. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(file, bytes, written);
    } catch (error) {
      if (!busy.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      Atomics.wait(sleeper, 0, 0, busyPauseMs);
    }
  }
}
