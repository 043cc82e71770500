import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeServer } from '../../../http/close-server.ts';
import { webhooksCommand } from '../api/command.ts';
import {
  countStreams,
  openStream as openEventStream,
  streamsPerProjectMax,
} from '../api/stream.ts';
import { blankPublicEvents } from '../index.ts';
import { eventsKeptMs, pruneWebhooks } from '../prune.ts';
import {
  answerWith,
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../testing/test-kit.ts';

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = answerWith(204);
  world = await startWorld();
});
afterEach(() => world.close());

const read = async (query = '') => (await world.api.call('GET', `/unstable/events${query}`)).body;
const numbered = (count: number, of = 'order:1') =>
  Array.from({ length: count }, (_, n) => ({ object: of, data: { n } }));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Of buffers that somebody still has. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

interface Stream {
  /** Waits for so many events since the beginning. */
  take(
    count: number,
  ): Promise<{ id: string; event: string; data: { payload: { data: { n: number } } } }[]>;
  readonly text: () => string;
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * By the plain client: `fetch` opens a spare connection when a call is cut off, which would hold up
 * the server's end.
 */
async function getStream(
  query = '',
  headers: Record<string, string> = {},
): Promise<http.IncomingMessage> {
  const request = http.get(`${world.api.baseUrl}/unstable/events${query}`, {
    agent: false,
    headers: { 'x-api-key': world.api.serverKey, accept: 'text/event-stream', ...headers },
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.on('error', () => undefined);
  if (response.statusCode === 200) return response;
  throw Object.assign(new Error('The stream was refused.'), {
    status: response.statusCode,
    text: Buffer.concat(await response.toArray()).toString(),
  });
}

async function openStream(query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const response = await getStream(query, headers);
  expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  const events = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.startsWith('id:'))
      .map((block) => {
        const [id, event, data] = block
          .split('\n')
          .map((line) => line.slice(line.indexOf(': ') + 2));
        return { id: id!, event: event!, data: JSON.parse(data!) };
      });
  return {
    async take(count) {
      for (const endAt = Date.now() + 20_000; events().length < count; await delay(20)) {
        if (Date.now() > endAt) throw new Error(`only ${events().length} of ${count} events came`);
      }
      return events();
    },
    text: () => text,
    ended,
    close: () => response.destroy(),
  };
}

async function eventually(check: () => boolean): Promise<void> {
  for (const endAt = Date.now() + 10_000; !check(); await delay(20))
    if (Date.now() > endAt) throw new Error('waited in vain');
}

describe('the list of events', () => {
  it('has what webhooks carry, in order, page by page, from an id, a position or what comes next', async () => {
    await world.happen([
      ...numbered(5),
      { type: 'payouts.settled' },
      { type: 'wallets.transfer.in', object: 'wallet:1', data: { n: 5 } },
    ]);
    await world.feed.drain();
    const first = await read('?limit=3');
    const second = await read(`?limit=3&after=${first.nextCursor}`);
    expect([...first.events, ...second.events].map(({ payload }) => payload.data.n)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    expect(await read(`?limit=3&after=${first.events[2].id}`)).toEqual(second);
    expect((await read('?types=wallets.transfer.in')).events).toEqual([second.events[2]]);
    const end = await read('?after=latest');
    expect(end).toEqual({ events: [], nextCursor: second.nextCursor });
    await world.happen(numbered(1));
    await world.feed.drain();
    expect((await read(`?after=${end.nextCursor}`)).events).toHaveLength(1);
    const unknown = await world.api.call('GET', `/unstable/events?after=${randomUUID()}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'event-not-found']);
  });

  it('has a place to go on from also where nothing has happened yet, so that nothing is missed between two reads', async () => {
    const nothing = await read('?after=latest');
    expect(nothing.events).toEqual([]);
    await world.happen(numbered(1));
    await world.feed.drain();
    expect((await read(`?after=${nothing.nextCursor ?? 'latest'}`)).events).toHaveLength(1);
  });

  it('refuses a position that no event has yet, instead of leaving out in silence what comes until then', {
    tags: 'slow',
  }, async () => {
    await world.happen(numbered(2));
    await world.feed.drain();
    const last = BigInt((await read()).nextCursor);
    expect((await read(`?after=${last}`)).events).toEqual([]);
    for (const after of [String(last + 1n), '9'.repeat(18)]) {
      const ahead = await world.api.call('GET', `/unstable/events?after=${after}`);
      expect([ahead.status, ahead.body.code, ahead.body.message]).toEqual([
        400,
        'validation-error',
        expect.stringContaining(after),
      ]);
      await expect(getStream(`?after=${after}`)).rejects.toMatchObject({ status: 400 });
    }
    for (const after of ['9'.repeat(19), '-1', '1.5', 'tomorrow'])
      expect((await world.api.call('GET', `/unstable/events?after=${after}`)).status).toBe(400);
  });

  it('goes on after a position whose event is past its retention', { tags: 'slow' }, async () => {
    await world.happen(numbered(2));
    await world.feed.drain();
    const { nextCursor } = await read();
    world.clock.advance(eventsKeptMs + 60_000);
    await pruneWebhooks(world.api.ctx);
    expect(await read(`?after=${nextCursor}`)).toEqual({ events: [], nextCursor });
    await world.happen(numbered(1));
    await world.feed.drain();
    expect((await read(`?after=${nextCursor}`)).events).toHaveLength(1);
  });

  it('outlives the outbox, for 30 days, and then its deliveries go with it', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.happen(numbered(2));
    await world.deliver();
    await world.api.ctx.store.query({ text: 'delete from outbox' });
    expect((await read()).events).toHaveLength(2);
    world.clock.advance(eventsKeptMs - 60_000);
    await pruneWebhooks(world.api.ctx);
    expect([(await read()).events.length, (await world.deliveriesOf(id)).length]).toEqual([2, 2]);
    world.clock.advance(120_000);
    await pruneWebhooks(world.api.ctx);
    expect([(await read()).events.length, (await world.deliveriesOf(id)).length]).toEqual([0, 0]);
  });

  it('forgets a person who is erased, and so does what is still to be sent', {
    tags: 'slow',
  }, async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = answerWith(500, {}, 'alice@example.com is unknown');
    const { projectId, ctx } = world.api;
    const data = { userLocator: 'email:alice@example.com', eligibility: [] };
    await world.happen([{ type: 'users.identity-verification.updated', object: 'user:1', data }]);
    await world.deliver();
    await ctx.store.transaction((tx) => blankPublicEvents(tx, { projectId, object: 'user:1' }));
    const { rows } = await ctx.store.query<{ text: string }>({
      text: `select concat((select string_agg(e::text, '') from events e), (select string_agg(o::text, '') from outbox o),
               (select string_agg(d::text, '') from webhook_deliveries d)) as text`,
    });
    expect(rows[0]!.text).toContain('user:1');
    expect(rows[0]!.text).not.toContain('alice');
    world.clock.advance(6_000);
    await world.deliver();
    expect(receiver.received[1]!.json).toMatchObject({
      id: receiver.received[0]!.json.id,
      data: {},
    });
    expect((await world.deliveriesOf(id))[0]).toMatchObject({ attemptCount: 2 });
  });

  it('has nothing of a person who is erased while their event is being copied', async () => {
    const { projectId, ctx } = world.api;
    await world.happen([
      {
        type: 'users.identity-verification.updated',
        object: 'user:2',
        data: { userLocator: 'email:bob@example.com' },
      },
    ]);
    await world.anEndpoint({ url: receiver.url });
    const lockWaits = async () => {
      const { rows } = await ctx.store.query<{ n: number }>({
        text: `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      });
      return rows[0]!.n;
    };
    const waitFor = async (count: number) => {
      for (const endAt = Date.now() + 10_000; (await lockWaits()) < count && Date.now() < endAt; )
        await delay(20);
    };
    // The copy is stopped in its middle: its transaction stays open until the erasure waits for it,
    // or has passed it by.
    let [copying, erasing]: Promise<unknown>[] = [];
    await ctx.store.transaction(async (tx) => {
      await tx.query({ text: 'lock table webhook_lanes in access exclusive mode' });
      copying = world.feed.drain();
      await waitFor(1);
      erasing = ctx.store.transaction((other) =>
        blankPublicEvents(other, { projectId, object: 'user:2' }),
      );
      await Promise.race([erasing, waitFor(2)]);
    });
    await Promise.all([copying, erasing]);
    expect((await read()).events[0].payload.data).toEqual({});
  });
});

describe('the stream of events', () => {
  it('brings what has been and then what comes, and goes on after Last-Event-ID', {
    tags: 'slow',
  }, async () => {
    world.feed.start();
    await world.happen(numbered(3));
    const stream = await openStream();
    await stream.take(3);
    await world.happen(numbered(2));
    const events = await stream.take(5);
    expect(events.map(({ data }) => data.payload.data.n)).toEqual([0, 1, 2, 0, 1]);
    expect(events[0]).toMatchObject({ event: 'orders.payment.succeeded' });
    stream.close();
    await world.happen(numbered(1));
    const again = await openStream('?after=latest', { 'last-event-id': events[3]!.id });
    expect((await again.take(2)).map(({ id }) => BigInt(id) > BigInt(events[3]!.id))).toEqual([
      true,
      true,
    ]);
    again.close();
    await eventually(() => countStreams() === 0);
  });

  it('tells its place before anything happens: a reader that is cut off before the first event misses none', async () => {
    await world.happen(numbered(2));
    await world.feed.drain();
    const stream = await openStream('?after=latest');
    await eventually(() => stream.text().includes('\n\n'));
    stream.close();
    await stream.ended;
    await world.happen([{ data: { n: 7 } }]);
    await world.feed.drain();
    // What a browser's EventSource sends when it connects anew.
    const lastEventId = /^id: (.*)$/m.exec(stream.text())?.[1];
    const again = await openStream(
      '?after=latest',
      lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    );
    expect((await again.take(1)).map(({ data }) => data.payload.data.n)).toEqual([7]);
    again.close();
    await eventually(() => countStreams() === 0);
  });

  it('brings every event once and in order, however often its reader is cut off', {
    tags: 'slow',
  }, async () => {
    world.feed.start();
    const seen: string[] = [];
    const writing = (async () => {
      for (let n = 0; n < 40; n++) await world.happen([{ object: `order:${n % 4}`, data: { n } }]);
    })();
    while (seen.length < 40) {
      const stream = await openStream(
        '',
        seen.length === 0 ? {} : { 'last-event-id': seen.at(-1)! },
      );
      const events = await stream.take(
        Math.min(1 + Math.floor(Math.random() * 8), 40 - seen.length),
      );
      stream.close();
      seen.push(...events.map(({ id }) => id));
    }
    await writing;
    const { events } = await read('?limit=100');
    expect(seen).toEqual(events.map(({ position }: { position: string }) => position));
  });

  it('ends when the server stops, and does not hold it up', async () => {
    const stream = await openStream();
    await stream.take(0);
    await eventually(() => countStreams() === 1);
    const startedMs = performance.now();
    await Promise.all([closeServer(world.api.server), stream.ended]);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    expect(countStreams()).toBe(0);
  });

  it('is one of at most 20 of its project', { tags: 'slow' }, async () => {
    const streams = await Promise.all(
      Array.from({ length: streamsPerProjectMax }, () => openStream()),
    );
    await eventually(() => countStreams() === streamsPerProjectMax);
    await expect(openStream()).rejects.toMatchObject({ status: 429 });
    for (const stream of streams) stream.close();
    await eventually(() => countStreams() === 0);
  });

  it('gives its place back when it ends, although the database does not answer at that moment', {
    tags: 'slow',
  }, async () => {
    const { ctx, projectId } = world.api;
    const listen = () => ({ close: () => new Promise<void>(() => undefined) });
    const aborter = new AbortController();
    const make = await openEventStream(
      { store: { ...ctx.store, listen } },
      { projectId, query: {} },
    );
    const chunks = make(aborter.signal)[Symbol.asyncIterator]();
    await chunks.next();
    expect(countStreams()).toBe(1);
    void chunks.return!();
    await eventually(() => countStreams() === 0);
  });

  it('refuses a place or a type that there is not, before it begins', async () => {
    await expect(openStream(`?after=${randomUUID()}`)).rejects.toMatchObject({ status: 404 });
    await expect(openStream('?types=nonsense')).rejects.toMatchObject({ status: 400 });
    const ahead = {
      status: 400,
      text: expect.stringContaining('Last-Event-ID: no event has the position 7 yet'),
    };
    await expect(openStream('?after=latest', { 'last-event-id': '7' })).rejects.toMatchObject(
      ahead,
    );
    await expect(openStream('', { 'last-event-id': randomUUID() })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('waits for a reader that is slow', { tags: 'slow' }, async () => {
    await world.happen(
      Array.from({ length: 100 }, (_, n) => ({ data: { n, text: 'x'.repeat(100_000) } })),
    );
    await world.feed.drain();
    const before = heldBytes();
    const response = await getStream();
    await delay(500);
    // What the database has just answered with may still be on its way through a busy process.
    await expect.poll(() => heldBytes() - before).toBeLessThan(8_000_000);
    response.destroy();
    await eventually(() => countStreams() === 0);
  });
});

describe('purser webhooks', { tags: 'slow' }, () => {
  it('creates, lists, tests, reads, rotates, replays, disables and deletes', async () => {
    const { ctx, projectId } = world.api;
    const run = async (...argv: string[]) => {
      const lines: string[] = [];
      await webhooksCommand(ctx, {
        argv: [...argv, '--json'],
        print: (line) => lines.push(line),
        projectOf: async () => projectId,
      });
      return JSON.parse(lines.join('\n'));
    };
    const { id, secret } = await run(
      'create',
      receiver.url,
      '--events',
      'orders.payment.succeeded',
      '--description',
      'Shop',
    );
    expect(secret).toMatch(/^whsec_/);
    expect((await run()).endpoints).toMatchObject([
      { id, events: ['orders.payment.succeeded'], description: 'Shop' },
    ]);
    const test = await run('test', id);
    await world.happen(numbered(3));
    await world.deliver();
    expect(await run('delivery', test.id)).toMatchObject({
      status: 'delivered',
      attempts: [{ statusCode: 204 }],
    });
    expect(
      (await run('deliveries', id, '--status', 'delivered', '--type', 'orders.payment.succeeded'))
        .deliveries,
    ).toHaveLength(3);
    expect(await run('resend', test.id)).toMatchObject({
      id: test.id,
      kind: 'resend',
      status: 'pending',
      eventId: test.eventId,
    });
    const { rows } = await ctx.store.query<{ entry: string }>({
      text: 'select entry from audit_entries order by seq desc limit 1',
    });
    expect(JSON.parse(rows[0]!.entry)).toMatchObject({
      actor: { kind: 'command-line' },
      action: 'webhooks.resend',
      subject: `delivery:${test.id}`,
      reason: 'asked at the command line',
    });
    expect(await run('backlog')).toMatchObject({ due: 1, waiting: 0 });
    expect((await run('rotate', id, '--overlap', '2h')).secret).not.toBe(secret);
    const replay = await run('replay', id, '--from', '2020-01-01T00:00:00Z');
    expect(await run('progress', id, replay.id)).toMatchObject({ status: 'running' });
    expect(
      await run('update', id, '--events', 'all', '--url', 'https://example.com/'),
    ).not.toHaveProperty('events');
    expect((await run('disable', id)).status).toBe('disabled');
    expect((await run('enable', id)).status).toBe('enabled');
    await expect(run('delete', id)).rejects.toThrow('--yes');
    await run('delete', id, '--yes');
    expect((await run('list')).endpoints).toEqual([]);
    await expect(run('rotate', id, '--overlap', '8d')).rejects.toThrow('7d');
    await expect(run('create', 'http://10.0.0.1/')).rejects.toThrow('public internet');
    await expect(run('create', receiver.url, '--events', 'nonsense')).rejects.toThrow('events');
    await expect(run('nonsense')).rejects.toThrow('Unknown command');
    await expect(run('delivery')).rejects.toThrow('by its id');
    await expect(run('create')).rejects.toThrow('purser webhooks create <url>');
    await expect(run('replay', id)).rejects.toThrow('--from <instant>');
  });
});
