import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answerWith,
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../testing/test-kit.ts';

const hourMs = 3_600_000;
let world: World;
let receiver: Receiver;
const others: Receiver[] = [];

beforeEach(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
});
afterEach(async () => {
  await world.close();
  await Promise.all([receiver, ...others.splice(0)].map((one) => one.close()));
});

async function another(): Promise<Receiver> {
  const one = await startReceiver();
  others.push(one);
  return one;
}

const detailsOf = async (id: string) =>
  (await world.api.call('GET', `/unstable/webhooks/deliveries/${id}`)).body;

describe('what is sent', { tags: 'slow' }, () => {
  it('verifies with the reference library of Standard Webhooks, and nothing else does', async () => {
    const { secret } = await world.anEndpoint({ url: receiver.url });
    await world.happen([{ data: { note: 'grüße, 世界 🎉', amount: '1.50' } }]);
    await world.deliver();
    const [{ body, headers, json }] = receiver.received as [Receiver['received'][number]];
    expect(new Webhook(secret).verify(body, headers)).toEqual(json);
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() =>
      new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers),
    ).toThrow();
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'purser-event-position': expect.stringMatching(/^\d+$/),
    });
  });

  it('is {actionId, type, data} for orders and {id, type, data} for the rest, with the webhook-id as id', async () => {
    await world.anEndpoint({ url: receiver.url });
    await world.happen([
      { type: 'orders.delivery.completed', object: 'order:abc', data: { orderId: 'abc' } },
      { type: 'wallets.transfer.in', object: 'wallet:w', data: { status: 'succeeded' } },
      { type: 'agent-checkouts.updated', object: 'checkout:c', data: { status: 'running' } },
    ]);
    await world.deliver();
    const sent = new Map(
      receiver.received.map(({ json, headers }) => [
        json.type,
        { json, id: headers['webhook-id'] },
      ]),
    );
    expect(sent.get('orders.delivery.completed')!.json).toEqual({
      actionId: 'abc',
      type: 'orders.delivery.completed',
      data: { orderId: 'abc' },
    });
    for (const type of ['wallets.transfer.in', 'agent-checkouts.updated']) {
      const { json, id } = sent.get(type)!;
      expect(json).toEqual({ id, type, data: expect.anything() });
    }
  });

  it('is nothing of what is internal, of other projects, or of types that the endpoint does not take', async () => {
    await world.anEndpoint({ url: receiver.url, events: ['wallets.transfer.in'] });
    await world.happen([
      { type: 'webhooks.endpoint.disabled' },
      { type: 'payouts.settled' },
      { type: 'orders.ledger.posted' },
      { type: 'orders.payment.succeeded' },
      { type: 'wallets.transfer.in', projectId: 'another' },
    ]);
    expect(await world.deliver()).toBe(0);
    const everything = await another();
    await world.anEndpoint({ url: everything.url });
    await world.happen([
      { type: 'webhooks.endpoint.disabled' },
      { type: 'payouts.settled' },
      { type: 'orders.ledger.posted' },
    ]);
    expect(await world.deliver()).toBe(0);
    await world.happen([{ type: 'wallets.transfer.in' }, { type: 'orders.payment.failed' }]);
    expect(await world.deliver()).toBe(3);
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['wallets.transfer.in']);
  });

  it('carries a signature by the new and by the old secret until the old one ends', async () => {
    const { id, secret: old } = await world.anEndpoint({ url: receiver.url });
    const rotated = await world.api.call(
      'POST',
      `/unstable/webhooks/endpoints/${id}/rotate-secret`,
      { body: { overlapSeconds: 3_600 } },
    );
    expect(rotated.status).toBe(200);
    const verifies = async () => {
      await world.happen([{}]);
      await world.deliver();
      const { body, headers } = receiver.received.at(-1)!;
      return [rotated.body.secret, old].map((secret: string) => {
        try {
          return Boolean(new Webhook(secret).verify(body, headers));
        } catch {
          return false;
        }
      });
    };
    expect(await verifies()).toEqual([true, true]);
    world.clock.advance(hourMs + 1_000);
    expect(await verifies()).toEqual([true, false]);
  });

  it('goes over connections that are kept', async () => {
    await world.anEndpoint({ url: receiver.url });
    for (let n = 0; n < 5; n++) {
      await world.happen([{}]);
      await world.deliver();
    }
    expect([receiver.received.length, receiver.connectionCount]).toEqual([5, 1]);
  });
});

