import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import {
  issueKey,
  keyCacheMs,
  revokeKey,
  rotateKey,
  scopesOf,
  sealedKey,
} from '../../areas/api-keys/index.ts';
import {
  addTrustedIssuer,
  listTrustedIssuers,
  removeTrustedIssuer,
} from '../../areas/projects/index.ts';
import { createDirectoryPusher } from '../../areas/vault-directory/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { directoryAgeMaxMs, directoryOperations } from './directory.ts';

const path = '/unstable/payment-methods?userLocator=userId:alice';
const clock = createManualClock(new Date('2026-05-04T10:00:00.000Z'));
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault({ clock });
});
afterAll(() => vault?.close());

const statusOf = async (key: string, jwt?: string) =>
  (await vault.call('GET', path.replace(jwt ? /\?.*/ : /$^/, ''), { key, jwt })).status;
/** What a worker does about once a second. */
const tick = async () => {
  clock.advance(1_000);
  await vault.directory.run();
};
const expireCaches = () => clock.advance(keyCacheMs);

describe('the vault’s copy of API keys', () => {
  it('has a new key with the next push, and not before; who calls before is waited for, and not remembered as unknown', {
    tags: 'slow',
  }, async () => {
    const { key } = await issueKey(vault.api.ctx, {
      projectId: vault.api.projectId,
      kind: 'server',
    });
    expect(await statusOf(key)).toBe(401);
    const [status] = await Promise.all([statusOf(key), tick()]);
    expect(status).toBe(200);
  });

  it('refuses a revoked key with the next push, once its own cache has ended', async () => {
    const issued = await issueKey(vault.api.ctx, {
      projectId: vault.api.projectId,
      kind: 'server',
    });
    await tick();
    expect(await statusOf(issued.key)).toBe(200);
    await revokeKey(vault.api.ctx, { id: issued.id });
    await tick();
    expireCaches();
    expect(await statusOf(issued.key)).toBe(401);
  });

  it('ends a rotated key when its overlap does, also when nobody pushes then', async () => {
    const old = await issueKey(vault.api.ctx, { projectId: vault.api.projectId, kind: 'server' });
    const next = await rotateKey(vault.api.ctx, { id: old.id, overlapMs: 60_000 });
    await tick();
    expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([200, 200]);
    clock.advance(60_000);
    expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([401, 200]);
  });

  it('follows issuers: removed and added again, in one push', { tags: 'slow' }, async () => {
    const { api } = vault;
    const jwt = await api.userJwt('alice');
    expect(await statusOf(api.clientKey, jwt)).toBe(200);
    const [issuer] = await listTrustedIssuers(api.ctx, { projectId: api.projectId });
    await removeTrustedIssuer(api.ctx, { id: issuer!.id });
    await tick();
    expireCaches();
    expect(await statusOf(api.clientKey, jwt)).toBe(401);
    await addTrustedIssuer(api.ctx, { ...issuer!, jwksUrl: undefined });
    await tick();
    expireCaches();
    expect(await statusOf(api.clientKey, jwt)).toBe(200);
    const [again] = await listTrustedIssuers(api.ctx, { projectId: api.projectId });
    await removeTrustedIssuer(api.ctx, { id: again!.id });
    await addTrustedIssuer(api.ctx, { ...again!, jwksUrl: undefined });
    await tick();
    expireCaches();
    expect(await statusOf(api.clientKey, jwt)).toBe(200);
  });

  it('is the same as the main list after many changes by many at once, in pages', async () => {
    const { api } = vault;
    const issued = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        issueKey(api.ctx, { projectId: api.projectId, kind: index % 2 ? 'client' : 'server' }),
      ),
    );
    await Promise.all(issued.slice(0, 20).map(({ id }) => revokeKey(api.ctx, { id })));
    await tick();
    const columns =
      'id, project_id, kind, name, secret_hash, hint, scopes, allowed_origins, created_at, revoked_at, rotated_from';
    const [main, copy] = await Promise.all(
      [api.ctx, vault.ctx].map(({ store }) =>
        store.query({ text: `select ${columns} from api_keys order by id` }),
      ),
    );
    expect(copy!.rows).toEqual(main!.rows);
    expect(copy!.rows.length).toBeGreaterThan(40);
  });

  it('is not told of a key or an issuer that was written or changed behind the service', async () => {
    const { api } = vault;
    const sql = (text: string, values: readonly unknown[]) => api.ctx.store.query({ text, values });
    const weak = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    await tick();
    expect(await statusOf(weak.key)).toBe(403);
    await sql('update api_keys set scopes = $2 where id = $1', [weak.id, scopesOf('server')]);
    await sql(
      `insert into trusted_issuers (id, project_id, issuer, audiences, algorithm, jwks_url, rules, created_at)
       values (gen_random_uuid(), $1, 'https://thief.example', '{}', 'ES256', 'https://thief.example',
         '{"namespace": "", "vouchesForEmail": true, "types": ["jwt"], "ageMaxSeconds": 3600}', now())`,
      [api.projectId],
    );
    await tick();
    expireCaches();
    expect(await statusOf(weak.key)).toBe(403);
    const { rows } = await vault.ctx.store.query({ text: 'select issuer from trusted_issuers' });
    expect(rows).not.toContainEqual({ issuer: 'https://thief.example' });
    await sql('update api_keys set scopes = $2 where id = $1', [weak.id, ['wallets.read']]);
    await sql('delete from trusted_issuers where issuer = $1', ['https://thief.example']);
  });

  it('comes to the end of a list of several pages, and starts anew after a restore of the main database', {
    tags: 'slow',
  }, async () => {
    const { api } = vault;
    const keys = Array.from({ length: 1_203 }, () => ({
      id: randomUUID(),
      project_id: api.projectId,
      kind: 'server' as const,
      secret_hash: randomBytes(32),
      scopes: [],
      allowed_origins: [],
      allowed_app_ids: [],
      allowed_extension_ids: [],
      revoked_at: null,
    }));
    await api.ctx.store.query({
      text: `insert into api_keys (id, project_id, kind, name, secret_hash, hint, scopes, allowed_origins, allowed_app_ids, allowed_extension_ids, created_at, mac)
             select id, $1, 'server', 'bulk', secret_hash, 'xxxxxx', '{}', '{}', '{}', '{}', $2, mac
             from unnest($3::uuid[], $4::bytea[], $5::text[]) as n(id, secret_hash, mac)`,
      values: [
        api.projectId,
        clock.now(),
        keys.map(({ id }) => id),
        keys.map((key) => key.secret_hash),
        keys.map((key) => rowMacsOf(api.ctx.store).seal(sealedKey(key))),
      ],
    });
    await tick();
    const count = async (ctx: typeof api.ctx) =>
      (await ctx.store.query<{ count: string }>({ text: 'select count(*) from api_keys' })).rows[0]!
        .count;
    expect(await count(vault.ctx)).toBe(await count(api.ctx));

    // An older state of the main database: fewer keys, a smaller version.
    await api.ctx.store.query({ text: `delete from api_keys where name = 'bulk'` });
    await api.ctx.store.query({ text: 'update vault_directory set version = version - 600' });
    await api.ctx.store.query({ text: 'update api_keys set directory_version = 0' });
    clock.advance(20_000);
    await vault.directory.run();
    expect(await count(vault.ctx)).toBe(await count(api.ctx));
    expect(await statusOf(api.serverKey)).toBe(200);
  });

  it('is not spoilt by a worker that is behind another one', async () => {
    const { api } = vault;
    const ctx = { ...api.ctx, providers: { ...api.ctx.providers, vault: vault.clients.worker } };
    const stale = createDirectoryPusher({
      ...ctx,
      store: {
        ...ctx.store,
        // The first look at the list is an old one.
        query: (() => {
          let looks = 0;
          return (async (statement: Parameters<typeof ctx.store.query>[0]) => {
            const found = await ctx.store.query<{ version: string }>(statement);
            if (statement.name !== 'vault-directory-place' || looks++ > 0) return found;
            return {
              ...found,
              rows: found.rows.map((row) => ({
                ...row,
                version: String(BigInt(row.version) - 1n),
              })),
            };
          }) as typeof ctx.store.query;
        })(),
      },
    });
    await issueKey(api.ctx, { projectId: api.projectId, kind: 'server' });
    const { key } = await issueKey(api.ctx, { projectId: api.projectId, kind: 'server' });
    await tick();
    await stale.run();
    expireCaches();
    expect([await statusOf(key), await statusOf(api.serverKey)]).toEqual([200, 200]);
  });
});

