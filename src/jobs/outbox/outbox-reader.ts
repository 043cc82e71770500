import { createSignal, startLoop } from '../../lib/waiting/loop.ts';
import type { Tx } from '../../store/types.ts';
import type { JobsCtx, RetryRule } from '../flows/flow.ts';
import { count } from '../metrics.ts';
import { eventsChannel, subscribe } from '../notify.ts';
import { hasUnplacedEvents, placeEvents, readEvents, type StoredEvent } from './outbox.ts';
import { retryAskedEvents } from './parked-events.ts';
import {
  addReader,
  claimCursor,
  moveCursor,
  recordFailure,
  type StartAt,
} from './reader-cursor.ts';

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
  /** Default: with the oldest. */
  readonly startAt?: StartAt;
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
const errorDelayMs = 1_500;

/** What the functions below share of one reader. */
interface ReaderState {
  readonly ctx: JobsCtx;
  readonly options: Required<OutboxReaderOptions>;
  isAdded: boolean;
  /**
   * After a failed batch its events are taken one by one, so that those before the bad one are not
   * held up: how many of them are left.
   */
  alone: number;
}

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
  const { random = Math.random } = options;
  const state: ReaderState = {
    ctx,
    options: {
      ...options,
      batchSizeMax: options.batchSizeMax ?? 200,
      pollMs: options.pollMs ?? 500,
      retry: options.retry ?? defaultRetry,
      startAt: options.startAt ?? 'oldest',
      random,
    },
    isAdded: false,
    alone: 0,
  };
  let running: { stop(): Promise<void> } | undefined;
  return {
    name: options.name,
    start: () => {
      running ??= startReader(state);
    },
    stop: async () => running?.stop(),
    drain: async () => {
      for (let total = 0; ; ) {
        const turn = await takeTurn(state);
        total += turn.handled;
        if (!turn.more) return total + (await retryAskedEvents(ctx, options));
      }
    },
  };
}

function startReader(state: ReaderState): { stop(): Promise<void> } {
  const { ctx, options } = state;
  const signal = createSignal();
  const stopping = new AbortController();
  const bell = subscribe(ctx.store, eventsChannel, () => signal.wake());
  const loop = startLoop({
    round: async () => {
      if ((await takeTurn(state)).more) return;
      await retryAskedEvents(ctx, options);
      await signal.wait(options.pollMs);
    },
    signal,
    stopping: stopping.signal,
    failurePauseMs: errorDelayMs,
    failurePauseMaxMs: errorDelayMs,
    onFailure: (error) =>
      ctx.log.error({ err: error, reader: options.name }, 'events could not be read; trying again'),
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([loop.stop(), bell.close()]);
    },
  };
}

async function takeTurn(state: ReaderState): Promise<Turn> {
  const { ctx, options } = state;
  if (!state.isAdded) await addReader(ctx, options);
  state.isAdded = true;
  if (await hasUnplacedEvents(ctx.store)) await ctx.store.transaction(placeEvents);
  try {
    return await ctx.store.transaction((tx) => handleNext(tx, state));
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    if (error.events.length > 1) {
      state.alone = error.events.length;
      return { handled: 0, more: true };
    }
    await noteFailure(state, error, error.events[0]!);
    return { handled: 0, more: false };
  }
}

async function handleNext(tx: Tx, state: ReaderState): Promise<Turn> {
  const { ctx, options } = state;
  const cursor = await claimCursor(tx, options.name);
  const now = ctx.clock.now();
  if (cursor === undefined || (cursor.retryAt !== null && cursor.retryAt > now))
    return { handled: 0, more: false };
  const limit = cursor.attempts > 0 || state.alone > 0 ? 1 : options.batchSizeMax;
  const events = await readEvents(tx, { afterPosition: cursor.position, limit });
  const last = events.at(-1);
  if (last === undefined) return { handled: 0, more: false };
  await options.handle(tx, events).catch((error: unknown) => {
    throw new HandlerError(events, error);
  });
  await moveCursor(tx, options.name, { position: last.position, now });
  tx.afterCommit(() => {
    count('eventsHandled', events.length);
    state.alone = Math.max(0, state.alone - events.length);
  });
  return { handled: events.length, more: events.length === limit };
}

async function noteFailure(
  state: ReaderState,
  error: HandlerError,
  event: StoredEvent,
): Promise<void> {
  const { ctx, options } = state;
  const text = error.message.replaceAll('\0', '').slice(0, 2_000);
  const isParked = await recordFailure(ctx, options, { event, text });
  const names = { reader: options.name, event: event.id, type: event.type };
  if (isParked) {
    state.alone = Math.max(0, state.alone - 1);
    ctx.log.error(
      { ...names, error: text },
      'an event was parked: its reader failed on it too often',
    );
  }
  ctx.log.warn({ err: error.cause, ...names }, 'an event could not be handled, to be retried');
}
