import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../../store/types.ts';
import { type JobsCtx, type RetryRule, retryDelayMs } from '../flows/flow.ts';
import { count } from '../metrics.ts';
import { eventsChannel, hear } from '../notify.ts';
import { hasUnplacedEvents, placeEvents, readEvents, type StoredEvent } from './outbox.ts';
import { retryAskedEvents } from './parked-events.ts';

export interface OutboxReaderOptions {
  /** Names the durable cursor: the same in every process and for ever. */
  readonly name: string;
  /**
   * Handles events in the transaction that moves the cursor, so what it writes happens once per
   * event. Work outside the database is for a flow that it starts.
   */
  handle(tx: Tx, events: readonly StoredEvent[]): Promise<void>;
  /** Events per call; default 200. */
  readonly batchSizeMax?: number;
  readonly pollMs?: number;
  /**
   * Tries of one event before it is parked and the next ones go on. Default 12 tries in about 15
   * minutes.
   */
  readonly retry?: RetryRule;
  /** Where a new reader begins: with the oldest event there is, or with what comes next. */
  readonly startAt?: 'oldest' | 'next';
  readonly random?: () => number;
}

export interface OutboxReader {
  readonly name: string;
  start(): void;
  stop(): Promise<void>;
  /** Handles whatever is there now and answers with the number of events. For tests and tools. */
  drain(): Promise<number>;
}

const defaultRetry: RetryRule = { attemptsMax: 12, baseMs: 500, delayMsMax: 3 * 60_000 };
const errorDelayMs = 1_000;

interface Turn {
  readonly handled: number;
  /** Look again at once: there may be more. */
  readonly more: boolean;
}

