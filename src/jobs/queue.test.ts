import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { createStore } from '../store/pool.ts';
import type { Store } from '../store/types.ts';
import { cleanUp } from './clean-up.ts';
import { databaseStep, defineFlow, type JobsCtx } from './flows/flow.ts';
import { claimFlows } from './flows/flow-store.ts';
import { jobsMetrics } from './metrics.ts';
import { startFlow, startFlows, wakeFlow } from './start.ts';
import { aJobsCtx, ended, eventually, start } from './test-kit.ts';
import { createWorker, type Worker, type WorkerOptions } from './worker/worker.ts';

let database: TestDatabase;
let ctx: JobsCtx;
let workers: Worker[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = aJobsCtx(database.store);
  await database.store.query({
    text: 'create table marks (nr bigint generated always as identity, project text, late_ms float8)',
  });
  await database.store.query({ text: 'create table calls (key text)' });
});
afterAll(() => database.close());
beforeEach(() => database.store.query({ text: 'truncate flows, marks' }));
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

function aWorker(options: WorkerOptions<JobsCtx>, workerCtx: JobsCtx = ctx): Worker {
  const worker = createWorker(workerCtx, options);
  worker.start();
  workers.push(worker);
  return worker;
}

type Empty = Record<string, never>;

const marker = defineFlow<Empty, JobsCtx>({
  kind: 'marker',
  version: 1,
  firstStep: 'mark',
  steps: {
    mark: databaseStep({
      run: async (_ctx, tx, flow) => {
        await tx.query({
          name: 'mark',
          text: 'insert into marks (project) values ($1)',
          values: [flow.projectId],
        });
        return { done: true };
      },
    }),
  },
});

test('a project with 10,000 due flows does not starve another', { tags: 'slow' }, async () => {
  const busy = Array.from({ length: 10_000 }, () => ({
    projectId: 'busy',
    state: {},
    runAt: new Date(Date.now() - 60_000),
  }));
  await ctx.store.transaction((tx) => startFlows(ctx, tx, marker, busy));
  aWorker({ flows: [marker], concurrency: 16 });
  await eventually(
    'the worker is at it',
    async () => (await database.store.query({ text: 'select 1 from marks limit 1' })).rowCount > 0,
  );
  await ctx.store.transaction((tx) =>
    startFlows(
      ctx,
      tx,
      marker,
      Array.from({ length: 20 }, () => ({ projectId: 'small', state: {} })),
    ),
  );
  const [before] = (
    await database.store.query<{ n: number }>({ text: 'select count(*)::int as n from marks' })
  ).rows;
  const overtaken = await eventually('the small project is served', async () => {
    const { rows } = await database.store.query<{ n: number; nr: string }>({
      text: `select count(*)::int as n, max(nr) as nr from marks where project = 'small'`,
    });
    return rows[0]!.n === 20 && Number(rows[0]!.nr) - before!.n;
  });
  // Twenty of its own, as many of the busy project, and what was claimed already or meanwhile.
  expect(overtaken).toBeLessThan(200);
});

test('claims deal flows out one per project at a time, and count what the worker runs already', async () => {
  const inputs = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map((projectId, n) => ({
    projectId,
    state: {},
    runAt: new Date(n * 1_000),
  }));
  await ctx.store.transaction((tx) => startFlows(ctx, tx, marker, inputs));
  const claim = async (limit: number, running: Record<string, number> = {}, projectShare = 100) => {
    const { flows } = await claimFlows(ctx.store, {
      now: new Date(),
      worker: 'w',
      leaseMs: 60_000,
      limit,
      perProject: 10,
      projectShare,
      kinds: [{ kind: 'marker', version: 1 }],
      running: new Map(Object.entries(running)),
    });
    return flows
      .map((flow) => flow.projectId)
      .sort()
      .join('');
  };
  expect(await claim(3)).toBe('abc');
  expect(await claim(2, { a: 1 })).toBe('ab');
  expect(await claim(10, { a: 2 }, 4)).toBe('aa');
  expect(await claim(10)).toBe('aa');
  expect(await claim(10)).toBe('');
});

test('two claims at once never take the same flow', async () => {
  await ctx.store.transaction((tx) =>
    startFlows(
      ctx,
      tx,
      marker,
      Array.from({ length: 400 }, (_, n) => ({ projectId: `p${n % 5}`, state: {} })),
    ),
  );
  const claim = () =>
    claimFlows(ctx.store, {
      now: new Date(),
      worker: 'w',
      leaseMs: 60_000,
      limit: 40,
      perProject: 20,
      projectShare: 100,
      kinds: [{ kind: 'marker', version: 1 }],
      running: new Map(),
    });
  const ids: string[] = [];
  for (let round = 0; round < 20; round++)
    ids.push(
      ...(await Promise.all([1, 2, 3, 4].map(claim))).flatMap(({ flows }) =>
        flows.map(({ id }) => id),
      ),
    );
  expect(ids).toHaveLength(400);
  expect(new Set(ids).size).toBe(400);
});

