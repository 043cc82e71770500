import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { createManualClock } from '../lib/clock.ts';
import { createStore } from '../store/pool.ts';
import type { Tx } from '../store/types.ts';
import { databaseStep, defineFlow, effectStep, type JobsCtx } from './flows/flow.ts';
import { findFlow, retryFlow } from './flows/inspect.ts';
import { jobsMetrics } from './metrics.ts';
import { pokeWorkers, startFlow, wakeFlow } from './start.ts';
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

test('a flow runs its steps in order, each once, and keeps its history', async () => {
  aWorker({ flows: [threeSteps], name: 'anna' });
  const flow = await ended(ctx, await start(ctx, threeSteps, { n: 0 }));
  expect(flow).toMatchObject({ status: 'done', state: { n: 3 }, leaseUntil: null });
  expect(
    flow.history.map(({ step, outcome, worker, attempt }) => [step, outcome, worker, attempt]),
  ).toEqual([
    ['one', '→ two', 'anna', 1],
    ['two', '→ three', 'anna', 1],
    ['three', 'done', 'anna', 1],
  ]);
  expect((await traces()).map(({ step }) => step)).toEqual(['one', 'two', 'three']);
});

test('two workers at once never do the same step', { tags: 'slow' }, async () => {
  const other = createStore({ url: database.url, poolSize: 5 });
  try {
    aWorker({ flows: [threeSteps], name: 'anna' });
    aWorker({ flows: [threeSteps], name: 'bela' }, aJobsCtx(other));
    const ids = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        start(ctx, threeSteps, { n: 0 }, { projectId: `p${n % 7}` }),
      ),
    );
    for (const id of ids) expect((await ended(ctx, id)).state).toEqual({ n: 3 });
    const done = await traces();
    expect(done).toHaveLength(900);
    expect(new Set(done.map(({ flow, step }) => `${flow} ${step}`)).size).toBe(900);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await other.close();
  }
});

