import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ctx } from '../../../context.ts';
import { createWorker, type FlowDefinition, type Worker } from '../../../jobs/index.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import {
  answerWith,
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../testing/test-kit.ts';
import { webhookReplayFlow } from './replay.ts';

let world: World;
let receiver: Receiver;
let worker: Worker;

beforeEach(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
  worker = createWorker(world.api.ctx, {
    flows: [webhookReplayFlow as unknown as FlowDefinition<JsonObject, Ctx>],
    pollMs: 50,
  });
  worker.start();
});
afterEach(async () => {
  await worker.stop();
  await world.close();
  await receiver.close();
});

const replaysOf = (id: string) => `/unstable/webhooks/endpoints/${id}/replays`;

async function replay(id: string, body: object): Promise<{ id: string }> {
  const answer = await world.api.call('POST', replaysOf(id), { body });
  expect([answer.status, answer.body]).toMatchObject([202, { queued: expect.any(Number) }]);
  return answer.body;
}

const ended = (id: string, replayId: string) =>
  eventually('the replay ends', async () => {
    const { body } = await world.api.call('GET', `${replaysOf(id)}/${replayId}`);
    return body.status !== 'running' && body;
  });

it('all events of a time range are sent once more, in order, with the ids they had, also to an endpoint that never got them', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const { ctx } = world.api;
  await world.happen([{ data: { n: -1 } }]);
  await world.feed.drain();
  world.clock.advance(60_000);
  const from = ctx.clock.now().toISOString();
  for (let batch = 0; batch < 3; batch++)
    await world.happen(
      Array.from({ length: 400 }, (_, n) => ({
        object: `order:${n % 7}`,
        data: { n: batch * 400 + n },
      })),
    );
  const to = ctx.clock.now().toISOString();
  world.clock.advance(60_000);
  await world.happen([{ data: { n: 9_999 } }]);
  await world.feed.drain();
  const { id } = await world.anEndpoint({ url: receiver.url });
  const { id: replayId } = await replay(id, { from, to });
  expect(await ended(id, replayId)).toMatchObject({
    status: 'completed',
    queued: 1_200,
    pending: 1_200,
    from,
    to,
  });
  await world.deliver();
  const byObject = new Map<string, number[]>();
  for (const { json } of receiver.received)
    byObject.set(json.actionId, [...(byObject.get(json.actionId) ?? []), json.data.n]);
  for (const numbers of byObject.values())
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(receiver.received.map(({ json }) => json.data.n).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 1_200 }, (_, n) => n),
  );
  const again = await world.api.call('GET', `${replaysOf(id)}/${replayId}`);
  expect(again.body).toMatchObject({ delivered: 1_200, pending: 0, failed: 0 });
  expect((await world.api.call('GET', replaysOf(id))).body.replays).toEqual([again.body]);
  const events = (await world.api.call('GET', '/unstable/events?limit=100')).body.events as {
    id: string;
  }[];
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(events.slice(1).every((event) => ids.has(event.id))).toBe(true);
});

it('only the types that are asked for are sent, and else those of the endpoint', async () => {
  await world.happen([
    { type: 'orders.payment.failed' },
    { type: 'orders.payment.succeeded' },
    { type: 'wallets.transfer.in' },
  ]);
  await world.feed.drain();
  const { id } = await world.anEndpoint({
    url: receiver.url,
    events: ['orders.payment.failed', 'orders.payment.succeeded'],
  });
  const from = '2020-01-01T00:00:00Z';
  await ended(id, (await replay(id, { from, events: ['orders.payment.failed'] })).id);
  await world.deliver();
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['orders.payment.failed']);
  await ended(id, (await replay(id, { from })).id);
  await world.deliver();
  expect(receiver.received.map(({ json }) => json.type).toSorted()).toEqual([
    'orders.payment.failed',
    'orders.payment.failed',
    'orders.payment.succeeded',
  ]);
});

it('waits while its endpoint has much pending, and ends when the endpoint is disabled meanwhile', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  await world.happen(
    Array.from({ length: 2_600 }, (_, n) => ({ object: `order:${n % 50}`, data: { n } })),
  );
  await world.feed.drain();
  const { id } = await world.anEndpoint({ url: receiver.url });
  receiver.answer = answerWith(500);
  const { id: replayId } = await replay(id, { from: '2020-01-01T00:00:00Z' });
  const { body } = await eventually('most are queued', async () => {
    const answer = await world.api.call('GET', `${replaysOf(id)}/${replayId}`);
    return answer.body.queued >= 2_000 && answer;
  });
  expect(body).toMatchObject({ status: 'running', queued: 2_000 });
  await world.api.call('PATCH', `/unstable/webhooks/endpoints/${id}`, { body: { disabled: true } });
  await world.api.ctx.store.query({
    text: `update webhook_deliveries set status = 'failed' where endpoint_id = $1 and nr % 2 = 0`,
    values: [id],
  });
  world.clock.advance(10_000);
  expect(await ended(id, replayId)).toMatchObject({ status: 'canceled', queued: 2_000 });
});

it('a range without events is done at once', async () => {
  const { id } = await world.anEndpoint({ url: receiver.url });
  const { id: replayId } = await replay(id, {
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-02T00:00:00Z',
  });
  expect(await ended(id, replayId)).toMatchObject({ status: 'completed', queued: 0 });
});
