import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { createStore } from '../store/pool.ts';
import type { Tx } from '../store/types.ts';
import { databaseStep, defineFlow, effectStep, type JobsCtx } from './flows/flow.ts';
import { cancelFlow, findFlow, retryFlow } from './flows/inspect.ts';
import { jobsMetrics } from './metrics.ts';
import { wakeFlow } from './start.ts';
import { aJobsCtx, ended, eventually, start } from './test-kit.ts';
import { createWorker, type Worker, type WorkerOptions } from './worker/worker.ts';

let database: TestDatabase;
let ctx: JobsCtx;
let workers: Worker[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = aJobsCtx(database.store);
  await database.store.query({
    text: 'create table traces (nr bigint generated always as identity, flow uuid, step text, worker text, at timestamptz default clock_timestamp())',
  });
});
afterAll(() => database.close());
beforeEach(() => database.store.query({ text: 'truncate flows, traces' }));
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

function aWorker(options: WorkerOptions<JobsCtx>, workerCtx: JobsCtx = ctx): Worker {
  const worker = createWorker(workerCtx, { random: () => 0.5, ...options });
  worker.start();
  workers.push(worker);
  return worker;
}

const trace = (tx: Tx, flow: { id: string; step: string }, worker = '') =>
  tx.query({
    text: 'insert into traces (flow, step, worker) values ($1, $2, $3)',
    values: [flow.id, flow.step, worker],
  });

async function traces(): Promise<{ flow: string; step: string; worker: string }[]> {
  return (
    await database.store.query<{ flow: string; step: string; worker: string }>({
      text: 'select flow, step, worker from traces order by nr',
    })
  ).rows;
}

type Empty = Record<string, never>;

const threeSteps = defineFlow<{ n: number }, JobsCtx>({
  kind: 'three',
  version: 1,
  firstStep: 'one',
  steps: {
    one: databaseStep({
      run: async (_ctx, tx, flow) => (
        await trace(tx, flow), { goto: 'two', state: { n: flow.state.n + 1 } }
      ),
    }),
    two: databaseStep({
      run: async (_ctx, tx, flow) => (
        await trace(tx, flow), { goto: 'three', state: { n: flow.state.n + 1 } }
      ),
    }),
    three: databaseStep({
      run: async (_ctx, tx, flow) => (
        await trace(tx, flow), { done: true, state: { n: flow.state.n + 1 } }
      ),
    }),
  },
});

test('a worker that wakes up after its lease cannot commit what it was doing, not even while the next one is still at it', async () => {
  const gates: (() => void)[] = [];
  const slow = defineFlow<Empty, JobsCtx>({
    kind: 'slow',
    version: 1,
    firstStep: 'crawl',
    steps: {
      crawl: databaseStep({
        run: async (_ctx, tx, flow) => {
          await trace(tx, flow, String(flow.attempt));
          await new Promise<void>((resolve) => gates.push(resolve));
          return { goto: 'rest' };
        },
      }),
      rest: databaseStep({ run: async () => ({ done: true }) }),
    },
  });
  const lost = jobsMetrics().fencesLost;
  const taken = jobsMetrics().leasesTakenOver;
  aWorker({ flows: [slow], name: 'stalled', leaseMs: 600_000 });
  const id = await start(ctx, slow, {});
  await eventually('the step is at work', async () => gates.length === 1);
  await database.store.query({
    text: `update flows set lease_until = now() - interval '1 second' where id = $1`,
    values: [id],
  });
  aWorker({ flows: [slow], name: 'fresh', pollMs: 20 });
  await eventually('the other worker is at work', async () => gates.length === 2);
  gates[0]!();
  await eventually('the stalled worker noticed', async () => jobsMetrics().fencesLost > lost);
  expect(await traces()).toEqual([]);
  gates[1]!();
  expect(await ended(ctx, id)).toMatchObject({ status: 'done', attempts: 1 });
  expect(jobsMetrics().leasesTakenOver).toBe(taken + 1);
  expect(await traces()).toEqual([{ flow: id, step: 'crawl', worker: '2' }]);
});

