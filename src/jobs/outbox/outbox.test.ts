import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createStore } from '../../store/pool.ts';
import type { Tx } from '../../store/types.ts';
import { cleanUp } from '../clean-up.ts';
import type { JobsCtx } from '../flows/flow.ts';
import { listReaders } from '../flows/inspect.ts';
import { aJobsCtx, eventually } from '../test-kit.ts';
import type { DomainEvent } from '../types.ts';
import { appendEvents, placeEvents, readEvents, type StoredEvent } from './outbox.ts';
import {
  createOutboxReader,
  type OutboxReader,
  type OutboxReaderOptions,
} from './outbox-reader.ts';
import { retryParkedEvent } from './parked-events.ts';

let database: TestDatabase;
let ctx: JobsCtx;
let readers: OutboxReader[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = aJobsCtx(database.store);
  await database.store.query({
    text: 'create table handled (nr bigint generated always as identity, reader text, object text, n int)',
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.store.query({ text: 'truncate outbox, outbox_readers, outbox_parked, handled' });
  await database.store.query({ text: 'update outbox_sequence set position = 0' });
});
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.stop()));
  readers = [];
});

const anEvent = (object: string, n: number): DomainEvent => ({
  projectId: 'p1',
  type: 'wallets.transfer.in',
  object,
  data: { n },
});
const append = (...events: DomainEvent[]) =>
  ctx.store.transaction((tx) => appendEvents(tx, events));
const place = () => ctx.store.transaction(placeEvents);
const numberOf = (event: StoredEvent) => (event.data as { n: number }).n;

/** Writes down what it is handed, in the transaction it is handed. */
function aReader(options: Partial<OutboxReaderOptions> = {}, readerCtx = ctx): OutboxReader {
  const name = options.name ?? 'hook';
  const reader = createOutboxReader(readerCtx, {
    name,
    random: () => 0.5,
    handle: (tx, events) => write(tx, name, events),
    ...options,
  });
  readers.push(reader);
  return reader;
}

async function write(tx: Tx, reader: string, events: readonly StoredEvent[]): Promise<void> {
  for (const event of events) {
    await tx.query({
      text: 'insert into handled (reader, object, n) values ($1, $2, $3)',
      values: [reader, event.object, numberOf(event)],
    });
  }
}

async function handled(reader = 'hook'): Promise<{ object: string; n: number }[]> {
  return (
    await database.store.query<{ object: string; n: number }>({
      text: 'select object, n from handled where reader = $1 order by nr',
      values: [reader],
    })
  ).rows;
}

test('events are read in the order written, with positions from 1 and ids that stay', async () => {
  await append(anEvent('wallet:a', 1), anEvent('wallet:b', 2), anEvent('wallet:a', 3));
  expect(await readEvents(ctx.store, { afterPosition: 0n, limit: 10 })).toEqual([]);
  expect(await place()).toBe(3);
  const events = await readEvents(ctx.store, { afterPosition: 0n, limit: 2 });
  expect(events.map((event) => [event.position, event.object, numberOf(event)])).toEqual([
    [1n, 'wallet:a', 1],
    [2n, 'wallet:b', 2],
  ]);
  expect(events[0]).toMatchObject({ projectId: 'p1', type: 'wallets.transfer.in' });
  const [third] = await readEvents(ctx.store, { afterPosition: 2n, limit: 2 });
  expect(third!.position).toBe(3n);
  expect(await readEvents(ctx.store, { afterPosition: 2n, limit: 2 })).toEqual([third]);
});

test('processes that place at once wait for each other, and each event gets one position', async () => {
  await append(...Array.from({ length: 500 }, (_, n) => anEvent('wallet:a', n)));
  const placed = await Promise.all([place(), place(), place()]);
  expect(placed.sort()).toEqual([0, 0, 500]);
  const events = await readEvents(ctx.store, { afterPosition: 0n, limit: 1_000 });
  expect(events.map(({ position }) => position)).toEqual(
    Array.from({ length: 500 }, (_, n) => BigInt(n + 1)),
  );
});

test('an event of a transaction that is rolled back does not exist', async () => {
  await expect(
    ctx.store.transaction(async (tx) => {
      await appendEvents(tx, [anEvent('wallet:a', 1)]);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await place()).toBe(0);
});

test('a transaction that wrote first and commits last is not skipped', async () => {
  let commitLate = () => {};
  let hasWritten = () => {};
  const written = new Promise<void>((resolve) => (hasWritten = resolve));
  const gate = new Promise<void>((resolve) => (commitLate = resolve));
  const late = ctx.store.transaction(async (tx) => {
    await appendEvents(tx, [anEvent('wallet:late', 1)]);
    hasWritten();
    await gate;
  });
  await written;
  await append(anEvent('wallet:early', 2));
  const reader = aReader();
  expect(await reader.drain()).toBe(1);
  commitLate();
  await late;
  expect(await reader.drain()).toBe(1);
  expect(await handled()).toEqual([
    { object: 'wallet:early', n: 2 },
    { object: 'wallet:late', n: 1 },
  ]);
});

test('many writers at once: two processes that take turns as one reader handle every event once, each object in its order', async () => {
  await database.store.query({ text: 'create table objects (id int primary key, n int not null)' });
  await database.store.query({
    text: 'insert into objects select g, 0 from generate_series(1, 8) g',
  });
  const other = createStore({ url: database.url, poolSize: 4 });
  try {
    aReader({ batchSizeMax: 7 }).start();
    aReader({ batchSizeMax: 7 }, aJobsCtx(other)).start();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 25; round++) {
        await ctx.store.transaction(async (tx) => {
          const id = 1 + ((writer + round) % 8);
          const { rows } = await tx.query<{ n: number }>({
            text: 'update objects set n = n + 1 where id = $1 returning n',
            values: [id],
          });
          await appendEvents(tx, [anEvent(`object:${id}`, rows[0]!.n)]);
          if (Math.random() < 0.3) await tx.query({ text: 'select pg_sleep(0.01)' });
        });
      }
    });
    await Promise.all(writers);
    const all = await eventually('all are handled', async () => {
      const rows = await handled();
      return rows.length >= 200 && rows;
    });
    expect(all).toHaveLength(200);
    for (let id = 1; id <= 8; id++) {
      expect(all.filter((row) => row.object === `object:${id}`).map(({ n }) => n)).toEqual(
        Array.from({ length: 25 }, (_, n) => n + 1),
      );
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.stop()));
    await other.close();
  }
});

