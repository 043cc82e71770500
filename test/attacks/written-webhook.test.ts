import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject } from '../../src/areas/projects/index.ts';
import {
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../../src/areas/webhooks/testing/test-kit.ts';
import { askForParkedEvent } from '../../src/jobs/outbox/parked-events.ts';
import { apiRole } from '../../src/store/grants.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';

/**
 * Somebody writes the main database, to hear what others are told, or to have them told what has
 * not happened: a shop that hears of a payment delivers. Each attack is tried with the rights of
 * the API and, where those do not reach, with those of the owner.
 */
let world: World;
let victim: Receiver;
let thief: Receiver;
let endpointId: string;
let otherProjectId: string;
beforeAll(async () => {
  world = await startWorld();
  [victim, thief] = [await startReceiver(), await startReceiver()];
  otherProjectId = (await createProject(world.api.ctx, { name: 'Thief' })).id;
});
beforeEach(async () => {
  await world.deliver();
  for (const receiver of [victim, thief]) receiver.received.length = 0;
  await asOwner(
    'truncate webhook_endpoints, webhook_lanes, webhook_deliveries, webhook_secrets, webhook_replays, webhook_projects cascade',
  );
  endpointId = (await world.anEndpoint({ url: victim.url })).id;
});
afterAll(async () => {
  await world?.close();
  await Promise.all([victim?.close(), thief?.close()]);
});

const asOwner = (text: string, ...values: unknown[]) =>
  world.api.ctx.store.query<any>({ text, values });
const asApi = (text: string, ...values: unknown[]) =>
  world.api.ctx.store.transaction(async (tx) => {
    await tx.query({ text: `set local role ${apiRole}` });
    return tx.query({ text, values });
  });
/** What somebody adds carries no seal, what he changes a wrong one. */
const counted = () => rowMacMetrics().changed;
const alarmsOf = async (attack: () => Promise<unknown>) => {
  const before = counted();
  await attack();
  return counted() - before;
};
const told = (receiver: Receiver) => receiver.received.map(({ json }) => json.type ?? json);
const forgedPayload = JSON.stringify({
  actionId: '1',
  type: 'orders.payment.succeeded',
  data: { orderId: '1', status: 'completed' },
});

describe('who writes the database is told nothing of others', () => {
  it('by another address in the endpoint of another', async () => {
    await world.happen([{}]);
    await world.feed.drain();
    await asApi('update webhook_endpoints set url = $2 where id = $1', endpointId, thief.url);
    expect(await alarmsOf(() => world.deliver())).toBeGreaterThan(0);
    expect([told(thief), told(victim)]).toEqual([[], []]);
    const [delivery] = await world.deliveriesOf(endpointId);
    expect(delivery).toMatchObject({ status: 'failed' });
  });

  it('nor is his address sealed by whoever changes something else of it, or renews its secret', async () => {
    await asApi('update webhook_endpoints set url = $2 where id = $1', endpointId, thief.url);
    const at = `/unstable/webhooks/endpoints/${endpointId}`;
    const refused = await world.api.call('PATCH', at, { body: { description: 'x' } });
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook-endpoint-changed']);
    expect(
      (await world.api.call('POST', `${at}/rotate-secret`, { body: {} })).status,
    ).toBeGreaterThanOrEqual(400);
    const mended = await world.api.call('PATCH', at, { body: { url: victim.url, events: null } });
    expect([mended.status, mended.text]).toEqual([200, expect.any(String)]);
    await world.happen([{}]);
    await world.deliver();
    expect([told(thief), told(victim)]).toEqual([[], ['orders.payment.succeeded']]);
  });

  it('by an endpoint of his own that he moves to the project of another', async () => {
    const { id } = await world.anEndpoint({ url: thief.url });
    await asOwner('update webhook_endpoints set project_id = $2 where id = $1', id, otherProjectId);
    await world.happen([{ projectId: otherProjectId, object: 'order:7' }]);
    await world.deliver();
    expect(told(thief)).toEqual([]);
  });

  it('by a delivery to his endpoint of what another project is told', async () => {
    await world.happen([{ projectId: otherProjectId, object: 'order:8' }]);
    await world.feed.drain();
    await asApi(
      `insert into webhook_deliveries (id, endpoint_id, event_id, object, type, kind, status, created_at)
       select $1, $2, id, object, type, 'event', 'pending', now() from events where project_id = $3 and object = 'order:8'`,
      randomUUID(),
      endpointId,
      otherProjectId,
    );
    await asApi(
      `insert into webhook_lanes (endpoint_id, object, run_at) values ($1, 'order:8', now() - interval '1 hour')`,
      endpointId,
    );
    await world.deliver();
    expect(told(victim)).toEqual([]);
  });
});

describe('who writes the database has nobody told what has not happened', () => {
  const forged = (at: 'outbox' | 'events') => ({
    id: randomUUID(),
    object: `order:forged-in-${at}`,
  });

  it('by an event in the outbox', async () => {
    const { id, object } = forged('outbox');
    await asApi(
      `insert into outbox (id, project_id, type, object, data, created_at) values ($1, $2, 'orders.payment.succeeded', $3, $4, now())`,
      id,
      world.api.projectId,
      object,
      '{"orderId":"1"}',
    );
    expect(await alarmsOf(() => world.deliver())).toBe(1);
    expect(told(victim)).toEqual([]);
    expect((await asOwner('select 1 from events where id = $1', id)).rowCount).toBe(0);
  });

  it('by an event in the outbox that he gives other words, or empties', async () => {
    for (const data of ['{"orderId":"1","status":"paid"}', '{}']) {
      await world.happen([{ type: 'orders.quote.updated', object: 'order:words' }]);
      await asOwner(
        `update outbox set type = 'orders.payment.succeeded', data = $1 where object = 'order:words'`,
        data,
      );
      expect(await alarmsOf(() => world.deliver())).toBeGreaterThan(0);
    }
    expect(told(victim)).toEqual([]);
  });

  it('by an event that is ready to be sent, neither at the endpoint nor in the list', async () => {
    const { id, object } = forged('events');
    await asApi(
      `insert into events (id, position, project_id, type, object, payload, created_at)
       values ($1, 1000000, $2, 'orders.payment.succeeded', $3, $4, now())`,
      id,
      world.api.projectId,
      object,
      forgedPayload,
    );
    await asApi(
      `insert into webhook_deliveries (id, endpoint_id, event_id, object, type, kind, status, created_at)
       values ($1, $2, $3, $4, 'orders.payment.succeeded', 'event', 'pending', now())`,
      randomUUID(),
      endpointId,
      id,
      object,
    );
    await asApi(
      'insert into webhook_lanes (endpoint_id, object, run_at) values ($1, $2, now() - interval $$1 hour$$)',
      endpointId,
      object,
    );
    await world.deliver();
    expect(told(victim)).toEqual([]);
    const { body } = await world.api.call('GET', '/unstable/events?limit=100');
    expect(JSON.stringify(body)).not.toContain(object);
    await asOwner('delete from events where id = $1', id);
  });

  it('by another text in an event that waits', async () => {
    await world.happen([{ type: 'orders.quote.updated', object: 'order:text' }]);
    await world.feed.drain();
    await asOwner(`update events set payload = $1 where object = 'order:text'`, forgedPayload);
    await world.deliver();
    expect(told(victim)).toEqual([]);
  });

  it('by an event that he parks and has handled again', async () => {
    const id = randomUUID();
    const event = {
      id,
      projectId: world.api.projectId,
      type: 'orders.payment.succeeded',
      object: 'order:parked',
      data: {},
    };
    await asOwner(
      `insert into outbox_parked (reader, event_id, event, last_error, parked_at) values ('webhooks', $1, $2, 'x', now())`,
      id,
      JSON.stringify({ ...event, position: '999999', at: new Date().toISOString() }),
    );
    await askForParkedEvent(world.api.ctx.store, id, new Date());
    expect(await alarmsOf(() => world.deliver())).toBe(1);
    expect(told(victim)).toEqual([]);
  });
});
