import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { appendEvents } from '../jobs/index.ts';
import { createSealer } from '../lib/sealing/seal.ts';
import { custodyCommand } from '../providers/custody/command.ts';
import { createRowMacs } from '../store/row-mac.ts';
import type { Store } from '../store/types.ts';
import { agentCheckoutRoutes } from './agent-checkouts/routes.ts';
import { claimRun } from './agent-checkouts/runs/runs.ts';
import {
  acceptSealedRow,
  acceptUnsealedRows,
  countSealedRows,
  findChangedRows,
  lookAtSealedRow,
  lookAtUnsealedRows,
  resealRows,
} from './sealed-rows.ts';
import { webhookRoutes } from './webhooks/api/routes.ts';
import { createSender, type Sender } from './webhooks/deliveries/sender.ts';
import { contextOf } from './webhooks/endpoints/secrets.ts';
import { createEventFeed } from './webhooks/events/feed.ts';
import { anEvent, type Receiver, startReceiver } from './webhooks/testing/test-kit.ts';

const endpoints = '/unstable/webhooks/endpoints';

let database: TestDatabase;
let api: TestApi;
let sender: Sender;
let receiver: Receiver;
let endpointId: string;
const logged: { alarm?: string; table?: string; rowId?: string }[] = [];
const log = pino(
  { level: 'error' },
  { write: (line: string) => void logged.push(JSON.parse(line)) },
);

/**
 * With a webhook endpoint and an event that was not read yet, as a version whose rows had no seals
 * leaves them.
 */
beforeAll(async () => {
  database = await startTestDatabase();
  const { query, transaction, close } = database.store;
  const rowMacs = createRowMacs(testConfig().keyEncryptionKeys, log);
  const store: Store = {
    rowMacs,
    query,
    close,
    transaction: (work) => transaction((tx) => work({ ...tx, rowMacs })),
  };
  api = await startTestApi({
    routes: [...webhookRoutes, ...agentCheckoutRoutes],
    database: { ...database, store },
    log,
  });
  receiver = await startReceiver();
  endpointId = await anOlderEndpoint();
  await anOlderEvent('order:unread');
  sender = createSender(api.ctx, { random: () => 0 });
});
afterAll(async () => {
  await sender?.stop();
  await api?.close();
  await receiver?.close();
  await database?.close();
});

const sql = (text: string, ...values: unknown[]) =>
  api.ctx.store.query<Record<string, unknown>>({ text, values });

async function anOlderEndpoint(): Promise<string> {
  const id = randomUUID();
  const { projectId } = api;
  await sql(
    `insert into webhook_endpoints (id, project_id, url, event_types, status, created_at, updated_at) values ($1, $2, $3, null, 'enabled', now(), now())`,
    id,
    projectId,
    receiver.url,
  );
  const sealed = createSealer(api.ctx.config.keyEncryptionKeys).seal(
    randomBytes(24),
    contextOf({ endpointId: id, projectId, version: 1 }),
  );
  await sql(
    'insert into webhook_secrets (endpoint_id, version, sealed, created_at) values ($1, 1, $2, now())',
    id,
    sealed,
  );
  return id;
}

const anOlderEvent = (object: string) =>
  sql(
    `insert into outbox (id, project_id, type, object, data, created_at) values ($1, $2, 'orders.payment.succeeded', $3, '{"orderId":"1"}', now())`,
    randomUUID(),
    api.projectId,
    object,
  );

const happen = (object: string) =>
  api.ctx.store.transaction((tx) =>
    appendEvents(tx, [anEvent(api.projectId, { object, data: { orderId: object } })], api.ctx),
  );

/** Feed and sender of a worker. @returns the orders that the receiver was told of */
async function deliver(): Promise<string[]> {
  receiver.received.splice(0);
  await createEventFeed(api.ctx).drain();
  await sender.drain();
  return receiver.received.map(({ json }) => json.data.orderId);
}

