import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from '../../src/processes/lifecycle.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { separateDatabases } from './roles.ts';

export interface DevDatabase extends Running {
  /** Main database, as the role that may not enter the vault's. The same after every restart. */
  readonly url: string;
  /** The same database as its API and its worker see it. */
  readonly apiUrl: string;
  readonly workerUrl: string;
  /** The vault's database, as its owner, who may not enter the main one. */
  readonly vaultUrl: string;
  /** The same as the running vault sees it. */
  readonly vaultServiceUrl: string;
  /** The test shops' database, which they alone use. */
  readonly shopsUrl: string;
  /** Resolves with the reason when the server has ended by itself and could not be brought back. */
  readonly lost: Promise<Error>;
}

/**
 * Making the files takes a second or two, and was seen to take more than 30 s on a machine with ten
 * times its load.
 */
const firstStartMaxMs = 120_000;
const triesMax = 3;
const pauseMs = 1_000;
/** More ends than this within the window are no accident. */
const endsMax = 5;
const endsWindowMs = 10 * 60_000;

/**
 * Runs the embedded PostgreSQL and starts it again on the same folder when it ends by itself:
 * whoever has a pool of connections to it goes on with new ones.
 * @throws DevnetError one sentence when the first start fails
 */
export async function keepDatabase(input: {
  readonly dataDir: string;
  readonly print: (text: string) => void;
}): Promise<DevDatabase> {
  const start = (timeoutMs?: number) =>
    startPostgres({ dataDir: input.dataDir, log: input.print, timeoutMs });
  let server = await start(firstStartMaxMs);
  const serverUrl = server.url('purser');
  const urls = await separateDatabases(server).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const stopping = new AbortController();

  async function keep(): Promise<Error | undefined> {
    for (const endedAtMs: number[] = []; ; ) {
      await Promise.race([server.ended, abortOf(stopping.signal)]);
      if (stopping.signal.aborted) return undefined;
      endedAtMs.push(performance.now());
      if (endedAtMs.filter((ms) => ms > performance.now() - endsWindowMs).length > endsMax) {
        return new Error(
          `The database ended by itself ${endsMax + 1} times within ${endsWindowMs / 60_000} minutes: see ${input.dataDir}/postgres.log.`,
        );
      }
      input.print('The database ended by itself; starting it again.');
      const next = await restart();
      if (next instanceof Error) return next;
      server = next;
      if (server.url('purser') !== serverUrl)
        return new Error('The database came back at another address: start Purser again.');
      input.print('The database is back.');
    }
  }

  async function restart(): Promise<Postgres | Error> {
    // Gives the folder free for the next one.
    await server.stop();
    for (let tries = 1; ; tries++) {
      try {
        return await start();
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        if (tries === triesMax || stopping.signal.aborted)
          return new Error(
            `The database ended by itself and could not be started again: ${reason}`,
            { cause },
          );
        await delay(pauseMs);
      }
    }
  }

  const kept = keep().catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  const stop = async () => {
    stopping.abort();
    await kept;
    await server.stop();
  };
  return {
    name: 'database',
    ...urls,
    lost: kept.then((error) => error ?? new Promise<never>(() => undefined)),
    stop,
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
