import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallAnswer, startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { issueKey } from '../../areas/api-keys/index.ts';
import { createProject } from '../../areas/projects/index.ts';
import type { RequestCtx } from '../../context.ts';
import { createManualClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createRoute, openAuth, rawCall } from '../test-kit.ts';
import { claimIdempotencyKey, idempotencyLeaseMs, pruneIdempotencyKeys } from './idempotency.ts';
import { createSealedAnswers, eraseAnswers } from './sealed-answers.ts';

type Handler = (
  ctx: RequestCtx,
  body: { name: string },
) => Promise<{ status: number; body?: unknown }>;

const clock = createManualClock();
const path = '/2025-06-09/things';
let handler: Handler;
let runs: number;
let api: TestApi;

/** Each run makes another thing, so that a second run shows. */
const makeThing: Handler = async (ctx, { name }) => {
  await ctx.store.query({ text: 'select pg_sleep(0.02)' });
  return { status: 201, body: { id: `thing-${++runs}`, name } };
};
const later = (fail: Handler) => {
  handler = fail;
};
const post = (
  key: string | undefined,
  options: { name?: string; path?: string; key?: string; jwt?: string; body?: unknown } = {},
): Promise<CallAnswer> =>
  api.call('POST', options.path ?? path, {
    body: options.body ?? { name: options.name ?? 'first' },
    key: options.key ?? api.serverKey,
    jwt: options.jwt,
    headers: key === undefined ? {} : { 'x-idempotency-key': key },
  });
const reset = () => {
  runs = 0;
  handler = makeThing;
};
let keyCount = 0;
const aKey = () => `key-${++keyCount}`;

beforeAll(async () => {
  const run: Handler = (ctx, body) => handler(ctx, body);
  api = await startTestApi({
    clock,
    routes: [
      createRoute(run),
      createRoute(run, { path: '/2025-06-09/things/:thing/parts', operationId: 'createPart' }),
      createRoute(run, {
        path: '/2025-06-09/own',
        operationId: 'own',
        replayedStatus: { 201: 200 },
      }),
      createRoute(run, {
        path: '/unstable/agent-things',
        operationId: 'agent',
        family: 'A',
        auth: { ...openAuth, scopes: [] },
      }),
    ],
  });
});
afterAll(() => api.close());

describe('the same key', () => {
  test('with the same body gives the stored answer with its status, for 30 days', async () => {
    reset();
    const key = aKey();
    const first = await post(key);
    const second = await post(key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect([
      first.headers.get('idempotency-replayed'),
      second.headers.get('idempotency-replayed'),
    ]).toEqual([null, 'true']);
    clock.advance(30 * 86_400_000 - 1);
    expect((await post(key)).body.id).toBe('thing-1');
    clock.advance(1);
    expect((await post(key)).body.id).toBe('thing-2');
  });

  test('with a body that differs in spacing and order of fields only is the same call', async () => {
    reset();
    const key = aKey();
    await post(key, { body: '{"name":"first","tags":["a"],"nested":{"x":1,"y":2}}' });
    expect(
      (await post(key, { body: '{ "nested": {"y":2, "x":1}, "tags":["a"], "name":"first" }' })).body
        .id,
    ).toBe('thing-1');
    expect(
      (await post(key, { body: '{"name":"first","tags":["a"],"nested":{"x":2,"y":1}}' })).status,
    ).toBe(422);
  });

  test('with another body is 422', async () => {
    reset();
    const key = aKey();
    await post(key);
    expect(await post(key, { name: 'second' })).toMatchObject({
      status: 422,
      body: {
        error: true,
        code: 'idempotency-key-reused',
        message: expect.stringContaining('new key'),
      },
    });
    expect(runs).toBe(1);
  });

  test('while the first call runs is 409, and 50 calls at once run once', async () => {
    reset();
    const key = aKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(key)));
    expect(runs).toBe(1);
    const created = answers.filter((answer) => answer.status === 201);
    const running = answers.filter((answer) => answer.status === 409);
    expect(created.length + running.length).toBe(50);
    expect(new Set(created.map((answer) => answer.text)).size).toBe(1);
    for (const answer of running) {
      expect(answer.body.code).toBe('idempotency-key-in-progress');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await post(key)).body.id).toBe('thing-1');
  });

  test('is another call on another path, of another project or end user', async () => {
    reset();
    const key = aKey();
    const other = await issueKey(api.ctx, {
      projectId: (await createProject(api.ctx, { name: 'Other' })).id,
      kind: 'server',
    });
    const calls = [
      {},
      { path: '/2025-06-09/things/a/parts' },
      { path: '/2025-06-09/things/b/parts' },
      { key: other.key },
      { key: api.clientKey, jwt: await api.userJwt('alice') },
      { key: api.clientKey, jwt: await api.userJwt('bob') },
    ];
    const ids = async () => Promise.all(calls.map(async (call) => (await post(key, call)).body.id));
    const first = await ids();
    expect(new Set(first).size).toBe(6);
    expect(await ids()).toEqual(first);
    expect((await post(key, { path: '/2025-06-09/things/%61/parts' })).body.id).toBe(first[1]);
  });

  test('answers with another status where the route says so: the object is there already', async () => {
    reset();
    const key = aKey();
    const [first, second] = [
      await post(key, { path: '/2025-06-09/own' }),
      await post(key, { path: '/2025-06-09/own' }),
    ];
    expect([first.status, second.status, second.text]).toEqual([201, 200, first.text]);
  });
});

