import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Ctx, Environment } from '../context.ts';
import { pokeWorkers } from '../jobs/index.ts';
import type { MovableClock } from '../lib/clock.ts';
import type { Logger } from '../lib/log/log.ts';
import type { Store } from '../store/types.ts';
import { describeLength } from './length.ts';
import { clockChannel, readAheadMs, removePart, savePart } from './store.ts';

/** A moved clock is noticed within this time when the notification is lost. */
const pollMs = 250;
const seenEveryMs = 1_000;
const retryMs = 1_000;
/** So long a process that starts waits for the time of its database. */
const firstLookMsMax = 10_000;

export interface KeepClockOptions {
  readonly environment: Environment;
  readonly store: Store;
  readonly clock: MovableClock;
  readonly log: Logger;
  /** Name of this process. */
  readonly part: string;
  /**
   * What else is to move, e.g. local chains; not called while the clock was never moved. The part
   * counts as moved once it is done; a failure is tried again.
   */
  readonly onMoved?: (aheadMs: number) => Promise<void>;
}

export interface KeptClock {
  readonly name: string;
  /** Resolves when the database turns out to be one that this process must not run on. */
  readonly refused: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * Gives a process the time of its database: in development it follows every move; elsewhere a
 * database whose clock was moved is refused. Resolves when the process may start.
 * @throws Error one sentence when the clock was moved and this is not development
 */
export async function keepClock(options: KeepClockOptions): Promise<KeptClock> {
  return options.environment === 'development' ? followClock(options) : guardClock(options);
}

/** Names a process in what the command prints. */
export function partName(kind: string): string {
  return `${kind}-${hostname()}-${process.pid}`;
}

/**
 * Takes over the time of a database once, for a command. A database that does not answer is left to
 * the command to report.
 */
export async function applyClock(store: Store, clock: MovableClock): Promise<void> {
  await readAheadMs(store).then(
    (aheadMs) => clock.moveTo(aheadMs),
    () => undefined,
  );
}

/**
 * Moves the vault's clock along; nothing where there is no vault. For those who may ask it as the
 * worker.
 * @throws ServiceError
 */
export async function moveVaultClock(
  ctx: Pick<Ctx, 'config' | 'providers'>,
  aheadMs: number,
): Promise<void> {
  if (ctx.config.vault?.peer === 'worker')
    await ctx.providers.vault.ask('clock.raise', { aheadMs }, z.object({}));
}

async function followClock({
  store,
  clock,
  log,
  part,
  onMoved,
}: KeepClockOptions): Promise<KeptClock> {
  let told: { readonly aheadMs: number; readonly atMs: number } | undefined;
  let hasTime = false;
  async function look(): Promise<void> {
    const aheadMs = await readAheadMs(store);
    const isMoved = clock.moveTo(aheadMs);
    hasTime = true;
    if (told?.aheadMs !== aheadMs) {
      pokeWorkers({ store });
      if (aheadMs > 0)
        await onMoved?.(aheadMs).catch(async (error: unknown) => {
          // Whoever waits for the clock is to know that somebody is behind.
          await savePart(store, { name: part, aheadMs: told?.aheadMs ?? 0 });
          throw error;
        });
    }
    if (isMoved) log.info({ aheadMs, now: clock.now() }, 'the clock was moved');
    if (told?.aheadMs === aheadMs && performance.now() - told.atMs < seenEveryMs) return;
    await savePart(store, { name: part, aheadMs });
    told = { aheadMs, atMs: performance.now() };
  }
  const loop = repeat({ everyMs: pollMs, run: look, log });
  const bell = store.listen?.(clockChannel, loop.wake);
  await loop.turn();
  // Who serves by a clock that is behind dates all of it in the past. A database that stays away is
  // found by a later turn.
  for (
    const endAt = performance.now() + firstLookMsMax;
    !hasTime && performance.now() < endAt;
    await loop.turn()
  )
    await delay(pollMs);
  loop.start();
  return {
    name: 'clock',
    refused: new Promise(() => undefined),
    async stop() {
      await bell?.close();
      await loop.stop();
      await removePart(store, part).catch(() => undefined);
    },
  };
}

async function guardClock({ store, log, environment }: KeepClockOptions): Promise<KeptClock> {
  const check = async () => {
    const aheadMs = await readAheadMs(store);
    return aheadMs === 0 ? undefined : refusal(environment, aheadMs);
  };
  let refuse: (error: Error) => void = () => undefined;
  const refused = new Promise<Error>((resolve) => (refuse = resolve));
  const first = await check().catch(() => 'unknown' as const);
  if (first instanceof Error) throw first;
  if (first === undefined) return { name: 'clock', refused, stop: async () => undefined };
  const loop = repeat({
    everyMs: retryMs,
    log,
    run: async () => {
      const found = await check();
      if (found) refuse(found);
      loop.end();
    },
  });
  loop.start();
  return { name: 'clock', refused, stop: loop.stop };
}

function refusal(environment: Environment, aheadMs: number): Error {
  return new Error(
    `The clock of this database was moved ${describeLength(aheadMs)} ahead with purser clock advance, which is for development: ` +
      `in ${environment} Purser does not start on it. Use a database whose clock was never moved.`,
  );
}

interface Loop {
  /** One turn now; a failure is logged. */
  turn(): Promise<void>;
  start(): void;
  /** The next turn comes at once. */
  wake(): void;
  /** No further turn. */
  end(): void;
  stop(): Promise<void>;
}

function repeat(input: {
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly log: Logger;
}): Loop {
  let isEnding = false;
  let isFailing = false;
  let rung = false;
  let wakeUp: (() => void) | undefined;
  let running: Promise<void> | undefined;
  async function turn(): Promise<void> {
    try {
      await input.run();
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        input.log.warn({ err: error }, 'the clock could not be taken over; tried again');
      isFailing = true;
    }
  }
  async function run(): Promise<void> {
    while (!isEnding) {
      rung = false;
      await turn();
      if (!isEnding && !rung) await pause();
    }
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, input.everyMs);
      timer.unref();
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const wake = () => {
    rung = true;
    wakeUp?.();
  };
  const end = () => {
    isEnding = true;
    wake();
  };
  return {
    turn,
    start: () => void (running ??= run()),
    wake,
    end,
    async stop() {
      end();
      await running;
    },
  };
}