async function custody(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const { store } = api.ctx;
  const sealedRows = {
    reseal: () => resealRows(store),
    countByKey: () => countSealedRows(store),
    look: (table: string, id: string) => lookAtSealedRow(store, table, id),
    accept: (seen: { table: string; id: string; digest: string }) => acceptSealedRow(store, seen),
    findChanged: () => findChangedRows(store),
    lookAtUnsealed: (table?: string) => lookAtUnsealedRows(store, table),
    acceptUnsealed: (seen: { table?: string | undefined; digest: string }) =>
      acceptUnsealedRows(store, seen),
  };
  await custodyCommand(
    { config: api.ctx.config, store, sealedRows },
    { argv, print: (line) => lines.push(line) },
  );
  return lines.join('\n');
}

const digestIn = (shown: string) => /--accept ([0-9a-f]{32})$/.exec(shown)![1]!;

describe('after an upgrade over the seals of webhooks', () => {
  it('an older endpoint is sent nothing, and the alarm says that it has no seal, not that it was changed', async () => {
    await happen('order:1');
    expect(await deliver()).toEqual([]);
    expect(logged).toContainEqual(
      expect.objectContaining({
        alarm: 'row-unsealed',
        table: 'webhook_endpoints',
        rowId: endpointId,
      }),
    );
    expect(logged).toContainEqual(
      expect.objectContaining({ alarm: 'row-unsealed', table: 'outbox' }),
    );
    expect(logged.filter(({ alarm }) => alarm === 'row-changed')).toEqual([]);
    const { body } = await api.call('GET', `${endpoints}/${endpointId}/deliveries`);
    expect(body.deliveries).toMatchObject([{ status: 'failed' }]);
  });

  it('a change of one of its fields says what to do, and changes nothing', async () => {
    for (const [method, at, body] of [
      ['PATCH', '', { description: 'ours' }],
      ['PATCH', '', { url: receiver.url }],
      ['POST', '/rotate-secret', {}],
    ] as const) {
      const answer = await api.call(method, `${endpoints}/${endpointId}${at}`, { body });
      expect([answer.status, answer.body.code]).toEqual([409, 'webhook-endpoint-unsealed']);
      expect(answer.body.message).toContain('send url and events together');
    }
    const together = await anOlderEndpoint();
    const answer = await api.call('PATCH', `${endpoints}/${together}`, {
      body: { url: receiver.url, events: ['wallets.transfer.in'] },
    });
    expect(answer.status).toBe(200);
    expect(await custody('unsealed', 'webhook_endpoints')).not.toContain(together);
  });

  it('what is older is shown and accepted together, exactly as it was shown; what was changed is not among it', async () => {
    const changed = await api.call('POST', endpoints, { body: { url: receiver.url } });
    await sql(
      `update webhook_endpoints set url = 'https://thief.example' where id = $1`,
      changed.body.id,
    );
    const shown = await custody('unsealed');
    expect(shown).toContain(
      `webhook_endpoints ${endpointId} {"eventTypes":null,"projectId":"${api.projectId}","url":"${receiver.url}"}`,
    );
    expect(shown).toMatch(/webhook_endpoints +1\n/);
    expect(shown).toMatch(/outbox +1\n/);
    expect(shown).not.toContain(changed.body.id);
    expect((await custody('check')).split('\n')).toEqual([
      `webhook_endpoints ${changed.body.id}: it is not as it was sealed`,
    ]);
    // Somebody changes one of them between the look and the word.
    await sql(
      'update webhook_endpoints set url = $2 where id = $1',
      endpointId,
      'https://\u202ethief.example\u009b2J',
    );
    // What a terminal would obey is spelled out.
    expect(await custody('unsealed')).toContain('https://\\u202ethief.example\\u009b2J');
    await expect(custody('unsealed', '--accept', digestIn(shown))).rejects.toThrow(
      'not those that were shown',
    );
    await sql('update webhook_endpoints set url = $2 where id = $1', endpointId, receiver.url);
    expect(await custody('unsealed', '--accept', digestIn(shown))).toContain('2 rows are sealed');
    expect(await custody('unsealed')).toContain('Every row has a seal');
    const { rows } = await sql('select mac from webhook_endpoints where id = $1', changed.body.id);
    expect((await lookAtSealedRow(api.ctx.store, 'webhook_endpoints', changed.body.id))!.fits).toBe(
      false,
    );
    expect(rows[0]!.mac).not.toBeNull();
    await sql('delete from webhook_secrets where endpoint_id = $1', changed.body.id);
    await sql('delete from webhook_deliveries where endpoint_id = $1', changed.body.id);
    await sql('delete from webhook_endpoints where id = $1', changed.body.id);
  });

  it('what happens from then on is delivered, and so are an event that was accepted before a worker read it, and what failed once it is sent again', async () => {
    await anOlderEvent('order:unread-too');
    await custody('unsealed', 'outbox', '--accept', digestIn(await custody('unsealed', 'outbox')));
    await happen('order:2');
    expect(await deliver()).toEqual(['1', 'order:2']);
    const { body } = await api.call('GET', `${endpoints}/${endpointId}/deliveries?status=failed`);
    for (const { id } of body.deliveries) {
      const { status, text } = await api.call(
        'POST',
        `/unstable/webhooks/deliveries/${id}/resend`,
        { body: {} },
      );
      expect([status, text]).toEqual([202, expect.any(String)]);
    }
    expect(await deliver()).toEqual(['order:1']);
  });
});