test('a flow started in a transaction that is rolled back does not exist', async () => {
  await expect(
    ctx.store.transaction(async (tx) => {
      await startFlow(ctx, tx, threeSteps, { projectId: 'p1', state: { n: 0 } });
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect((await database.store.query({ text: 'select 1 from flows' })).rowCount).toBe(0);
});

test('starting twice with one key starts once, also at the same time', async () => {
  const started = await Promise.all(
    Array.from({ length: 20 }, () =>
      ctx.store.transaction((tx) =>
        startFlow(ctx, tx, threeSteps, { projectId: 'p1', state: { n: 0 }, key: 'k' }),
      ),
    ),
  );
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(started.filter((one) => one.started)).toHaveLength(1);
});

const sleeper = defineFlow<{ until: string; woken: number }, JobsCtx>({
  kind: 'sleeper',
  version: 1,
  firstStep: 'sleep',
  steps: {
    sleep: databaseStep({
      run: async (_ctx, tx, flow) => (
        await trace(tx, flow), { goto: 'end', runAt: new Date(flow.state.until) }
      ),
    }),
    end: databaseStep({
      run: async (_ctx, tx, flow) => (
        await trace(tx, flow), { done: true, state: { ...flow.state, woken: 1 } }
      ),
    }),
  },
});

test('a durable sleep follows the clock of the service, which development can move', async () => {
  const clock = createManualClock();
  const moved = aJobsCtx(database.store, clock);
  const until = new Date(clock.now().getTime() + 3 * 24 * 3_600_000);
  aWorker({ flows: [sleeper], pollMs: 60_000 }, moved);
  const id = await start(moved, sleeper, { until: until.toISOString(), woken: 0 });
  await eventually('the flow sleeps', async () => (await findFlow(ctx.store, id))?.step === 'end');
  clock.set(new Date(until.getTime() - 1));
  pokeWorkers(moved);
  const claims = jobsMetrics().claims;
  await eventually('the worker looks', async () => jobsMetrics().claims > claims);
  expect((await findFlow(ctx.store, id))?.status).toBe('active');
  clock.set(until);
  pokeWorkers(moved);
  expect((await ended(moved, id)).status).toBe('done');
});

test('a sleeping flow is woken by its key', async () => {
  aWorker({ flows: [sleeper], pollMs: 60_000 });
  const id = await start(
    ctx,
    sleeper,
    { until: '2100-01-01T00:00:00.000Z', woken: 0 },
    { key: 'wake-me' },
  );
  await eventually('the flow sleeps', async () => (await findFlow(ctx.store, id))?.step === 'end');
  expect(await ctx.store.transaction((tx) => wakeFlow(ctx, tx, sleeper, 'nobody'))).toBe(false);
  expect(await ctx.store.transaction((tx) => wakeFlow(ctx, tx, sleeper, 'wake-me'))).toBe(true);
  expect(await ended(ctx, id)).toMatchObject({ status: 'done', state: { woken: 1 } });
});

test('a wake that arrives while the step decides to sleep is not lost', async () => {
  await database.store.query({ text: 'create table if not exists news (there boolean)' });
  let looked = () => {};
  let goOn = () => {};
  const hasLooked = new Promise<void>((resolve) => (looked = resolve));
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const waiter = defineFlow<Empty, JobsCtx>({
    kind: 'waiter',
    version: 1,
    firstStep: 'wait',
    steps: {
      wait: databaseStep({
        run: async (_ctx, tx) => {
          const news = await tx.query({ text: 'select 1 from news' });
          if (news.rowCount > 0) return { done: true };
          looked();
          await mayGoOn;
          return { goto: 'wait', runAt: new Date('2100-01-01') };
        },
      }),
    },
  });
  aWorker({ flows: [waiter], pollMs: 60_000 });
  const id = await start(ctx, waiter, {}, { key: 'w' });
  await hasLooked;
  await ctx.store.transaction(async (tx) => {
    await tx.query({ text: 'insert into news values (true)' });
    await wakeFlow(ctx, tx, waiter, 'w');
  });
  goOn();
  const flow = await ended(ctx, id);
  expect(flow.history.map(({ outcome }) => outcome)).toEqual([
    '→ wait at 2100-01-01T00:00:00.000Z',
    'done',
  ]);
});

const failing = (onDead?: (tx: Tx, error: string) => Promise<unknown>) => {
  const state = { broken: true };
  const definition = defineFlow<Empty, JobsCtx>({
    kind: 'failing',
    version: 1,
    firstStep: 'try',
    steps: {
      try: databaseStep({
        retry: { attemptsMax: 4, baseMs: 1_000, delayMsMax: 3_000 },
        run: async (_ctx, tx, flow) => {
          await trace(tx, flow);
          if (state.broken) throw new Error(`no luck \0 at try ${flow.attempt}`);
          return { done: true };
        },
      }),
    },
    onDead: async (_ctx, tx, _flow, error) => void (await onDead?.(tx, error)),
  });
  return { state, definition };
};

test('a step that fails or gives up with half a character in its reason is told like any other', async () => {
  const cut = `${'x'.repeat(1_999)}\u{1f600} and more`;
  const wordy = defineFlow<{ fails: boolean }, JobsCtx>({
    kind: 'wordy',
    version: 1,
    firstStep: 'one',
    steps: {
      one: databaseStep({
        retry: { attemptsMax: 1 },
        run: async (_ctx, _tx, flow) => {
          if (flow.state.fails) return { fail: cut };
          throw new Error(cut);
        },
      }),
    },
  });
  aWorker({ flows: [wordy] });
  const [failed, dead] = await Promise.all(
    [true, false].map(async (fails) => ended(ctx, await start(ctx, wordy, { fails }))),
  );
  expect(failed).toMatchObject({ status: 'failed', lastError: 'x'.repeat(1_999) });
  expect(dead).toMatchObject({ status: 'dead', lastError: 'x'.repeat(1_999) });
});

test('a step that throws what has no words ends its flow, not the process', async () => {
  const thrown = [
    Object.assign(new Error('x'), { message: { code: 7 } }),
    Object.create(null),
    undefined,
  ];
  const odd = defineFlow<{ nr: number }, JobsCtx>({
    kind: 'odd',
    version: 1,
    firstStep: 'one',
    steps: {
      one: databaseStep({
        retry: { attemptsMax: 1 },
        run: async (_ctx, _tx, flow) => {
          throw thrown[flow.state.nr];
        },
      }),
    },
  });
  aWorker({ flows: [odd] });
  const flows = await Promise.all(
    thrown.map(async (_, nr) => ended(ctx, await start(ctx, odd, { nr }), 5_000)),
  );
  for (const flow of flows)
    expect(flow).toMatchObject({ status: 'dead', lastError: expect.any(String) });
});

test('a failing step is retried with a doubling, capped wait, then the flow is dead, seen with its error, and retried by hand', async () => {
  const clock = createManualClock();
  const turned = aJobsCtx(database.store, clock);
  const { definition, state } = failing((tx, error) =>
    tx.query({ text: `insert into traces (step) values ($1)`, values: [`buried: ${error}`] }),
  );
  aWorker({ flows: [definition], pollMs: 20 }, turned);
  const id = await start(turned, definition, {});
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    const flow = await eventually(`try ${attempt} failed`, async () => {
      const found = await findFlow(ctx.store, id);
      return found?.attempts === attempt && found.leaseUntil === null && found;
    });
    expect(flow).toMatchObject({ status: 'active', lastError: `no luck  at try ${attempt}` });
    waits.push(flow.runAt.getTime() - clock.now().getTime());
    clock.set(flow.runAt);
  }
  expect(waits).toEqual([750, 1_500, 2_250]);
  const dead = await ended(turned, id);
  expect(dead).toMatchObject({ status: 'dead', attempts: 4, lastError: 'no luck  at try 4' });
  expect(dead.history.map(({ outcome }) => outcome)).toEqual(
    [1, 2, 3, 4].map((attempt) => `error: no luck  at try ${attempt}`),
  );
  // What the failed tries did is rolled back; what the burial did is there.
  expect((await traces()).map(({ step }) => step)).toEqual(['buried: no luck  at try 4']);
  state.broken = false;
  expect(await retryFlow(ctx.store, id, clock.now())).toBe(true);
  expect((await ended(turned, id)).status).toBe('done');
  expect(await retryFlow(ctx.store, id, clock.now())).toBe(false);
});

test('a flow is buried also when its burial hook fails, and the error says both', async () => {
  const { definition } = failing(() => Promise.reject(new Error('no spade')));
  const clock = createManualClock();
  const turned = aJobsCtx(database.store, clock);
  aWorker({ flows: [definition], pollMs: 20 }, turned);
  const id = await start(turned, definition, {});
  const dead = await eventually('dead', async () => {
    clock.advance(5_000);
    const flow = await findFlow(ctx.store, id);
    return flow?.status === 'dead' && flow;
  });
  expect(dead.lastError).toBe('no luck  at try 4 — and onDead failed: no spade');
});

test('whoever lost its lease before the last failure buries nothing: what its burial hook did is undone', async () => {
  const { definition }: ReturnType<typeof failing> = failing(async (tx) => {
    await tx.query({ text: `insert into traces (step) values ('buried')` });
    // Another worker has taken the flow on meanwhile.
    await ctx.store.query({
      text: 'update flows set fence = fence + 1 where kind = $1',
      values: [definition.kind],
    });
  });
  const clock = createManualClock();
  const turned = aJobsCtx(database.store, clock);
  aWorker({ flows: [definition], pollMs: 20 }, turned);
  const lostBefore = jobsMetrics().fencesLost;
  const id = await start(turned, definition, {});
  await eventually('the lease is lost', async () => {
    clock.advance(5_000);
    return jobsMetrics().fencesLost > lostBefore;
  });
  expect((await findFlow(ctx.store, id))?.status).toBe('active');
  expect((await traces()).map(({ step }) => step)).not.toContain('buried');
});

test('a step may decide that its flow has failed, which is no retry', async () => {
  const refusing = defineFlow<Empty, JobsCtx>({
    kind: 'refusing',
    version: 1,
    firstStep: 'ask',
    steps: {
      ask: databaseStep({
        run: async (_ctx, tx, flow) => (await trace(tx, flow), { fail: 'refused by the bank' }),
      }),
    },
  });
  aWorker({ flows: [refusing] });
  expect(await ended(ctx, await start(ctx, refusing, {}))).toMatchObject({
    status: 'failed',
    lastError: 'refused by the bank',
    attempts: 1,
  });
  expect(await traces()).toHaveLength(1);
});

test('an effect is tried again with the key and the words that were stored before its first try', async () => {
  const sent: { key: string; data: unknown }[] = [];
  let prepared = 0;
  const paying = defineFlow<{ paid?: string }, JobsCtx>({
    kind: 'paying',
    version: 1,
    firstStep: 'pay',
    steps: {
      pay: effectStep({
        retry: { attemptsMax: 5, baseMs: 1, delayMsMax: 1 },
        prepare: async (_ctx, tx, flow) => (
          await trace(tx, flow), { intent: { amount: '5', nr: ++prepared } }
        ),
        perform: async (_ctx, _flow, intent) => {
          sent.push({ key: intent.key, data: intent.data });
          if (sent.length < 3) throw new Error('connection lost');
          return { receipt: 'r1' };
        },
        record: async (_ctx, tx, flow, outcome, intent) => (
          await trace(tx, flow),
          { done: true, state: { paid: `${outcome.receipt} ${intent.data.amount}` } }
        ),
      }),
    },
  });
  aWorker({ flows: [paying], pollMs: 20 });
  expect(await ended(ctx, await start(ctx, paying, {}))).toMatchObject({
    status: 'done',
    state: { paid: 'r1 5' },
    intent: null,
  });
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(sent[0]!.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(await traces()).toHaveLength(2);
});

test('an effect that finds nothing to do goes on without one', async () => {
  const idle = defineFlow<Empty, JobsCtx>({
    kind: 'idle',
    version: 1,
    firstStep: 'look',
    steps: {
      look: effectStep({
        prepare: async () => ({ done: true as const }),
        perform: () => Promise.reject(new Error('must not be called')),
        record: () => Promise.reject(new Error('must not be called')),
      }),
    },
  });
  aWorker({ flows: [idle] });
  expect((await ended(ctx, await start(ctx, idle, {}))).status).toBe('done');
});

test('a step that hangs is ended by its time-out, and its effect is told', async () => {
  let aborted = false;
  const hanging = defineFlow<Empty, JobsCtx>({
    kind: 'hanging',
    version: 1,
    firstStep: 'hang',
    steps: {
      hang: effectStep({
        timeoutMs: 50,
        retry: { attemptsMax: 1 },
        prepare: async () => ({ intent: null }),
        perform: (_ctx, _flow, _intent, signal) =>
          new Promise<never>(() => signal.addEventListener('abort', () => (aborted = true))),
        record: () => Promise.reject(new Error('must not be called')),
      }),
    },
  });
  aWorker({ flows: [hanging] });
  expect(await ended(ctx, await start(ctx, hanging, {}))).toMatchObject({
    status: 'dead',
    lastError: 'The step took longer than 50 ms.',
  });
  expect(aborted).toBe(true);
});

test('a serialization failure runs the step again at once and is no failed try', async () => {
  let runs = 0;
  const colliding = defineFlow<Empty, JobsCtx>({
    kind: 'colliding',
    version: 1,
    firstStep: 'collide',
    steps: {
      collide: databaseStep({
        run: async (_ctx, tx, flow) => {
          await trace(tx, flow);
          if (++runs < 3)
            await tx.query({
              text: `do $$ begin raise exception 'collision' using errcode = '40001'; end $$`,
            });
          return { done: true };
        },
      }),
    },
  });
  aWorker({ flows: [colliding] });
  expect(await ended(ctx, await start(ctx, colliding, {}))).toMatchObject({
    status: 'done',
    attempts: 1,
    lastError: null,
  });
  expect(runs).toBe(3);
  expect(await traces()).toHaveLength(1);
});
