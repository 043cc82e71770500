import { afterEach, beforeEach, expect, it } from 'vitest';
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
beforeEach(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

const detailsOf = async (id: string) =>
  (await world.api.call('GET', `/unstable/webhooks/deliveries/${id}`)).body;
const resend = (id: string) => world.api.call('POST', `/unstable/webhooks/deliveries/${id}/resend`);
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);

it('sending again by hand makes what was delivered pending again: the same delivery, id and bytes, in a list of attempts that goes on', async () => {
  const { id } = await world.anEndpoint({ url: receiver.url });
  await world.happen([{}]);
  await world.deliver();
  const [first] = await world.deliveriesOf(id);
  const again = await resend(first!.id);
  expect([again.status, again.body]).toMatchObject([
    202,
    {
      id: first!.id,
      kind: 'resend',
      status: 'pending',
      eventId: first!.eventId,
      attemptCount: 0,
      attempts: [{ statusCode: 204 }],
    },
  ]);
  expect(again.body.nextAttemptAt).toBeDefined();
  expect(again.body.finishedAt).toBeUndefined();
  await world.deliver();
  expect(
    new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size,
  ).toBe(1);
  expect(receiver.received).toHaveLength(2);
  expect(await world.deliveriesOf(id)).toMatchObject([
    { id: first!.id, status: 'delivered', attemptCount: 1 },
  ]);
  expect((await detailsOf(first!.id)).attempts).toHaveLength(2);
});

it('sending again by hand gives what has failed all its attempts anew', {
  tags: 'slow',
}, async () => {
  const { id } = await world.anEndpoint({ url: receiver.url });
  receiver.answer = answerWith(500);
  await world.happen([{}]);
  const exhaust = async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      await world.deliver();
      world.clock.advance(10 * hourMs);
    }
  };
  await exhaust();
  const [failed] = await world.deliveriesOf(id);
  expect(failed).toMatchObject({ status: 'failed', attemptCount: 8 });
  expect((await resend(failed!.id)).body.status).toBe('pending');
  await world.deliver();
  expect(await detailsOf(failed!.id)).toMatchObject({ status: 'retrying', attemptCount: 1 });
  world.clock.advance(10 * hourMs);
  await exhaust();
  expect(await detailsOf(failed!.id)).toMatchObject({ status: 'failed', attemptCount: 8 });
  expect(new Set(ids()).size).toBe(1);
  expect(receiver.received).toHaveLength(16);
});

it('sending again by hand is for what has ended: what is still sent by itself is not, and what was asked for twice is sent once', async () => {
  const { id } = await world.anEndpoint({ url: receiver.url });
  receiver.answer = answerWith(500);
  await world.happen([{ data: { n: 1 } }, { data: { n: 2 } }]);
  await world.deliver();
  const [second, first] = await world.deliveriesOf(id);
  for (const [delivery, status, when] of [
    [first!, 'retrying', /at 20.*Z/],
    [second!, 'pending', /after what was to be sent before it/],
  ] as const) {
    const refused = await resend(delivery.id);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'conflict',
      expect.stringMatching(when),
    ]);
    expect(refused.body.message).toContain(`is ${status}:`);
  }
  receiver.answer = answerWith(204);
  world.clock.advance(hourMs);
  await world.deliver();
  receiver.received.splice(0);
  const answers = await Promise.all([resend(first!.id), resend(first!.id), resend(first!.id)]);
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
    [202, 'pending'],
    [202, 'pending'],
    [202, 'pending'],
  ]);
  await world.deliver();
  expect(ids()).toEqual([first!.eventId]);
});

it('sending again by hand goes before what waits for its next attempt, also when that attempt is just under way', async () => {
  const { id } = await world.anEndpoint({ url: receiver.url });
  await world.happen([{ data: { n: 1 } }]);
  await world.deliver();
  const [first] = await world.deliveriesOf(id);
  receiver.answer = answerWith(500);
  await world.happen([{ data: { n: 2 } }]);
  await world.deliver();
  world.clock.advance(5_000);
  await world.deliver();
  // The next attempt of the second would be in five minutes.
  receiver.answer = answerWith(204);
  await resend(first!.id);
  await world.deliver();
  const [second] = await world.deliveriesOf(id);
  expect(ids().slice(-2)).toEqual([first!.eventId, second!.eventId]);

  receiver.received.splice(0);
  await world.happen([{ data: { n: 3 } }]);
  receiver.answer = async (_, response) => {
    receiver.answer = answerWith(204);
    await resend(first!.id);
    response.writeHead(500).end();
  };
  await world.deliver();
  const [third] = await world.deliveriesOf(id);
  expect(ids()).toEqual([third!.eventId, first!.eventId, third!.eventId]);
});