test('what a body said cannot be tried against its hash by whoever has the database, also with a copy of the same body elsewhere', async () => {
  reset();
  const body = { name: '4242424242424242' };
  const key = aKey();
  await post(key, { body });
  const elsewhere = await createProject(api.ctx, { name: 'Elsewhere' });
  const other = await issueKey(api.ctx, { projectId: elsewhere.id, kind: 'server' });
  await post(key, { body, key: other.key });
  const { rows } = await api.ctx.store.query<{ hash: string }>({
    text: `select encode(body_hash, 'hex') as hash from idempotency_keys where project_id = any($1) order by object_id desc limit 2`,
    values: [[api.projectId, elsewhere.id]],
  });
  const plain = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  expect([rows.length, new Set([plain, ...rows.map(({ hash }) => hash)]).size]).toEqual([2, 3]);
});

test('an answer opens for the one who has the header, and not for whoever has the database and every key of ours', async () => {
  reset();
  const body = { name: 'Ann Example' };
  const key = aKey();
  const { text } = await post(key, { body });
  const { rows } = await api.ctx.store.query<{ scope: Buffer; body: string }>({
    text: `select scope, body from idempotency_keys where project_id = $1 and status = 201 order by object_id desc limit 1`,
    values: [api.projectId],
  });
  const { scope, body: stored } = rows[0]!;
  const open = (header: string) => {
    const call = {
      projectId: api.projectId,
      scope: scope.toString('hex'),
      key: header,
      path,
      body,
      userLocator: undefined,
    };
    return createSealedAnswers(api.ctx).open(stored, call);
  };
  await expect(open(aKey())).rejects.toThrow('sealed with another key');
  expect(await open(key)).toBe(text);
});

test('an answer is forgotten with a person whom the call names, however it is spelled; those of others stay', async () => {
  reset();
  const spellings = [
    'email:Ann@Example.com',
    'ann@example.com',
    'email:ann@example.com:evm:smart',
    'userId:ann',
    'userId:ann:evm:alias:main',
  ];
  const { jwt, projectId } = { jwt: await api.userJwt('ann'), projectId: api.projectId };
  const calls = [
    ...spellings.map((name) => ({ name })),
    { path: '/2025-06-09/things/email:ann%40example.com/parts', name: 'x' },
    { key: api.clientKey, jwt, name: 'mine' },
  ].map((call) => ({ call, header: aKey() }));
  const others = ['ann2@example.com', 'userId:annie', 'hello userId:ann'].map((name) => ({
    call: { name },
    header: aKey(),
  }));
  for (const { call, header } of [...calls, ...others])
    expect((await post(header, call)).status).toBe(201);
  await eraseAnswers(api.ctx, api.ctx.store, {
    projectId,
    locators: ['email:ann@example.com', 'userId:ann'],
  });
  const before = runs;
  for (const { call, header } of calls)
    expect([call, (await post(header, call)).body.code]).toEqual([call, 'user-not-found']);
  for (const { call, header } of others)
    expect([call, (await post(header, call)).status]).toEqual([call, 201]);
  expect(runs).toBe(before);
});

describe('the header', () => {
  test.each([
    ['', 400],
    ['a'.repeat(255), 201],
    ['a'.repeat(256), 400],
    ['sp ace~!', 201],
    ['caf\u00e9', 400],
    ['tab\there', 400],
  ])('%j: %i', async (key, status) => {
    reset();
    expect(
      (
        await rawCall(api, {
          method: 'POST',
          path: `/api${path}`,
          body: '{"name":"first"}',
          headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
        })
      ).status,
    ).toBe(status);
  });

  test('is never required, and without it nothing is stored', async () => {
    reset();
    const count = async () =>
      (
        await api.ctx.store.query<{ count: string }>({
          text: 'select count(*) from idempotency_keys',
        })
      ).rows[0]!.count;
    const before = await count();
    await post(undefined);
    await post(undefined);
    expect([runs, await count()]).toEqual([2, before]);
  });
});

