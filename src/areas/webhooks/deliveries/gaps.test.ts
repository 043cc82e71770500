import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ctx } from '../../../context.ts';
import { createWorker, type FlowDefinition } from '../../../jobs/index.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import {
  answerWith,
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../testing/test-kit.ts';
import { createSecretCache } from './attempt.ts';
import { claimLanes, selectHeads } from './queue-store.ts';
import { webhookReplayFlow } from './replay.ts';
import { createSender } from './sender.ts';
import { settleAttempts } from './settle.ts';

let world: World;
let receiver: Receiver;
let other: Receiver;
beforeAll(async () => {
  [world, receiver, other] = await Promise.all([startWorld(), startReceiver(), startReceiver()]);
});
afterAll(async () => {
  await world?.close();
  await Promise.all([receiver, other].map((one) => one?.close()));
});
beforeEach(async () => {
  for (const one of [receiver, other]) {
    one.received.length = 0;
    one.answer = answerWith(204);
  }
  await world.api.ctx.store.query({ text: `update webhook_endpoints set status = 'deleted'` });
});

const path = '/unstable/webhooks/endpoints';
const change = async (id: string, body: object) => {
  const answer = await world.api.call('PATCH', `${path}/${id}`, { body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
};
const read = async (id: string) => (await world.api.call('GET', `${path}/${id}`)).body;
const numbers = (of: Receiver) => of.received.map(({ json }) => json.data.n);
const claim = (leaseMs: number) =>
  claimLanes(world.api.ctx.store, {
    now: world.clock.now(),
    limit: 10,
    perEndpointMax: 16,
    perFailingMax: 2,
    underWay: new Map(),
    leaseMs,
  });

describe('an endpoint that is disabled', () => {
  it('keeps what happened before, also what nobody had read by then: a replay from its disabledAt brings the rest, and nothing is missing', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.happen([{ data: { n: 1 } }]);
    world.clock.advance(1_000);
    const { disabledAt } = await change(id, { disabled: true });
    world.clock.advance(1_000);
    await world.happen([{ data: { n: 2 } }]);
    await world.feed.drain();
    await change(id, { disabled: false });
    await world.deliver();
    expect(numbers(receiver)).toEqual([1]);
    await replayFrom(id, disabledAt);
    await world.deliver();
    expect(numbers(receiver)).toEqual([1, 2]);
  });

  it('and enabled again while events are being read: a replay has those too', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.anEndpoint({ url: other.url });
    const { disabledAt } = await change(id, { disabled: true });
    world.clock.advance(1_000);
    await world.happen([{ data: { n: 1 } }]);
    const { store } = world.api.ctx;
    const lockWaits = async () => {
      const { rows } = await store.query<{ n: number }>({
        text: `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      });
      return rows[0]!.n;
    };
    // Whoever reads has seen the endpoint as disabled, and has not committed yet.
    let [reading, replaying]: Promise<unknown>[] = [];
    await store.transaction(async (tx) => {
      await tx.query({ text: 'lock table webhook_lanes in access exclusive mode' });
      reading = world.feed.drain();
      await eventually('the reader waits', async () => (await lockWaits()) === 1);
      await change(id, { disabled: false });
      replaying = replayFrom(id, disabledAt);
      await Promise.race([
        replaying,
        eventually('the replay waits', async () => (await lockWaits()) === 2),
      ]);
    });
    await Promise.all([reading, replaying]);
    await world.deliver();
    expect(numbers(receiver)).toEqual([1]);
  });
});

async function replayFrom(id: string, from: string): Promise<void> {
  const answer = await world.api.call('POST', `${path}/${id}/replays`, { body: { from } });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  const worker = createWorker(world.api.ctx, {
    flows: [webhookReplayFlow as unknown as FlowDefinition<JsonObject, Ctx>],
    pollMs: 50,
  });
  worker.start();
  await eventually('all is queued', async () => {
    const { body } = await world.api.call('GET', `${path}/${id}/replays/${answer.body.id}`);
    return body.status === 'completed';
  });
  await worker.stop();
}

describe('an endpoint whose address is changed', () => {
  /** Changes the address while the old receiver has a request, which it answers then. */
  async function moveWhile(id: string, answer: Receiver['answer']): Promise<void> {
    receiver.answer = async (request, response) => {
      await change(id, { url: other.url });
      answer(request, response);
    };
    await world.deliver();
  }

  it('is not disabled by the 410 of its old receiver: what that one did not take goes to the new one', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.happen([{ data: { n: 1 } }]);
    await moveWhile(id, answerWith(410));
    expect(await read(id)).toMatchObject({ status: 'enabled', url: other.url });
    await world.deliver();
    expect(numbers(other)).toEqual([1]);
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]);
  });

  it('does not wait for as long as its old receiver asked, before the change or after it', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = answerWith(503, { 'retry-after': '36000' });
    await world.happen([{ object: 'order:1', data: { n: 1 } }]);
    await world.deliver();
    expect(await read(id)).toHaveProperty('pausedUntil');
    expect(await change(id, { url: `${receiver.url}/new` })).not.toHaveProperty('pausedUntil');
    await world.happen([{ object: 'order:2', data: { n: 2 } }]);
    await moveWhile(id, answerWith(503, { 'retry-after': '36000' }));
    expect(await read(id)).not.toHaveProperty('pausedUntil');
    await world.happen([{ object: 'order:3', data: { n: 3 } }]);
    await world.deliver();
    expect(numbers(other)).toEqual([3]);
  });

  it('does not inherit the days for which its old receiver failed', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = answerWith(500);
    await world.happen([{}]);
    await world.deliver();
    expect(await read(id)).toHaveProperty('failingSince');
    expect(await change(id, { description: 'as before' })).toHaveProperty('failingSince');
    expect(await change(id, { url: other.url })).not.toHaveProperty('failingSince');
  });
});

describe('a sender that stops', () => {
  it('counts no attempt that it cut off itself', async () => {
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.happen([{ data: { n: 1 } }]);
    await world.feed.drain();
    const sender = createSender(world.api.ctx, { pollMs: 50, stopMs: 50 });
    sender.start();
    await eventually('the receiver has the request', async () => held.length === 1);
    const closed = new Promise((resolve) => held[0]!.once('close', resolve));
    await sender.stop();
    await closed;
    // Time for an outcome to be stored, which must not come.
    await delay(100);
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
  });
});

describe('a sender that was away', () => {
  it('does not take away what another one sends of the same object long after', async () => {
    const { ctx } = world.api;
    const { id } = await world.anEndpoint({ url: receiver.url });
    await world.happen([{ data: { n: 1 } }]);
    await world.feed.drain();
    const [stale] = await selectHeads(ctx.store, await claim(0));
    expect(await world.deliver()).toBe(1);
    await world.happen([{ data: { n: 2 } }]);
    await world.feed.drain();
    expect(await claim(60_000)).toHaveLength(1);
    const { endpointId, object, fence, deliveryId, url } = stale!;
    await settleAttempts(ctx, [
      { endpointId, object, fence, deliveryId, url, event: 'acknowledged', to: 'delivered' },
    ]);
    expect([await world.deliver(), endpointId]).toEqual([0, id]);
  });
});

describe('secrets that are kept open', () => {
  it('are there for everything that is sent at once, however few are kept', async () => {
    await world.anEndpoint({ url: receiver.url });
    await world.anEndpoint({ url: other.url });
    await world.happen([{}]);
    await world.feed.drain();
    const { ctx } = world.api;
    const heads = await selectHeads(ctx.store, await claim(60_000));
    expect(heads).toHaveLength(2);
    const secrets = createSecretCache(ctx, { keptMax: 1 });
    await secrets.load([heads[0]!]);
    await secrets.load(heads);
    expect(heads.map((head) => secrets.of(head).length)).toEqual([1, 1]);
  });
});