describe('a receiver that does not acknowledge', { tags: 'slow' }, () => {
  it('is tried 8 times over a day, with the same id and the same bytes, and then no more', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = answerWith(500, {}, 'out of order');
    await world.happen([{}]);
    await world.deliver();
    for (const pauseMs of [
      5_000,
      5 * 60_000,
      hourMs / 2,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      10 * hourMs,
    ]) {
      const before = receiver.received.length;
      world.clock.advance(pauseMs - 2_000);
      expect(await world.deliver()).toBe(0);
      world.clock.advance(2_000);
      expect([await world.deliver(), receiver.received.length]).toEqual([1, before + 1]);
    }
    world.clock.advance(1_000 * hourMs);
    expect(await world.deliver()).toBe(0);
    expect(receiver.received).toHaveLength(8);
    expect(
      new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`))
        .size,
    ).toBe(1);
    const [delivery] = await world.deliveriesOf(id, '&status=failed');
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 8 });
    const details = await detailsOf(delivery!.id);
    expect(details.attempts).toHaveLength(8);
    expect(details.attempts[0]).toMatchObject({
      statusCode: 500,
      answer: 'out of order',
      durationMs: expect.any(Number),
      error: 'The receiver answered 500.',
    });
  });

  it.each([
    [302, { location: 'http://127.0.0.1:1/elsewhere' }, 'Redirects are not followed (302).'],
    [404, {}, 'The receiver answered 404.'],
    [429, {}, 'The receiver answered 429.'],
  ])('%i is no acknowledgement and not the end', async (status, headers, error) => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = answerWith(status, headers as Record<string, string>);
    await world.happen([{}]);
    await world.deliver();
    const [delivery] = await world.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'retrying', attemptCount: 1 });
    expect([
      await world.deliveriesOf(id, '&status=retrying'),
      await world.deliveriesOf(id, '&status=pending'),
    ]).toEqual([[delivery], []]);
    expect((await detailsOf(delivery!.id)).attempts[0]).toMatchObject({
      statusCode: status,
      error,
    });
    receiver.answer = answerWith(200);
    world.clock.advance(6_000);
    await world.deliver();
    expect((await world.deliveriesOf(id))[0]).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
    });
  });

  it('is left alone, with everything, for as long as its 429 or 503 asks', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    for (const status of [429, 503]) {
      receiver.answer = answerWith(status, { 'retry-after': '600' });
      await world.happen([{ object: `order:${status}` }]);
      await world.deliver();
      await world.happen([{ object: `order:${status}-b` }]);
      world.clock.advance(590_000);
      expect(await world.deliver()).toBe(0);
      receiver.answer = answerWith(200);
      world.clock.advance(11_000);
      expect(await world.deliver()).toBe(2);
    }
    expect((await world.deliveriesOf(id)).map(({ status }) => status)).toEqual(
      Array(4).fill('delivered'),
    );
  });

  it('is disabled by 410, keeps what was pending, and gets it when it is enabled again', async () => {
    const { id } = await world.anEndpoint({ url: receiver.url });
    receiver.answer = (request, response) =>
      answerWith(request.json.actionId === 'bye' ? 410 : 500)(request, response);
    await world.happen([{ object: 'order:first' }]);
    await world.deliver();
    await world.happen([{ object: 'order:bye' }]);
    await world.deliver();
    const endpoint = await world.api.call('GET', `/unstable/webhooks/endpoints/${id}`);
    expect(endpoint.body).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: expect.any(String),
    });
    receiver.answer = answerWith(200);
    world.clock.advance(hourMs);
    await world.happen([{ object: 'order:missed' }]);
    expect(await world.deliver()).toBe(0);
    await world.api.call('PATCH', `/unstable/webhooks/endpoints/${id}`, {
      body: { disabled: false },
    });
    expect(await world.deliver()).toBe(1);
    expect((await world.deliveriesOf(id)).map(({ status }) => status)).toEqual([
      'failed',
      'delivered',
    ]);
  });

  it('that fails for five days is disabled, and one that works now and then is not', async () => {
    const bad = await world.anEndpoint({ url: receiver.url });
    const wobbly = await another();
    const good = await world.anEndpoint({ url: wobbly.url });
    receiver.answer = answerWith(500);
    for (let day = 0; day < 7; day++) {
      await world.happen([{ object: `order:${day}` }]);
      wobbly.answer = answerWith(day === 3 ? 200 : 500);
      for (let hour = 0; hour < 24; hour++) {
        await world.deliver();
        world.clock.advance(hourMs);
      }
    }
    const read = async (id: string) =>
      (await world.api.call('GET', `/unstable/webhooks/endpoints/${id}`)).body;
    expect(await read(bad.id)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(await read(good.id)).toMatchObject({ status: 'enabled' });
    const { rows } = await world.api.ctx.store.query({
      text: `select data from outbox where type = 'webhooks.endpoint.disabled'`,
    });
    expect(rows).toEqual([{ data: { endpointId: bad.id, reason: 'failing' } }]);
  }, 60_000);
});

describe('the order of one object', () => {
  it('is kept: later events wait until the earlier one has arrived or failed for good; other objects go on', {
    tags: 'slow',
  }, async () => {
    await world.anEndpoint({ url: receiver.url });
    receiver.answer = (request, response) =>
      answerWith(request.json.data.n === 1 && request.json.actionId === 'a' ? 500 : 200)(
        request,
        response,
      );
    await world.happen(
      [1, 2, 3].flatMap((n) =>
        ['a', 'b'].map((order) => ({ object: `order:${order}`, data: { n } })),
      ),
    );
    await world.deliver();
    const seen = (order: string) =>
      receiver.received
        .filter(({ json }) => json.actionId === order)
        .map(({ json }) => json.data.n);
    expect([seen('a'), seen('b')]).toEqual([[1], [1, 2, 3]]);
    for (let tries = 0; tries < 7; tries++) {
      world.clock.advance(12 * hourMs);
      await world.deliver();
    }
    expect(seen('a')).toEqual([...Array(8).fill(1), 2, 3]);
  });

  it('is kept per endpoint: one that is down holds up nobody else', async () => {
    const healthy = await another();
    await world.anEndpoint({ url: receiver.url });
    await world.anEndpoint({ url: healthy.url });
    receiver.answer = answerWith(500);
    await world.happen([{ data: { n: 1 } }, { data: { n: 2 } }]);
    await world.deliver();
    expect([receiver.received.length, healthy.received.length]).toEqual([1, 2]);
  });
});

describe('trying out', () => {
  it('a test event reaches the endpoint whatever types it takes, and is in no stream', async () => {
    const { id, secret } = await world.anEndpoint({
      url: receiver.url,
      events: ['wallets.transfer.in'],
    });
    const answer = await world.api.call('POST', `/unstable/webhooks/endpoints/${id}/test`);
    expect(answer.status).toBe(202);
    await world.deliver();
    const [{ body, headers, json }] = receiver.received as [Receiver['received'][number]];
    expect(new Webhook(secret).verify(body, headers)).toEqual(json);
    expect(json.type).toBe('webhooks.test');
    expect((await world.api.call('GET', '/unstable/events')).body.events).toEqual([]);
  });
});