describe('after an upgrade over the seals of checkouts', () => {
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const claim = () => claimRun(api.ctx, { runner: 'runner-1', leaseMs: 60_000, surroundings });
  /** One that waits, without the seal that the version before did not know. */
  async function anOlderCheckout(user: string): Promise<string> {
    const body = {
      target: { kind: 'direct_url', url: `https://shop.example/${user}` },
      constraints: { maxCost: { amount: '50', currency: 'USD' } },
    };
    const options = { key: api.clientKey, jwt: await api.userJwt(user), body };
    const { id } = (await api.call('POST', '/unstable/agent-checkouts', options)).body;
    await sql('update agent_checkouts set mac = null where id = $1', id);
    return id;
  }

  it('one that waits ends with the alarm, unless it was accepted before a worker came to it', async () => {
    const accepted = await anOlderCheckout('ann');
    expect(await custody('unsealed', 'agent_checkouts')).toContain('https://shop.example/ann');
    await custody(
      'unsealed',
      'agent_checkouts',
      '--accept',
      digestIn(await custody('unsealed', 'agent_checkouts')),
    );
    expect(await claim()).toMatchObject({ hold: { checkoutId: accepted } });
    const left = await anOlderCheckout('bea');
    expect(await claim()).toBeUndefined();
    expect(logged).toContainEqual(
      expect.objectContaining({ alarm: 'row-unsealed', table: 'agent_checkouts', rowId: left }),
    );
    const { rows } = await sql('select status from agent_checkouts where id = $1', left);
    expect(rows).toEqual([{ status: 'failed' }]);
  });
});

describe('a row without a seal', () => {
  it('of a table that had seals from its beginning counts as changed, and is never accepted together', async () => {
    const id = randomUUID();
    await sql(
      `insert into operators (id, name, roles, status, created_at) values ($1, 'thief', '{"*":"admin"}', 'active', now())`,
      id,
    );
    const { store } = api.ctx;
    expect(await custody('unsealed')).not.toContain(id);
    await expect(lookAtUnsealedRows(store, 'operators')).resolves.toMatchObject({ rows: [] });
    const seen = await lookAtSealedRow(store, 'operators', id);
    expect(seen).toMatchObject({ fits: false });
    await sql('delete from operators where id = $1', id);
  });
});