class HandlerError extends Error {
  readonly events: readonly StoredEvent[];
  constructor(events: readonly StoredEvent[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.events = events;
  }
}

/** Makes a reader of the outbox. Any number of processes may run the same one: they take turns. */
export function createOutboxReader(ctx: JobsCtx, options: OutboxReaderOptions): OutboxReader {
  const {
    name,
    batchSizeMax = 200,
    pollMs = 500,
    retry = defaultRetry,
    random = Math.random,
  } = options;
  const stopper = new AbortController();
  let loop: Promise<void> | undefined;
  let known = false;
  let rung = false;
  // After a failed batch its events are taken one by one, so that those before the bad one are not
  // held up.
  let alone = 0;
  let wake: (() => void) | undefined;

  async function register(): Promise<void> {
    if (known) return;
    const start =
      options.startAt === 'next' ? 'select position from outbox_sequence where id = 1' : 'select 0';
    await ctx.store.query({
      text: `insert into outbox_readers (name, position, updated_at) values ($1, (${start}), $2) on conflict do nothing`,
      values: [name, ctx.clock.now()],
    });
    known = true;
  }

  async function takeTurn(): Promise<Turn> {
    await register();
    if (await hasUnplacedEvents(ctx.store)) await ctx.store.transaction(placeEvents);
    try {
      return await ctx.store.transaction((tx) => handleNext(tx));
    } catch (error) {
      if (!(error instanceof HandlerError)) throw error;
      if (error.events.length > 1) {
        alone = error.events.length;
        return { handled: 0, more: true };
      }
      await recordFailure(error, error.events[0]!);
      return { handled: 0, more: false };
    }
  }

  async function handleNext(tx: Tx): Promise<Turn> {
    const cursor = await tx.query<{ position: string; attempts: number; retryAt: Date | null }>({
      name: 'outbox-cursor',
      text: 'select position, attempts, retry_at as "retryAt" from outbox_readers where name = $1 for update skip locked',
      values: [name],
    });
    const row = cursor.rows[0];
    const now = ctx.clock.now();
    if (row === undefined || (row.retryAt !== null && row.retryAt > now))
      return { handled: 0, more: false };
    const limit = row.attempts > 0 || alone > 0 ? 1 : batchSizeMax;
    const events = await readEvents(tx, { afterPosition: BigInt(row.position), limit });
    const last = events.at(-1);
    if (last === undefined) return { handled: 0, more: false };
    await options.handle(tx, events).catch((error: unknown) => {
      throw new HandlerError(events, error);
    });
    await moveCursor(tx, last.position, now);
    tx.afterCommit(() => {
      count('eventsHandled', events.length);
      alone = Math.max(0, alone - events.length);
    });
    return { handled: events.length, more: events.length === limit };
  }

  async function moveCursor(tx: Tx, position: bigint, now: Date): Promise<void> {
    await tx.query({
      name: 'outbox-move',
      text: 'update outbox_readers set position = $2, attempts = 0, retry_at = null, last_error = null, updated_at = $3 where name = $1',
      values: [name, position.toString(), now],
    });
  }

  async function recordFailure(error: HandlerError, event: StoredEvent): Promise<void> {
    const text = error.message.replaceAll('\0', '').slice(0, 2_000);
    await ctx.store.transaction(async (tx) => {
      const { rows } = await tx.query<{ position: string; attempts: number }>({
        text: 'select position, attempts from outbox_readers where name = $1 for update',
        values: [name],
      });
      const row = rows[0];
      // Somebody else has moved on meanwhile.
      if (row === undefined || BigInt(row.position) >= event.position) return;
      const now = ctx.clock.now();
      const attempts = row.attempts + 1;
      if (attempts >= retry.attemptsMax) return park(tx, event, text, now);
      await tx.query({
        text: 'update outbox_readers set attempts = $2, retry_at = $3, last_error = $4, updated_at = $5 where name = $1',
        values: [
          name,
          attempts,
          new Date(now.getTime() + retryDelayMs(retry, attempts, random)),
          text,
          now,
        ],
      });
    });
    ctx.log.warn(
      { err: error.cause, reader: name, event: event.id, type: event.type },
      'an event could not be handled, to be retried',
    );
  }

  async function park(tx: Tx, event: StoredEvent, error: string, now: Date): Promise<void> {
    const { mac, ...written } = event;
    await tx.query({
      text: `insert into outbox_parked (reader, event_id, event, last_error, parked_at, mac) values ($1, $2, $3, $4, $5, $6)
             on conflict (reader, event_id) do update set last_error = excluded.last_error, parked_at = excluded.parked_at`,
      values: [
        name,
        event.id,
        JSON.stringify({ ...written, position: event.position.toString() }),
        error,
        now,
        mac,
      ],
    });
    await moveCursor(tx, event.position, now);
    tx.afterCommit(() => {
      count('eventsParked');
      alone = Math.max(0, alone - 1);
    });
    ctx.log.error(
      { reader: name, event: event.id, type: event.type, error },
      'an event was parked: its reader failed on it too often',
    );
  }

  async function runLoop(): Promise<void> {
    while (!stopper.signal.aborted) {
      rung = false;
      try {
        if ((await takeTurn()).more) continue;
        await retryAskedEvents(ctx, options);
        if (!rung) await pause(pollMs);
      } catch (error) {
        ctx.log.error({ err: error, reader: name }, 'events could not be read; trying again');
        await pause(errorDelayMs * (0.5 + random()));
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    if (stopper.signal.aborted) return;
    const woken = new AbortController();
    wake = () => woken.abort();
    await delay(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    wake = undefined;
  }

  let bell: { close(): Promise<void> } | undefined;
  return {
    name,
    start: () => {
      if (loop !== undefined) return;
      bell = hear(ctx.store, eventsChannel, () => {
        rung = true;
        wake?.();
      });
      loop = runLoop();
    },
    stop: async () => {
      stopper.abort();
      wake?.();
      await Promise.all([loop, bell?.close()]);
    },
    drain: async () => {
      let total = 0;
      for (;;) {
        const turn = await takeTurn();
        total += turn.handled;
        if (!turn.more) return total + (await retryAskedEvents(ctx, options));
      }
    },
  };
}
