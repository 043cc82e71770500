import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../jobs/test-kit.ts';
import { targetRuleOf } from '../endpoints/target.ts';
import { type Receiver, startReceiver, startWorld, type World } from '../testing/test-kit.ts';
import { createPoster } from './post.ts';
import { claimLanes } from './queue-store.ts';
import { attemptsMax, nextDelayMs, readRetryAfter, retryDelaysMs } from './retry-schedule.ts';
import { createSender, type Sender } from './sender.ts';

let world: World;
let healthy: Receiver;
let hanging: Receiver[];
let held: ServerResponse[];
const senders: Sender[] = [];

beforeEach(async () => {
  held = [];
  [world, healthy, ...hanging] = await Promise.all([
    startWorld(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ]);
  for (const receiver of hanging) receiver.answer = (_, response) => void held.push(response);
});
afterEach(async () => {
  for (const response of held) response.destroy();
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await world.close();
  await Promise.all([healthy, ...hanging].map((receiver) => receiver.close()));
});

function aSender(options: Parameters<typeof createSender>[1] = {}): Sender {
  const sender = createSender(world.api.ctx, { pollMs: 50, ...options });
  senders.push(sender);
  return sender;
}
const manyObjects = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ object: `order:${n}`, data: { n } }));

describe('receivers that hang', () => {
  it('do not keep others waiting, whatever they have pending', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    for (const receiver of hanging) await world.anEndpoint({ url: receiver.url });
    await world.happen(manyObjects(150));
    await world.feed.drain();
    aSender().start();
    await eventually('each of them hangs', async () =>
      hanging.every(({ received }) => received.length > 0),
    );
    await world.anEndpoint({ url: healthy.url });
    await world.happen(manyObjects(300));
    await world.feed.drain();
    await eventually('the healthy one has everything', async () => healthy.received.length === 300);
    // None was given up meanwhile, and none has more than its share.
    expect(held.length).toBe(hanging.reduce((sum, { received }) => sum + received.length, 0));
    for (const { received } of hanging) expect(received.length).toBeLessThanOrEqual(16);
  });

  it('have no more than half of all places with all they have pending: whoever comes then finds one', async () => {
    for (const receiver of hanging) await world.anEndpoint({ url: receiver.url });
    await world.happen(manyObjects(16));
    await world.feed.drain();
    const poster = createPoster({ rule: targetRuleOf('development'), timeoutMs: 120_000 });
    aSender({ underWayMax: 32, poster }).start();
    await eventually('they have what they can get', async () => held.length >= 16);
    await world.anEndpoint({ url: healthy.url });
    await world.happen(manyObjects(1));
    await world.feed.drain();
    await eventually('the healthy one has its event', async () => healthy.received.length === 1);
  });

  it('are given up after the time-out and tried again later', async () => {
    const [slow] = hanging as [Receiver];
    const { id } = await world.anEndpoint({ url: slow.url });
    await world.happen([{}]);
    await world.feed.drain();
    const poster = createPoster({ rule: targetRuleOf('development'), timeoutMs: 100 });
    await aSender({ poster }).drain();
    expect((await world.deliveriesOf(id))[0]).toMatchObject({
      status: 'retrying',
      attemptCount: 1,
    });
  });

  it('with a 2xx after a lost connection get the same event again, and it counts once', async () => {
    const [flaky] = hanging as [Receiver];
    const { id } = await world.anEndpoint({ url: flaky.url });
    flaky.answer = (_, response) => void response.socket?.destroy();
    await world.happen([{}]);
    await world.deliver();
    flaky.answer = (_, response) => void response.end();
    world.clock.advance(6_000);
    await world.deliver();
    expect(new Set(flaky.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attemptCount: 2 }]);
  });
});

