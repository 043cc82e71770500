import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { createWorker } from '../../jobs/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import type { BrowserState } from '../../runner/types.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import {
  eraseProfileFlow,
  readBrowserState,
  releaseBrowserProfile,
  saveBrowserState,
  useBrowserProfile,
} from './index.ts';
import { browserProfileRoutes } from './routes.ts';

const path = '/unstable/agent-checkouts/browser-profiles';
const clock = createManualClock();
const state: BrowserState = {
  cookies: [{ name: 'session', value: 'merchant-session-secret', domain: 'shop.test', path: '/' }],
  origins: [
    {
      origin: 'https://shop.test',
      localStorage: [{ name: 'user', value: 'readable-user' }],
      sessionStorage: [],
    },
  ],
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: browserProfileRoutes, clock });
});
afterAll(() => api?.close());

const as = async (
  user: string,
  method: string,
  below = '',
  body?: unknown,
  options: CallOptions = {},
) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
    ...options,
  });
const made = async (user: string, body: object = { label: 'Mine' }): Promise<string> =>
  (await as(user, 'POST', '', body)).body.id;
const runFlows = async () => {
  const worker = createWorker(api.ctx, { flows: [eraseProfileFlow as never], pollMs: 20 });
  worker.start();
  return worker;
};
const rowsOf = async (id: string) =>
  (
    await api.ctx.store.query({
      text: 'select 1 from browser_profiles where id = $1',
      values: [id],
    })
  ).rowCount;