test('a lease is renewed while a step takes longer than it', async () => {
  const long = defineFlow<Empty, JobsCtx>({
    kind: 'long',
    version: 1,
    firstStep: 'wait',
    steps: {
      wait: databaseStep({
        run: async (_ctx, tx, flow) => (
          await trace(tx, flow), await tx.query({ text: 'select pg_sleep(1.2)' }), { done: true }
        ),
      }),
    },
  });
  aWorker({ flows: [long], leaseMs: 400, pollMs: 20 });
  aWorker({ flows: [long], leaseMs: 400, pollMs: 20 });
  expect(await ended(ctx, await start(ctx, long, {}))).toMatchObject({
    status: 'done',
    attempts: 1,
  });
  expect(await traces()).toHaveLength(1);
});

test('steps that hold every connection of the pool do not keep their worker from renewing leases', async () => {
  const narrow = createStore({ url: database.url, poolSize: 2 });
  const hold = defineFlow<Empty, JobsCtx>({
    kind: 'hold',
    version: 1,
    firstStep: 'wait',
    steps: {
      wait: databaseStep({
        run: async (_ctx, tx, flow) => (
          await trace(tx, flow), await tx.query({ text: 'select pg_sleep(1.2)' }), { done: true }
        ),
      }),
    },
  });
  try {
    aWorker({ flows: [hold], leaseMs: 400, pollMs: 20, name: 'narrow' }, aJobsCtx(narrow));
    const ids = await Promise.all([1, 2].map(() => start(ctx, hold, {})));
    await eventually('both are at work', async () => {
      const { rows } = await database.store.query({
        text: `select 1 from flows where worker = 'narrow'`,
      });
      return rows.length === 2;
    });
    aWorker({ flows: [hold], leaseMs: 400, pollMs: 20, name: 'other' });
    for (const id of ids)
      expect(await ended(ctx, id)).toMatchObject({ status: 'done', attempts: 1 });
    expect(await traces()).toHaveLength(2);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await narrow.close();
  }
});

test('newer code resumes flows of the older version, and older code leaves flows of the newer one alone', async () => {
  const v1 = defineFlow<{ seconds: number }, JobsCtx>({
    kind: 'versioned',
    version: 1,
    firstStep: 'begin',
    steps: {
      begin: databaseStep({
        run: async () => ({ goto: 'old-name', runAt: new Date('2100-01-01') }),
      }),
      'old-name': databaseStep({ run: async () => ({ fail: 'ran the old code' }) }),
    },
  });
  const v3 = defineFlow<{ ms: string }, JobsCtx>({
    kind: 'versioned',
    version: 3,
    firstStep: 'begin',
    steps: {
      begin: databaseStep({ run: async () => ({ goto: 'new-name' }) }),
      'new-name': databaseStep({
        run: async (_ctx, tx, flow) => (await trace(tx, flow, flow.state.ms), { done: true }),
      }),
    },
    upgrades: {
      1: ({ step, state }) => ({
        step: step === 'old-name' ? 'new-name' : step,
        state: { ms: Number(state.seconds) * 1_000 },
      }),
      2: ({ step, state }) => ({ step, state: { ms: String(state.ms) } }),
    },
  });
  const old = aWorker({ flows: [v1], pollMs: 20 });
  const id = await start(ctx, v1, { seconds: 2 }, { key: 'v' });
  await eventually(
    'the flow sleeps in old code',
    async () => (await findFlow(ctx.store, id))?.step === 'old-name',
  );
  const fresh = await start(ctx, v3, { ms: '7' });
  await eventually('the old worker has looked', async () => {
    const { claims } = jobsMetrics();
    await new Promise((r) => setTimeout(r, 60));
    return jobsMetrics().claims > claims;
  });
  expect((await findFlow(ctx.store, fresh))?.attempts).toBe(0);
  await old.stop();
  await ctx.store.transaction((tx) => wakeFlow(ctx, tx, v1, 'v'));
  aWorker({ flows: [v3] });
  expect(await ended(ctx, id)).toMatchObject({ status: 'done', version: 3, state: { ms: '2000' } });
  expect((await ended(ctx, fresh)).status).toBe('done');
  expect((await traces()).map(({ worker }) => worker).sort()).toEqual(['2000', '7']);
  expect(() => defineFlow({ ...v3, upgrades: { 1: (place) => place } })).toThrow(
    'upgrade from version 2 to 3 is missing',
  );
});