describe('several senders', () => {
  it('share the queue: each event goes out once, in the order of its object', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    await world.anEndpoint({ url: healthy.url });
    for (let n = 0; n < 20; n++)
      await world.happen(
        Array.from({ length: 20 }, (_, order) => ({ object: `order:${order}`, data: { n } })),
      );
    await world.feed.drain();
    for (const sender of [aSender(), aSender(), aSender()]) sender.start();
    await eventually('everything has arrived', async () => healthy.received.length === 400);
    const byOrder = new Map<string, number[]>();
    for (const { json } of healthy.received)
      byOrder.set(json.actionId, [...(byOrder.get(json.actionId) ?? []), json.data.n]);
    expect(byOrder.size).toBe(20);
    for (const numbers of byOrder.values())
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(healthy.received).toHaveLength(400);
  });

  it('take over what one held that has died, and what it says later does not count', async () => {
    const [slow] = hanging as [Receiver];
    const { id } = await world.anEndpoint({ url: slow.url });
    await world.happen([{ data: { n: 1 } }, { data: { n: 2 } }]);
    await world.feed.drain();
    const dying = aSender({ leaseMs: 300 });
    let first: Promise<number> | undefined;
    await eventually('the first one waits for an answer', async () => {
      // On a busy machine so short a lease may be over before anything is sent: then it is left,
      // and taken again.
      first ??= dying.drain().finally(() => {
        if (held.length === 0) first = undefined;
      });
      return held.length === 1;
    });
    const sender = aSender({ leaseMs: 60_000 });
    let second: Promise<number> = Promise.resolve(0);
    await eventually('the second one waits too', async () => {
      if (held.length === 1) second = sender.drain();
      return held.length === 2;
    });
    held[0]!.writeHead(500).end();
    await first;
    expect((await world.deliveriesOf(id)).map(({ attemptCount }) => attemptCount)).toEqual([0, 0]);
    slow.answer = (_, response) => void response.end();
    held[1]!.end();
    await second;
    expect(slow.received.map(({ json }) => json.data.n)).toEqual([1, 1, 2]);
    expect(await world.deliveriesOf(id)).toMatchObject([
      { status: 'delivered', attemptCount: 1 },
      { status: 'delivered', attemptCount: 1 },
    ]);
  });

  it('take one of each endpoint before a second of any', { tags: 'slow' }, async () => {
    await world.anEndpoint({ url: healthy.url });
    await world.happen(manyObjects(50));
    await world.feed.drain();
    for (const receiver of hanging) await world.anEndpoint({ url: receiver.url });
    await world.happen([{ object: 'order:late' }]);
    await world.feed.drain();
    const lanes = await claimLanes(world.api.ctx.store, {
      now: world.clock.now(),
      limit: 4,
      perEndpointMax: 16,
      perFailingMax: 2,
      underWay: new Map(),
      leaseMs: 1_000,
    });
    expect(new Set(lanes.map(({ endpointId }) => endpointId)).size).toBe(4);
  });
});

describe('the schedule', () => {
  it('is 8 attempts after 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each pause up to a tenth longer', () => {
    expect(attemptsMax).toBe(8);
    expect(retryDelaysMs.map((ms) => ms / 1_000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 36_000,
    ]);
    expect(nextDelayMs(1, () => 0)).toBe(5_000);
    expect(nextDelayMs(1, () => 1)).toBe(5_500);
    expect(nextDelayMs(8, () => 0)).toBeUndefined();
  });

  it('waits longer when the receiver asks for it, up to 12 hours, and never less', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(readRetryAfter('120', now)).toBe(120_000);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:02:00 GMT', now)).toBe(120_000);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
    expect(readRetryAfter('soon', now)).toBeUndefined();
    expect(readRetryAfter(undefined, now)).toBeUndefined();
    expect(nextDelayMs(1, () => 0, 120_000)).toBe(120_000);
    expect(nextDelayMs(3, () => 0, 1_000)).toBe(1_800_000);
    expect(nextDelayMs(1, () => 0, readRetryAfter('999999999', now))).toBe(12 * 3_600_000);
  });
});