test('a reader is told of new events at once, not by its poll', async () => {
  const other = createStore({ url: database.url, poolSize: 2 });
  try {
    const reader = aReader({ pollMs: 600_000 }, aJobsCtx(other));
    reader.start();
    for (let n = 1; n <= 20; n++) {
      await append(anEvent('wallet:a', n));
      if (n % 5 === 0)
        await eventually(`event ${n} is handled`, async () => (await handled()).length === n);
    }
    await reader.stop();
  } finally {
    await other.close();
  }
});

test('a handler that fails keeps its place; what it did is rolled back; the events before the bad one are not held up', async () => {
  const clock = createManualClock();
  const bad = { n: 3 };
  const reader = aReader(
    {
      retry: { attemptsMax: 3, baseMs: 1_000, delayMsMax: 10_000 },
      handle: async (tx, events) => {
        await write(tx, 'hook', events);
        if (events.some((event) => numberOf(event) === bad.n)) throw new Error('cannot take 3');
      },
    },
    aJobsCtx(database.store, clock),
  );
  await append(...[1, 2, 3, 4, 5].map((n) => anEvent('wallet:a', n)));
  await reader.drain();
  expect((await handled()).map(({ n }) => n)).toEqual([1, 2]);
  expect(await listReaders(ctx.store)).toMatchObject([
    { name: 'hook', position: '2', behind: 3, parked: 0, attempts: 1, lastError: 'cannot take 3' },
  ]);
  expect(await reader.drain()).toBe(0);
  clock.advance(750);
  await reader.drain();
  expect(await listReaders(ctx.store)).toMatchObject([{ position: '2', attempts: 2 }]);
  clock.advance(1_499);
  await reader.drain();
  expect(await listReaders(ctx.store)).toMatchObject([{ position: '2', attempts: 2 }]);
  clock.advance(1);
  await reader.drain();
  await reader.drain();
  expect((await handled()).map(({ n }) => n)).toEqual([1, 2, 4, 5]);
  expect(await listReaders(ctx.store)).toMatchObject([
    { position: '5', behind: 0, parked: 1, attempts: 0 },
  ]);

  const parked = (
    await database.store.query<{ event_id: string }>({ text: 'select event_id from outbox_parked' })
  ).rows[0]!.event_id;
  const retry = () =>
    retryParkedEvent(
      ctx,
      {
        name: 'hook',
        handle: async (tx, events) =>
          bad.n ? Promise.reject(new Error('still bad')) : write(tx, 'hook', events),
      },
      parked,
    );
  await expect(retry()).rejects.toThrow('still bad');
  bad.n = 0;
  expect(await retry()).toBe(true);
  expect(await retry()).toBe(false);
  expect((await handled()).map(({ n }) => n)).toEqual([1, 2, 4, 5, 3]);
});

test('readers of different names each see everything; a new one may begin with what comes next', async () => {
  await append(anEvent('wallet:a', 1));
  await aReader({ name: 'first' }).drain();
  const second = aReader({ name: 'second' });
  const late = aReader({ name: 'late', startAt: 'next' });
  await late.drain();
  await append(anEvent('wallet:a', 2));
  for (const reader of [second, late]) await reader.drain();
  expect((await handled('second')).map(({ n }) => n)).toEqual([1, 2]);
  expect((await handled('late')).map(({ n }) => n)).toEqual([2]);
});

test('events past their retention are removed once every reader has them, unread ones much later', async () => {
  const day = 24 * 3_600_000;
  const retention = { doneMs: day, failedMs: day, eventsMs: 30 * day, unreadEventsMs: 90 * day };
  const reader = aReader();
  await append(anEvent('wallet:a', 1), anEvent('wallet:a', 2));
  await reader.drain();
  await append(anEvent('wallet:a', 3));
  await place();
  const inDays = (days: number) =>
    aJobsCtx(database.store, createManualClock(new Date(Date.now() + days * day)));
  expect(await cleanUp(inDays(29), retention)).toBe(0);
  expect(await cleanUp(inDays(31), retention)).toBe(2);
  expect(await cleanUp(inDays(91), retention)).toBe(1);
});