describe('an answer', () => {
  test.each([
    ['validation-error', 400],
    ['insufficient-balance', 400],
    ['wallet-not-found', 404],
    ['transaction-simulation-failed', 422],
    ['out-of-credits', 402],
  ] as const)('%s (%i) is stored', async (code, status) => {
    reset();
    later(async () => {
      runs++;
      throw new ServiceError(code);
    });
    const key = aKey();
    const first = await post(key);
    expect(first.status).toBe(status);
    reset();
    const second = await post(key);
    expect([second.status, second.text, runs]).toEqual([first.status, first.text, 0]);
  });

  test('of a body that does not fit is stored too: a mended body needs a new key', async () => {
    reset();
    const key = aKey();
    expect((await post(key, { body: {} })).status).toBe(400);
    expect((await post(key, { body: {} })).headers.get('idempotency-replayed')).toBe('true');
    expect((await post(key)).status).toBe(422);
  });

  test.each([
    ['not-authorized', 401],
    ['kyc-required', 403],
    ['rate-limited', 429],
    ['upstream-error', 502],
    ['provider-unavailable', 503],
    ['internal-error', 500],
  ] as const)('%s (%i) is not stored', async (code, status) => {
    reset();
    later(async () => {
      throw new ServiceError(code);
    });
    const key = aKey();
    expect((await post(key)).status).toBe(status);
    reset();
    expect((await post(key)).body.id).toBe('thing-1');
  });

  test('of a bug is not stored, and the next try gets the same id for its object', async () => {
    reset();
    const ids: (string | undefined)[] = [];
    later(async (ctx) => {
      ids.push(ctx.idempotency?.objectId);
      throw new TypeError('bug');
    });
    const key = aKey();
    expect((await post(key)).status).toBe(500);
    later(async (ctx, { name }) => {
      ids.push(ctx.idempotency?.objectId);
      return { status: 201, body: { id: '1', name } };
    });
    expect((await post(key)).status).toBe(201);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test('in the shape of agent checkouts is stored as it is', async () => {
    reset();
    later(async () => {
      throw new ServiceError('checkout-not-found');
    });
    const key = aKey();
    const [first, second] = [
      await post(key, { path: '/unstable/agent-things' }),
      await post(key, { path: '/unstable/agent-things' }),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.body).toMatchObject({ statusCode: 404, error: 'Not Found' });
  });
});

describe('a crash', () => {
  const caller = () =>
    ({
      projectId: api.projectId,
      environment: 'development',
      keyKind: 'server',
      keyId: '',
      scopes: new Set<string>(),
    }) as const;
  const claim = (key: string) =>
    claimIdempotencyKey(api.ctx, {
      caller: caller(),
      method: 'POST',
      path,
      key,
      body: { name: 'first' },
    });

  test('of the first call blocks its key until the lease is over, then the next call takes over with the same object id', async () => {
    reset();
    const key = aKey();
    const crashed = await claim(key);
    expect((await post(key)).status).toBe(409);
    clock.advance(idempotencyLeaseMs - 1);
    expect((await post(key)).status).toBe(409);
    expect((await post(key, { name: 'other' })).status).toBe(422);
    clock.advance(1);
    expect((await post(key, { name: 'other' })).status).toBe(422);
    let objectId: string | undefined;
    later(async (ctx, body) => {
      ({ objectId } = ctx.idempotency!);
      return makeThing(ctx, body);
    });
    expect((await post(key)).body.id).toBe('thing-1');
    expect(crashed).toMatchObject({ objectId });
    expect((await post(key)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('of many calls at once is taken over by one', async () => {
    reset();
    const key = aKey();
    await claim(key);
    clock.advance(idempotencyLeaseMs);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key)));
    expect(runs).toBe(1);
    expect(answers.every((answer) => answer.status === 201 || answer.status === 409)).toBe(true);
  });

  test('after the handler’s own transaction committed loses nothing: the answer is durable with the change', async () => {
    reset();
    const key = aKey();
    later(async (ctx, { name }) => {
      const answer = { status: 201, body: { id: ctx.idempotency!.objectId, name } };
      await ctx.store.transaction((tx) => ctx.idempotency!.complete(tx, answer));
      throw new Error('the process dies here');
    });
    expect((await post(key)).status).toBe(500);
    reset();
    expect(await post(key)).toMatchObject({ status: 201, body: { name: 'first' } });
    expect(runs).toBe(0);
  });

  test('a call that another one took over can no longer commit', async () => {
    reset();
    const key = aKey();
    const slow = await claim(key);
    clock.advance(idempotencyLeaseMs);
    expect((await post(key)).status).toBe(201);
    if (!('complete' in slow)) return expect.fail('not claimed');
    const late = api.ctx.store.transaction(async (tx) => {
      await tx.query({ text: 'create table must_not_stay ()' });
      await slow.complete(tx, { status: 201, body: {} });
    });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(
      (
        await api.ctx.store.query({
          text: "select 1 from pg_tables where tablename = 'must_not_stay'",
        })
      ).rowCount,
    ).toBe(0);
    await slow.settle({ status: 500, body: '' });
    expect((await post(key)).body.id).toBe('thing-1');
  });

  test('what is older than 30 days is deleted', async () => {
    clock.advance(31 * 86_400_000);
    const key = aKey();
    reset();
    await post(key);
    expect(await pruneIdempotencyKeys(api.ctx)).toBeGreaterThan(10);
    expect(
      (
        await api.ctx.store.query<{ count: string }>({
          text: 'select count(*) from idempotency_keys',
        })
      ).rows[0]!.count,
    ).toBe('1');
  });
});