test('one project cannot take every place of a worker', async () => {
  const gates: (() => void)[] = [];
  const slow = defineFlow<Empty, JobsCtx>({
    kind: 'slow',
    version: 1,
    firstStep: 'wait',
    steps: {
      wait: databaseStep({
        run: async (_ctx, _tx, flow) => (
          flow.projectId === 'slow' && (await new Promise<void>((resolve) => gates.push(resolve))),
          { done: true }
        ),
      }),
    },
  });
  const worker = aWorker({ flows: [slow], concurrency: 4, pollMs: 20 });
  await ctx.store.transaction((tx) =>
    startFlows(
      ctx,
      tx,
      slow,
      Array.from({ length: 10 }, () => ({ projectId: 'slow', state: {} })),
    ),
  );
  await eventually('three places are taken', async () => gates.length === 3);
  expect((await ended(ctx, await start(ctx, slow, {}, { projectId: 'quick' }))).status).toBe(
    'done',
  );
  expect(gates).toHaveLength(3);
  const stopped = worker.stop();
  gates.forEach((open) => open());
  await stopped;
});

test('a project that had its share of places goes on as they become free, without waiting for the poll', async () => {
  aWorker({ flows: [marker], concurrency: 4, pollMs: 600_000 });
  const started = await ctx.store.transaction((tx) =>
    startFlows(
      ctx,
      tx,
      marker,
      Array.from({ length: 40 }, () => ({ projectId: 'one', state: {} })),
    ),
  );
  await Promise.all(Array.from({ length: 40 }, () => start(ctx, marker, {}, { projectId: 'one' })));
  for (const { id } of started) expect((await ended(ctx, id)).status).toBe('done');
  await eventually(
    'all are done',
    async () => (await database.store.query({ text: 'select 1 from marks' })).rowCount === 80,
  );
});

const napper = defineFlow<{ naps: number }, JobsCtx>({
  kind: 'napper',
  version: 1,
  firstStep: 'nap',
  steps: {
    nap: databaseStep({
      run: async (stepCtx, _tx, flow) => {
        if (flow.state.naps === 0) return { done: true };
        const runAt = new Date(stepCtx.clock.now().getTime() + Math.random() * 200);
        return { goto: 'nap', state: { naps: flow.state.naps - 1 }, runAt };
      },
    }),
  },
});
const listener = defineFlow<Empty, JobsCtx>({
  kind: 'listener',
  version: 1,
  firstStep: 'listen',
  steps: {
    listen: databaseStep({
      run: async (_ctx, tx, flow) => {
        const call = await tx.query({
          text: 'select 1 from calls where key = $1',
          values: [flow.key],
        });
        return call.rowCount > 0
          ? { done: true }
          : { goto: 'listen', runAt: new Date('2100-01-01') };
      },
    }),
  },
});

/** Another process as far as notifications go: its own pool, no shared memory of bells. */
async function withOtherStore(url: string, use: (store: Store) => Promise<void>): Promise<void> {
  const store = createStore({ url, poolSize: 8 });
  try {
    await use(store);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await store.close();
  }
}

test('no wake-up is lost: of 600 flows that start, sleep and are woken, none waits for the poll', {
  tags: 'slow',
}, async () => {
  await withOtherStore(database.url, (store) =>
    withOtherStore(database.url, async (apiStore) => {
      // Two workers, and half of the flows come from a third process that has none and can only
      // notify.
      const api = aJobsCtx(apiStore);
      // The poll is too far away to help: a flow that had to wait for it fails this test by its
      // time-out and by the count.
      aWorker({ flows: [napper, listener], pollMs: 600_000, name: 'anna' }, aJobsCtx(store));
      aWorker({ flows: [napper, listener], pollMs: 600_000, name: 'bela' });
      const found = jobsMetrics().flowsFoundByPoll;
      const naps = Array.from({ length: 300 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 800));
        return start(n % 2 ? api : ctx, napper, { naps: n % 4 }, { projectId: `p${n % 3}` });
      });
      const calls = Array.from({ length: 300 }, async (_, n) => {
        const key = `listener-${n}`;
        const id = await start(n % 2 ? api : ctx, listener, {}, { projectId: `p${n % 3}`, key });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 800));
        await (n % 2 ? api : ctx).store.transaction(async (tx) => {
          await tx.query({ text: 'insert into calls (key) values ($1)', values: [key] });
          await wakeFlow(ctx, tx, listener, key);
        });
        return id;
      });
      for (const id of await Promise.all([...naps, ...calls]))
        expect((await ended(ctx, id)).status).toBe('done');
      expect(jobsMetrics().flowsFoundByPoll - found).toBe(0);
    }),
  );
});

