import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../lib/sealing/secret.ts';
import { issueKey, scopesOf } from '../../api-keys/index.ts';
import { createProject } from '../../projects/index.ts';
import { startWorld, type World } from '../testing/test-kit.ts';
import { rewrapWebhookSecrets } from './rewrap.ts';
import { openSecrets } from './secrets.ts';
import { formatSecret } from './sign.ts';

const path = '/unstable/webhooks/endpoints';
const url = 'https://example.com/hook';
const unknown = randomUUID();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

const call = (...args: Parameters<World['api']['call']>) => world.api.call(...args);
/** A key of a project that nobody has used yet. */
async function anotherProject(): Promise<string> {
  const { ctx } = world.api;
  const { id: projectId } = await createProject(ctx, { name: 'Another' });
  return (await issueKey(ctx, { projectId, kind: 'server', scopes: scopesOf('server') })).key;
}

describe('an endpoint', () => {
  it('is created with a secret that is shown once', async () => {
    const made = await call('POST', path, {
      body: { url, events: ['wallets.transfer.in'], description: 'Shop' },
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        url,
        events: ['wallets.transfer.in'],
        description: 'Shop',
        status: 'enabled',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { secret: _, ...rest } = made.body;
    expect((await call('GET', `${path}/${made.body.id}`)).body).toEqual(rest);
    expect((await call('GET', path)).body.endpoints).toContainEqual(rest);
  });

  it('keeps its secret sealed, and repeats of the call that made it do not show it again', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const first = await call('POST', path, { body: { url }, headers });
    const again = await call('POST', path, { body: { url }, headers });
    expect([again.status, again.body.id, again.body.secret]).toEqual([
      201,
      first.body.id,
      undefined,
    ]);
    const rotated = await call('POST', `${path}/${first.body.id}/rotate-secret`, {
      body: {},
      headers,
    });
    const rotatedAgain = await call('POST', `${path}/${first.body.id}/rotate-secret`, {
      body: {},
      headers,
    });
    expect(rotatedAgain.body).toEqual({
      previousSecretExpiresAt: rotated.body.previousSecretExpiresAt,
    });
    const { rows } = await world.api.ctx.store.query<{ text: string }>({
      text: `select (select string_agg(encode(sealed, 'escape') || encode(sealed, 'base64'), ' ') from webhook_secrets)
               || (select string_agg(coalesce(body, ''), ' ') from idempotency_keys) as text`,
    });
    for (const secret of [first.body.secret, rotated.body.secret])
      expect(rows[0]!.text).not.toContain(secret.slice('whsec_'.length, -2));
  });

  it('stays readable when the key-encryption key changes', async () => {
    const { ctx, projectId } = world.api;
    const { id, secret } = await world.anEndpoint({ url });
    const [old] = ctx.config.keyEncryptionKeys;
    const newer = { id: 'newer', key: new Secret<Uint8Array>(new Uint8Array(32).fill(7)) };
    const both = { ...ctx, config: { ...ctx.config, keyEncryptionKeys: [newer, old!] } };
    expect(await rewrapWebhookSecrets(both)).toBeGreaterThan(0);
    expect(await rewrapWebhookSecrets(both)).toBe(0);
    const only = { ...ctx, config: { ...ctx.config, keyEncryptionKeys: [newer] } };
    const opened = (await openSecrets(only, [{ id, projectId }])).get(id)!;
    expect(opened.map((one) => formatSecret(one.secret.reveal()))).toEqual([secret]);
    expect((await openSecrets(ctx, [{ id, projectId }])).get(id)).toEqual([]);
    await rewrapWebhookSecrets({
      ...ctx,
      config: { ...ctx.config, keyEncryptionKeys: [old!, newer] },
    });
  });

  it('is changed, disabled and enabled', async () => {
    const { id } = await world.anEndpoint({ url, events: ['wallets.transfer.in'] });
    const changed = await call('PATCH', `${path}/${id}`, {
      body: { url: 'https://example.org/', events: null, description: 'x' },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { url: 'https://example.org/', description: 'x', status: 'enabled' },
    ]);
    expect(changed.body.events).toBeUndefined();
    const disabled = await call('PATCH', `${path}/${id}`, {
      body: { disabled: true, description: null },
    });
    expect(disabled.body).toMatchObject({ status: 'disabled', disabledReason: 'asked' });
    expect(disabled.body.description).toBeUndefined();
    expect((await call('PATCH', `${path}/${id}`, { body: { disabled: true } })).status).toBe(200);
    const enabled = await call('PATCH', `${path}/${id}`, { body: { disabled: false } });
    expect(enabled.body).toMatchObject({ status: 'enabled' });
    expect(enabled.body.disabledReason).toBeUndefined();
  });

  it('is deleted with its secrets, and its deliveries follow', async () => {
    const { id } = await world.anEndpoint({ url: 'http://127.0.0.1:1/' });
    await world.happen([{}]);
    await world.feed.drain();
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(
      (await openSecrets(world.api.ctx, [{ id, projectId: world.api.projectId }])).get(id),
    ).toEqual([]);
  });

  it('is one of at most 50 of its project, also when many are made at once', async () => {
    const key = await anotherProject();
    const made = await Promise.all(
      Array.from({ length: 60 }, () => call('POST', path, { key, body: { url } })),
    );
    const codes = made.map(({ status, body }) => [status, body.code]);
    expect(codes.filter(([status]) => status === 201)).toHaveLength(50);
    expect(codes.filter(([status]) => status !== 201)).toEqual(
      Array.from({ length: 10 }, () => [409, 'webhook-endpoint-limit']),
    );
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `${path}?limit=20${cursor && `&cursor=${cursor}`}`, {
        key,
      });
      pages.push(...body.endpoints.map(({ id }: { id: string }) => id));
      if (body.nextCursor === undefined) break;
      cursor = body.nextCursor;
    }
    expect(new Set(pages).size).toBe(50);
    await call('DELETE', `${path}/${pages[0]}`, { key });
    expect((await call('POST', path, { key, body: { url } })).status).toBe(201);
  });
});