describe('a browser profile', () => {
  test('is created with 201 and read as metadata only', async () => {
    const created = await as('ann', 'POST', '', { label: 'Shopping' });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(String),
        label: 'Shopping',
        createdAt: '2026-01-15T12:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
    expect((await as('ann', 'GET', `/${created.body.id}`)).body).toEqual(created.body);
    expect((await as('ann', 'GET')).body).toEqual({ data: [created.body], nextCursor: null });
  });

  test('needs no label, and has none then', async () => {
    const { status, body } = await as('bea', 'POST', '', {});
    expect([status, 'label' in body]).toEqual([201, false]);
  });

  test('is the only one of a user: a second is refused with 409, also of ten at once', async () => {
    await made('carl');
    const second = await as('carl', 'POST', '', {});
    expect([second.status, second.body]).toEqual([
      409,
      {
        statusCode: 409,
        error: 'Conflict',
        message: expect.any(String),
        code: 'browser-profile-exists',
      },
    ]);
    const statuses = (
      await Promise.all(Array.from({ length: 10 }, () => as('cora', 'POST', '', {})))
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test('created twice with one idempotency key is the same', async () => {
    const options = { headers: { 'x-idempotency-key': 'once' } };
    const [one, two] = [
      await as('ida', 'POST', '', {}, options),
      await as('ida', 'POST', '', {}, options),
    ];
    expect([two.status, two.body]).toEqual([201, one.body]);
  });

  test.each([
    ['an empty label', { label: '' }],
    ['a label of 121 characters', { label: 'x'.repeat(121) }],
    ['an unknown field', { cookies: [] }],
  ])('with %s is refused with 400', async (_name, body) => {
    expect((await as('dora', 'POST', '', body)).status).toBe(400);
  });

  test('changes its label, and updatedAt with it; a run does not change updatedAt', async () => {
    const id = await made('eve');
    clock.advance(60_000);
    const changed = await as('eve', 'PATCH', `/${id}`, { label: 'Other' });
    expect([
      changed.status,
      changed.body.label,
      changed.body.updatedAt > changed.body.createdAt,
    ]).toEqual([200, 'Other', true]);
    clock.advance(60_000);
    expect(await saveBrowserState(api.ctx, { profileId: id, versionBefore: 0, state })).toBe(true);
    expect((await as('eve', 'GET', `/${id}`)).body).toEqual(changed.body);
    expect((await as('eve', 'PATCH', `/${id}`, {})).status).toBe(400);
  });

  test('of another user, deleted, or never made does not exist', async () => {
    const id = await made('gus');
    for (const [method, body] of [['GET'], ['PATCH', { label: 'x' }], ['DELETE']] as const) {
      const { status, body: answer } = await as('mallory', method, `/${id}`, body);
      expect([status, answer.code]).toEqual([404, 'browser-profile-not-found']);
    }
    expect((await as('gus', 'DELETE', `/${id}`)).status).toBe(204);
    for (const gone of [id, 'no-id'])
      for (const method of ['GET', 'DELETE'])
        expect((await as('gus', method, `/${gone}`)).status).toBe(404);
  });

  test('needs a client key with the scope, and the user', async () => {
    for (const [method, below, verb, body] of [
      ['POST', '', 'create', {}],
      ['GET', '', 'read'],
      ['GET', '/x', 'read'],
      ['PATCH', '/x', 'update', { label: 'x' }],
      ['DELETE', '/x', 'delete'],
    ] as const) {
      const { key } = await issueKey(api.ctx, {
        projectId: api.projectId,
        kind: 'client',
        scopes: scopesOf('client').filter(
          (scope) => scope !== `agent-checkouts.browser-profiles.${verb}`,
        ),
      });
      const statusOf = async (options: CallOptions) =>
        (await api.call(method, `${path}${below}`, { ...(body && { body }), ...options })).status;
      const jwt = await api.userJwt('hal');
      expect([
        await statusOf({ key: null, jwt }),
        await statusOf({ key: api.clientKey }),
        await statusOf({ key, jwt }),
      ]).toEqual([401, 401, 403]);
    }
  });
});

describe('what the browser remembers', () => {
  test('lies sealed: a dump shows nothing of it, nor the label', async () => {
    const id = await made('ivy', { label: 'readable-label' });
    await saveBrowserState(api.ctx, { profileId: id, versionBefore: 0, state });
    const { rows } = await api.ctx.store.query<{ row: string }>({
      text: 'select p::text as row from browser_profiles p',
    });
    const dump = rows.map(({ row }) => row).join('\n');
    for (const part of ['merchant-session-secret', 'readable-user', 'readable-label', 'shop.test'])
      for (const spelled of [part, Buffer.from(part).toString('hex')])
        expect(dump).not.toContain(spelled);
    expect(await readBrowserState(api.ctx, id)).toEqual({ state, version: 1 });
  });

  test('of two runs with one snapshot the first is kept, the second is told', async () => {
    const id = await made('jan');
    const save = (value: string) =>
      saveBrowserState(api.ctx, {
        profileId: id,
        versionBefore: 0,
        state: { ...state, cookies: [{ name: 'a', value }] },
      });
    const kept = await Promise.all([save('one'), save('two')]);
    expect(kept.filter(Boolean)).toHaveLength(1);
    expect((await readBrowserState(api.ctx, id))!.version).toBe(1);
  });

  test('put back from an older row does not open', async () => {
    const id = await made('kim');
    await saveBrowserState(api.ctx, { profileId: id, versionBefore: 0, state });
    await api.ctx.store.query({
      text: 'update browser_profiles set state_version = 2 where id = $1',
      values: [id],
    });
    await expect(readBrowserState(api.ctx, id)).rejects.toMatchObject({ name: 'SealError' });
  });
});

describe('deletion', () => {
  test('erases the key and everything it sealed, and a new profile can be made at once', async () => {
    const id = await made('lea');
    await as('lea', 'DELETE', `/${id}`);
    expect((await as('lea', 'POST', '', {})).status).toBe(201);
    const worker = await runFlows();
    await expect.poll(() => rowsOf(id), { timeout: 30_000 }).toBe(0);
    await worker.stop();
  });

  test('lets checkouts that run with the profile finish, drops what they learn, and erases then', async () => {
    const id = await made('max');
    const checkoutId = api.ctx.ids.uuid();
    expect(
      await api.ctx.store.transaction((tx) => useBrowserProfile(tx, { checkoutId, profileId: id })),
    ).toBe(true);
    await as('max', 'DELETE', `/${id}`);
    const worker = await runFlows();
    await expect
      .poll(
        async () =>
          (
            await api.ctx.store.query({
              text: `select 1 from flows where key = $1 and run_at > $2`,
              values: [id, clock.now()],
            })
          ).rowCount,
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await saveBrowserState(api.ctx, { profileId: id, versionBefore: 0, state })).toBe(false);
    expect(await rowsOf(id)).toBe(1);
    await api.ctx.store.transaction((tx) =>
      releaseBrowserProfile(api.ctx, tx, { checkoutId, profileId: id }),
    );
    await expect.poll(() => rowsOf(id), { timeout: 30_000 }).toBe(0);
    await worker.stop();
  });

  test('cannot be joined by a new checkout', async () => {
    const id = await made('ned');
    await as('ned', 'DELETE', `/${id}`);
    const use = { checkoutId: api.ctx.ids.uuid(), profileId: id };
    expect(await api.ctx.store.transaction((tx) => useBrowserProfile(tx, use))).toBe(false);
  });

  test('that cannot be scheduled is answered with 503 and leaves the profile intact', async () => {
    const id = await made('oda');
    await saveBrowserState(api.ctx, { profileId: id, versionBefore: 0, state });
    const { store } = api.ctx;
    await store.query({
      text: `alter table flows add constraint no_erasures check (kind <> 'browser-profile-erase') not valid`,
    });
    const refused = await as('oda', 'DELETE', `/${id}`);
    await store.query({ text: 'alter table flows drop constraint no_erasures' });
    expect([refused.status, refused.body]).toEqual([
      503,
      {
        statusCode: 503,
        error: 'Service Unavailable',
        message: expect.stringContaining('intact'),
        code: 'profile-erasure-unavailable',
      },
    ]);
    expect((await as('oda', 'GET', `/${id}`)).status).toBe(200);
    expect((await readBrowserState(api.ctx, id))!.state).toEqual(state);
    expect((await as('oda', 'DELETE', `/${id}`)).status).toBe(204);
  });
});