test('polling alone is enough: without notifications flows started elsewhere run, and are counted as found by the poll', async () => {
  await withOtherStore(database.url, async (store) => {
    const deaf: Store = { query: store.query, transaction: store.transaction, close: store.close };
    const found = jobsMetrics().flowsFoundByPoll;
    aWorker({ flows: [marker], pollMs: 200 }, aJobsCtx(deaf));
    await eventually('the worker has looked', async () => jobsMetrics().claims > 0);
    for (let n = 0; n < 5; n++) await ended(ctx, await start(ctx, marker, {}));
    expect(jobsMetrics().flowsFoundByPoll).toBeGreaterThan(found);
  });
});

test('a three-step flow costs at most four commits where a worker is at hand, and no more than one claim on top where not', {
  tags: 'slow',
}, async () => {
  const hop = (goto: string) =>
    databaseStep<Empty, JobsCtx>({ run: async () => (goto === '' ? { done: true } : { goto }) });
  const three = defineFlow<Empty, JobsCtx>({
    kind: 'hops',
    version: 1,
    firstStep: 'a',
    steps: { a: hop('b'), b: hop('c'), c: hop('') },
  });
  let commits = 0;
  const counting = (store: Store): Store => ({
    ...store,
    transaction: async (work) => {
      const result = await store.transaction(work);
      commits++;
      return result;
    },
    query: async (statement) => {
      const result = await store.query<Record<string, unknown>>(statement);
      // Claims and polls that find nothing write nothing, and neither does a notification.
      if (!/^\s*select/.test(statement.text) && result.rows.some((row) => row.id !== null))
        commits++;
      return result as never;
    },
  });
  const here = aJobsCtx(counting(database.store));
  const commitsPerFlow = async (from: JobsCtx, flows: number) => {
    commits = 0;
    const ids = await Promise.all(Array.from({ length: flows }, () => start(from, three, {})));
    for (const id of ids) await ended(ctx, id);
    return commits / flows;
  };
  await withOtherStore(database.url, async (store) => {
    aWorker({ flows: [three], pollMs: 60_000 }, here);
    await ended(ctx, await start(here, three, {}));
    expect(await commitsPerFlow(here, 1)).toBe(4);
    expect(await commitsPerFlow(here, 300)).toBeLessThanOrEqual(4.3);
    expect(await commitsPerFlow(aJobsCtx(counting(store)), 1)).toBe(5);
  });
});

test('what is finished is removed when its time has passed, in bounded deletes, and nothing else is', async () => {
  const day = 24 * 3_600_000;
  const now = ctx.clock.now().getTime();
  await database.store.query({
    text: `insert into flows (id, project_id, kind, version, step, state, status, run_at, created_at, updated_at, finished_at)
           select gen_random_uuid(), 'p', 'x', 1, 's', '{}', f.status, now(), now(), now(), f.at
           from (values ('done', $1::timestamptz), ('done', $2), ('dead', $1), ('dead', $3), ('active', null)) as f(status, at), generate_series(1, 1200)`,
    values: [new Date(now - 8 * day), new Date(now - 6 * day), new Date(now - 91 * day)],
  });
  const retention = { doneMs: 7 * day, failedMs: 90 * day, eventsMs: day, unreadEventsMs: day };
  expect(await cleanUp(ctx, retention)).toBe(2_400);
  const { rows } = await database.store.query({
    text: 'select status, count(*)::int as n from flows group by status order by status',
  });
  expect(rows).toEqual([
    { status: 'active', n: 1_200 },
    { status: 'dead', n: 1_200 },
    { status: 'done', n: 1_200 },
  ]);
  expect(await cleanUp(ctx, retention)).toBe(0);
});

test('a key is free again for another kind, and startFlows answers in the order asked', async () => {
  const started = await ctx.store.transaction(async (tx) => [
    await startFlow(ctx, tx, marker, { projectId: 'p', state: {}, key: 'x' }),
    await startFlow(ctx, tx, listener, { projectId: 'p', state: {}, key: 'x' }),
    ...(await startFlows(ctx, tx, marker, [
      { projectId: 'p', state: {}, key: 'y' },
      { projectId: 'p', state: {}, key: 'x' },
    ])),
  ]);
  expect(started.map((one) => one.started)).toEqual([true, true, true, false]);
  expect(started[3]!.id).toBe(started[0]!.id);
});
