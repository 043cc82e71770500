import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { type CallAnswer, sendCall, startTestApi, type TestApi } from '../../test/harness/http.ts';
import { issueKey } from '../areas/api-keys/index.ts';
import { createProject } from '../areas/projects/index.ts';
import { createManualClock } from '../lib/clock.ts';
import type { Store } from '../store/types.ts';
import { pruneRateLimits, windowMs } from './rate-limit.ts';
import { createServer } from './server.ts';
import { createRoute, echoRoute } from './test-kit.ts';

const limits = { writesPerMinute: 12, readsPerMinute: 40 };
const routes = [
  echoRoute,
  createRoute(async (_, body) => ({ status: 201, body: { id: '1', name: body.name } })),
];
const clock = createManualClock();
let database: TestDatabase;
let first: TestApi;
let second: TestApi;
let key: string;

beforeAll(async () => {
  database = await startTestDatabase();
  const options = { routes, database, clock, config: { rateLimits: limits } };
  [first, second] = [await startTestApi(options), await startTestApi(options)];
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.close();
});
beforeEach(async () => {
  clock.advance(60_000);
  const project = await createProject(first.ctx, { name: 'Busy shop' });
  ({ key } = await issueKey(first.ctx, { projectId: project.id, kind: 'server' }));
});

const read = (api: TestApi) => api.call('GET', '/2025-06-09/things/a', { key });
const write = (api: TestApi, method = 'POST') =>
  api.call(method, '/2025-06-09/things', { key, body: { name: 'a' } });
const countPassed = (answers: readonly CallAnswer[]) =>
  answers.filter((answer) => answer.status !== 429).length;
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe('the limit of a project', () => {
  test('is reached exactly, and answers 429 with the seconds until it is open again', async () => {
    clock.advance(15_000 - (clock.now().getTime() % 60_000));
    const answers: CallAnswer[] = [];
    for (let count = 0; count < 14; count++) answers.push(await write(first));
    expect(answers.map((answer) => answer.status)).toEqual([...Array(12).fill(201), 429, 429]);
    const refused = answers.at(-1)!;
    expect(refused.body).toEqual({
      error: true,
      code: 'rate-limited',
      message: expect.stringContaining('Retry-After'),
    });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '45',
      ratelimit: '"writes";r=0;t=45',
      'ratelimit-policy': '"writes";q=12;w=60',
    });
    clock.advance(45_000);
    expect((await write(first)).status).toBe(201);
  });

  test('lets nothing pass while it cannot be read, and everything again afterwards', async () => {
    await database.store.query({ text: 'alter table rate_limits rename to rate_limits_away' });
    const answers = await times(3, () => write(first));
    await database.store.query({ text: 'alter table rate_limits_away rename to rate_limits' });
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [503, 'provider-unavailable']),
    );
    expect((await write(first)).status).toBe(201);
  });

  test('counts down in the headers of each answer', async () => {
    const remaining = async () =>
      Number(/r=(\d+)/.exec((await read(first)).headers.get('ratelimit')!)![1]);
    expect([await remaining(), await remaining(), await remaining()]).toEqual([39, 38, 37]);
  });

  test('holds for writes and reads apart, and refused validation counts too', async () => {
    for (let count = 0; count < 12; count++)
      await first.call('POST', '/2025-06-09/things', { key, body: {} });
    expect((await write(first)).status).toBe(429);
    expect((await read(first)).status).toBe(200);
  });

  test('holds for each project apart, and for all server keys of one together', async () => {
    for (let count = 0; count < 12; count++) await write(first);
    expect((await first.call('POST', '/2025-06-09/things', { body: { name: 'a' } })).status).toBe(
      201,
    );
  });

  test('holds over two processes: never more passes, and nothing is lost while both are asked', async () => {
    const answers: CallAnswer[] = [];
    for (let count = 0; count < 30; count++)
      answers.push(await read(count % 2 === 0 ? first : second));
    expect(countPassed(answers)).toBe(30);
    const rest = await times(60, (index) => read(index % 2 === 0 ? first : second));
    expect(countPassed(rest)).toBe(10);
  });

  test('holds for 100 calls at once over two processes', async () => {
    const answers = await times(100, (index) => read(index % 2 === 0 ? first : second));
    expect(countPassed(answers)).toBe(40);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 429]));
  });

  test('costs a fraction of a statement per request, and none once it is reached', async () => {
    const statements: string[] = [];
    const store = first.ctx.store as { -readonly [K in keyof Store]: Store[K] };
    const { query } = store;
    store.query = (statement) => {
      if (statement.name === 'rate-limit-take') statements.push(statement.text);
      return query.call(store, statement) as never;
    };
    for (let count = 0; count < 40; count++) await read(first);
    const whileOpen = statements.length;
    for (let count = 0; count < 40; count++) await read(first);
    store.query = query;
    expect(whileOpen).toBeLessThanOrEqual(14);
    expect(statements.length).toBe(whileOpen);
  });
});

describe('whoever has the public client key', () => {
  const asClient = (jwt?: string) =>
    first.call('GET', '/2025-06-09/things/a', { key: first.clientKey, ...(jwt && { jwt }) });

  test('stops neither the server keys of the project nor its users, and one user stops no other', async () => {
    const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => first.userJwt(name)));
    const strangers = await times(60, () => asClient());
    expect(countPassed(strangers)).toBe(40);
    expect(countPassed(await times(60, () => asClient(ann)))).toBe(40);
    expect([
      (await asClient(bob)).status,
      (await first.call('GET', '/2025-06-09/things/a')).status,
    ]).toEqual([200, 200]);
    const { rows } = await first.ctx.store.query<{ bucket: string }>({
      text: 'select bucket from rate_limits where project_id = $1',
      values: [first.projectId],
    });
    expect(rows.map(({ bucket }) => bucket).join()).not.toContain('ann');
  });

  test('fills no table: a bucket is forgotten when its window is long over', async () => {
    await asClient(await first.userJwt('carl'));
    clock.advance(11 * windowMs);
    expect(await pruneRateLimits(first.ctx)).toBeGreaterThan(0);
    expect(await pruneRateLimits(first.ctx)).toBe(0);
  });
});

test('refused keys and unknown routes take nothing out of the bucket', async () => {
  for (let count = 0; count < 50; count++) await first.call('GET', '/2025-06-09/nothing', { key });
  for (let count = 0; count < 50; count++)
    await first.call('GET', '/2025-06-09/things/a', { key: `${key.slice(0, -2)}zz` });
  expect((await read(first)).headers.get('ratelimit')).toContain('r=39');
});

test('without limits there are no headers, as in development', async () => {
  const { config, ...ctx } = first.ctx;
  const server = createServer({ ...ctx, config: { ...config, rateLimits: undefined } }, { routes });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const answer = await sendCall(`http://127.0.0.1:${port}/api/2025-06-09/things/a`, 'GET', { key });
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
  await server.close();
});

test('a process whose clock is behind does not open a closed window again', async () => {
  for (let count = 0; count < 40; count++) await read(first);
  const late = createManualClock(new Date(clock.now().getTime() - 60_000));
  const behind = await startTestApi({
    routes,
    database,
    clock: late,
    config: { rateLimits: limits },
  });
  expect((await read(behind)).status).toBe(429);
  await behind.close();
});