test('a stored intent survives an upgrade that renames its step', async () => {
  const keys: string[] = [];
  const broken = { is: true };
  const pay = (retries: number) =>
    effectStep<Empty, string, null, JobsCtx>({
      retry: { attemptsMax: retries, baseMs: 1, delayMsMax: 1 },
      prepare: async () => ({ intent: 'five' }),
      perform: async (_ctx, _flow, intent) => {
        keys.push(`${intent.key} ${intent.data}`);
        if (broken.is) throw new Error('down');
        return null;
      },
      record: async () => ({ done: true }),
    });
  const v1 = defineFlow<Empty, JobsCtx>({
    kind: 'renamed',
    version: 1,
    firstStep: 'pay',
    steps: { pay: pay(1) },
  });
  const v2 = defineFlow<Empty, JobsCtx>({
    kind: 'renamed',
    version: 2,
    firstStep: 'pay-out',
    steps: { 'pay-out': pay(1) },
    upgrades: { 1: (place) => ({ ...place, step: 'pay-out' }) },
  });
  const old = aWorker({ flows: [v1] });
  const id = await start(ctx, v1, {});
  expect((await ended(ctx, id)).status).toBe('dead');
  await old.stop();
  broken.is = false;
  aWorker({ flows: [v2] });
  await retryFlow(ctx.store, id, ctx.clock.now());
  expect((await ended(ctx, id)).status).toBe('done');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a cancelled flow ends, and the step at work cannot commit', async () => {
  let goOn = () => {};
  let atWork = () => {};
  const working = new Promise<void>((resolve) => (atWork = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const flow = defineFlow<Empty, JobsCtx>({
    kind: 'cancelled',
    version: 1,
    firstStep: 'work',
    steps: {
      work: databaseStep({
        run: async (_ctx, tx, one) => (await trace(tx, one), atWork(), await gate, { done: true }),
      }),
    },
  });
  const worker = aWorker({ flows: [flow] });
  const id = await start(ctx, flow, {});
  await working;
  expect(await cancelFlow(ctx.store, id, ctx.clock.now())).toBe(true);
  goOn();
  await worker.stop();
  expect((await findFlow(ctx.store, id))?.status).toBe('canceled');
  expect(await traces()).toEqual([]);
});

test('a worker that is stopped finishes the step at work and leaves the next one to others', async () => {
  let goOn = () => {};
  let atWork = () => {};
  const working = new Promise<void>((resolve) => (atWork = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const flow = defineFlow<Empty, JobsCtx>({
    kind: 'stopped',
    version: 1,
    firstStep: 'one',
    steps: {
      one: databaseStep({
        run: async (_ctx, tx, one) => (await trace(tx, one), atWork(), await gate, { goto: 'two' }),
      }),
      two: databaseStep({ run: async (_ctx, tx, one) => (await trace(tx, one), { done: true }) }),
    },
  });
  const first = aWorker({ flows: [flow], leaseMs: 600_000 });
  const id = await start(ctx, flow, {});
  await working;
  const stopped = first.stop();
  goOn();
  await stopped;
  expect(await findFlow(ctx.store, id)).toMatchObject({
    step: 'two',
    status: 'active',
    leaseUntil: null,
    attempts: 0,
  });
  aWorker({ flows: [flow] });
  expect((await ended(ctx, id)).status).toBe('done');
  expect((await traces()).map(({ step }) => step)).toEqual(['one', 'two']);
});

test('a worker goes on after the database has dropped all its connections', async () => {
  const other = createStore({ url: database.url, poolSize: 3, applicationName: 'to-be-dropped' });
  try {
    const worker = aWorker({ flows: [threeSteps], pollMs: 50, leaseMs: 500 }, aJobsCtx(other));
    await ended(ctx, await start(ctx, threeSteps, { n: 0 }));
    await database.store.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'to-be-dropped%'`,
    });
    expect((await ended(ctx, await start(ctx, threeSteps, { n: 0 }))).status).toBe('done');
    await worker.stop();
  } finally {
    await other.close();
  }
});