describe('refusals', () => {
  it('unknown and foreign endpoints, deliveries and replays are not found', async () => {
    const { id } = await world.anEndpoint({ url });
    const foreign = await anotherProject();
    const test = await call('POST', `${path}/${id}/test`);
    const replay = await call('POST', `${path}/${id}/replays`, {
      body: { from: '2020-01-01T00:00:00Z' },
    });
    const of = (
      endpointId: string,
      deliveryId: string,
      replayId: string,
      code: string,
    ): [string, string, string, object?][] => [
      ['GET', `${path}/${endpointId}`, code],
      ['PATCH', `${path}/${endpointId}`, code, {}],
      ['DELETE', `${path}/${endpointId}`, code],
      ['POST', `${path}/${endpointId}/rotate-secret`, code, {}],
      ['POST', `${path}/${endpointId}/test`, code],
      ['GET', `${path}/${endpointId}/deliveries`, code],
      ['POST', `${path}/${endpointId}/replays`, code, { from: '2020-01-01T00:00:00Z' }],
      ['GET', `${path}/${endpointId}/replays`, code],
      ['GET', `${path}/${endpointId}/replays/${replayId}`, code],
      ['GET', `/unstable/webhooks/deliveries/${deliveryId}`, 'webhook-delivery-not-found'],
      ['POST', `/unstable/webhooks/deliveries/${deliveryId}/resend`, 'webhook-delivery-not-found'],
    ];
    for (const [method, to, code, body] of of(
      unknown,
      unknown,
      unknown,
      'webhook-endpoint-not-found',
    ))
      expect([to, await call(method, to, { body })]).toMatchObject([
        to,
        { status: 404, body: { error: true, code } },
      ]);
    for (const [method, to, code, body] of of(
      id,
      test.body.id,
      replay.body.id,
      'webhook-endpoint-not-found',
    ))
      expect([to, await call(method, to, { body, key: foreign })]).toMatchObject([
        to,
        { status: 404, body: { error: true, code } },
      ]);
    expect((await call('GET', `${path}/${id}/replays/${unknown}`)).body.code).toBe(
      'webhook-replay-not-found',
    );
  });

  it('a disabled endpoint is sent nothing', async () => {
    const { id } = await world.anEndpoint({ url });
    const { body: delivery } = await call('POST', `${path}/${id}/test`);
    await call('PATCH', `${path}/${id}`, { body: { disabled: true } });
    for (const [to, body] of [
      [`${path}/${id}/test`],
      [`${path}/${id}/replays`, { from: '2020-01-01T00:00:00Z' }],
      [`/unstable/webhooks/deliveries/${delivery.id}/resend`],
    ] as const)
      expect(await call('POST', to, { body })).toMatchObject({
        status: 409,
        body: { code: 'webhook-endpoint-disabled' },
      });
  });

  it('needs a server key with the scope of what is asked', async () => {
    const { id } = await world.anEndpoint({ url });
    const { ctx, projectId, clientKey } = world.api;
    const calls: [string, string, string, object?][] = [
      ['webhooks.create', 'POST', path, { url }],
      ['webhooks.read', 'GET', path],
      ['webhooks.read', 'GET', `${path}/${id}`],
      ['webhooks.read', 'GET', `${path}/${id}/deliveries`],
      ['webhooks.read', 'GET', '/unstable/events'],
      ['webhooks.update', 'PATCH', `${path}/${id}`, {}],
      ['webhooks.update', 'POST', `${path}/${id}/rotate-secret`, {}],
      ['webhooks.update', 'POST', `${path}/${id}/test`],
      ['webhooks.update', 'POST', `${path}/${id}/replays`, { from: '2020-01-01T00:00:00Z' }],
      ['webhooks.delete', 'DELETE', `${path}/${id}`],
    ];
    for (const [scope, method, to, body] of calls) {
      const { key } = await issueKey(ctx, {
        projectId,
        kind: 'server',
        scopes: scopesOf('server').filter((one) => one !== scope),
      });
      expect([to, (await call(method, to, { key, body })).status]).toEqual([to, 403]);
      expect([to, (await call(method, to, { key: clientKey, body })).status]).toEqual([to, 403]);
      expect([to, (await call(method, to, { key: null, body })).status]).toEqual([to, 401]);
    }
  });

  it.each([
    ['POST', path, {}],
    ['POST', path, { url, events: [] }],
    ['POST', path, { url, events: ['payouts.settled'] }],
    ['POST', path, { url, extra: 1 }],
    ['POST', path, { url, description: 'x'.repeat(201) }],
    ['GET', `${path}?limit=101`],
    ['GET', `${path}?cursor=abc`],
    ['GET', `${path}/abc`],
    ['POST', `${path}/${unknown}/rotate-secret`, { overlapSeconds: 7 * 86_400 + 1 }],
    ['POST', `${path}/${unknown}/replays`, { from: 'yesterday' }],
    ['GET', `${path}/${unknown}/deliveries?status=lost`],
    ['GET', '/unstable/events?after=abc'],
    ['GET', '/unstable/events?types=payouts.settled'],
  ])('%s %s with %j is not valid', async (method, to, body?: object) => {
    expect(await call(method, to, { body })).toMatchObject({
      status: 400,
      body: { code: 'validation-error' },
    });
  });

  it('a replay that ends before it begins is not valid', async () => {
    const { id } = await world.anEndpoint({ url });
    const body = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect((await call('POST', `${path}/${id}/replays`, { body })).status).toBe(400);
  });

  it.each([
    'ftp://example.com/',
    'nonsense',
    'https://user:password@example.com/',
    'https://example.com/#part',
    'http://10.0.0.1/',
    'https://169.254.169.254/',
  ])('the address %s is not allowed', async (bad) => {
    const { id } = await world.anEndpoint({ url });
    expect(await call('POST', path, { body: { url: bad } })).toMatchObject({
      status: 400,
      body: { code: 'webhook-url-not-allowed' },
    });
    expect(await call('PATCH', `${path}/${id}`, { body: { url: bad } })).toMatchObject({
      status: 400,
      body: { code: 'webhook-url-not-allowed' },
    });
  });
});