describe('when nobody pushes', () => {
  it(`the vault lets nobody in after ${directoryAgeMaxMs / 1_000} s, since a revoked key could still be in its copy`, async () => {
    clock.advance(20_000);
    await tick();
    clock.advance(directoryAgeMaxMs - 1_000);
    expect(await statusOf(vault.api.serverKey)).toBe(200);
    clock.advance(3_000);
    const refused = await vault.call('GET', path);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'provider-unavailable',
      '5',
    ]);
    await tick();
    expect(await statusOf(vault.api.serverKey)).toBe(200);
  });

  it('an unchanged list is confirmed before that, again and again', async () => {
    for (let seconds = 0; seconds < 300; seconds += 10) {
      clock.advance(9_000);
      await tick();
      expect(await statusOf(vault.api.serverKey)).toBe(200);
    }
  });

  it('the worker goes on while the vault is away, and tells it everything when it is back', async () => {
    await vault.stopVault();
    const { key } = await issueKey(vault.api.ctx, {
      projectId: vault.api.projectId,
      kind: 'server',
    });
    await expect(tick()).resolves.toBeUndefined();
    await vault.startVault();
    await tick();
    expect(await statusOf(key)).toBe(200);
  });
});

it('a push that confirms what is there is idle, and one that changes something is not', () => {
  const [{ isIdle }] = directoryOperations as [(typeof directoryOperations)[number]];
  const accepted = { epoch: null, version: '7', accepted: true };
  expect(isIdle!(accepted, { reset: false, from: '7', to: '7' })).toBe(true);
  expect(isIdle!(accepted, { reset: false, from: '6', to: '7' })).toBe(false);
  expect(isIdle!(accepted, { reset: true, from: '7', to: '7' })).toBe(false);
  expect(isIdle!({ ...accepted, accepted: false }, { reset: false, from: '7', to: '7' })).toBe(
    false,
  );
});
