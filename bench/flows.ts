import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { startPostgres } from '../devnet/postgres.ts';
import {
  createWorker,
  databaseStep,
  defineFlow,
  type JobsCtx,
  jobsMetrics,
  startFlow,
} from '../src/jobs/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import type { Store } from '../src/store/types.ts';
import { type BenchOptions, interleave, type Measure, median, percentile } from './measure.ts';

const poolSize = 16;
const startersAtOnce = 32;
const commitsGoal = 4;
const lateP50GoalMs = 10;
const lateP90GoalMs = 25;

type Three = { readonly n: number };
type Sleeper = { readonly sleepMs: number; readonly dueAtMs?: number };

const noteText = 'insert into bench_steps (flow, step) values ($1, $2)';
const hop = (goto: string) =>
  databaseStep<Three, JobsCtx>({
    run: async (_ctx, tx, flow) => {
      await tx.query({ name: 'bench-step', text: noteText, values: [flow.id, flow.step] });
      return goto === '' ? { done: true } : { goto, state: { n: flow.state.n + 1 } };
    },
  });
const three = defineFlow<Three, JobsCtx>({
  kind: 'bench-three',
  version: 1,
  firstStep: 'one',
  steps: { one: hop('two'), two: hop('three'), three: hop('') },
});

const latenessMs: number[] = [];
const sleeper = defineFlow<Sleeper, JobsCtx>({
  kind: 'bench-sleeper',
  version: 1,
  firstStep: 'sleep',
  steps: {
    sleep: databaseStep({
      run: async (ctx, _tx, flow) => {
        const dueAtMs = ctx.clock.now().getTime() + flow.state.sleepMs;
        return { goto: 'wake', state: { ...flow.state, dueAtMs }, runAt: new Date(dueAtMs) };
      },
    }),
    wake: databaseStep({
      run: async (ctx, tx, flow) => {
        const lateMs = ctx.clock.now().getTime() - flow.state.dueAtMs!;
        tx.afterCommit(() => latenessMs.push(lateMs));
        return { done: true };
      },
    }),
  },
});

/**
 * Measures flows on a durable PostgreSQL of its own: three-step flows per second (each step writes
 * a row) beside the same rows written without an engine, commits per flow with the one that starts
 * it, and how much later than its durable sleep a flow goes on.
 */
export async function benchFlows(options: BenchOptions): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-flows-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  try {
    const url = postgres.url('postgres');
    const admin = createStore({ url, poolSize: 1, applicationName: 'bench' });
    await migrate(admin, fileURLToPath(new URL('../migrations/main', import.meta.url)));
    await admin.query({ text: 'create table bench_steps (flow uuid, step text)' });
    await admin.query({
      text: 'create table bench_bare (id uuid primary key, step text, state jsonb)',
    });
    const measures = [
      ...(await benchThroughput(url, admin, options)),
      ...(await benchSleep(url, options)),
    ];
    await admin.close();
    return measures;
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Round {
  readonly perSecond: number;
  readonly commitsPerFlow: number;
}

async function benchThroughput(
  url: string,
  admin: Store,
  { progress, quick }: BenchOptions,
): Promise<Measure[]> {
  const count = quick ? 300 : 2_000;
  const rounds = quick ? 1 : 3;
  await runFlows(url, admin, 200, 'here');
  progress('three-step flows, in turn with the same rows written without an engine');
  const here = await interleave({
    rounds,
    a: () => runFlows(url, admin, count, 'here'),
    b: () => runBare(url, count),
    rateOf: { a: (round) => round.perSecond, b: (perSecond) => perSecond },
  });
  progress('three-step flows that another process starts');
  const elsewhere: Round[] = [];
  for (let round = 0; round < rounds; round++)
    elsewhere.push(await runFlows(url, admin, count, 'elsewhere'));
  const commits = median(here.as.map(({ commitsPerFlow }) => commitsPerFlow));
  return [
    {
      name: 'three-step flows',
      value: median(here.as.map(({ perSecond }) => perSecond)),
      unit: '/s',
      beside: { what: 'the same rows without an engine', value: median(here.bs), unit: '/s' },
      ratio: here.ratio,
    },
    {
      name: 'commits per three-step flow',
      value: commits,
      unit: '',
      beside: { what: 'at most', value: commitsGoal },
      ratio: commits / commitsGoal,
      goal: { atMost: 1.02 },
    },
    {
      name: 'three-step flows started by another process',
      value: median(elsewhere.map(({ perSecond }) => perSecond)),
      unit: '/s',
    },
    {
      name: 'commits per flow started by another process',
      value: median(elsewhere.map(({ commitsPerFlow }) => commitsPerFlow)),
      unit: '',
    },
  ];
}

/**
 * `elsewhere`: flows are started through another pool, as an API process does, so each has to be
 * announced and claimed.
 */
async function runFlows(
  url: string,
  admin: Store,
  count: number,
  from: 'here' | 'elsewhere',
): Promise<Round> {
  await admin.query({ text: 'truncate flows, bench_steps' });
  const store = createStore({ url, poolSize });
  const api = from === 'here' ? store : createStore({ url, poolSize });
  const worker = createWorker(ctxOf(store), { flows: [three] });
  worker.start();
  await delay(200);
  const before = await readCommits(admin);
  const startedMs = performance.now();
  const doneBefore = jobsMetrics().flowsDone;
  await inParallel(count, (n) =>
    api.transaction((tx) =>
      startFlow(ctxOf(api), tx, three, { projectId: `p${n % 8}`, state: { n: 0 } }),
    ),
  );
  await waitUntil('all flows are done', () => jobsMetrics().flowsDone - doneBefore >= count);
  const seconds = (performance.now() - startedMs) / 1_000;
  await worker.stop();
  await Promise.all([store.close(), api.close()]);
  const commits = (await readCommits(admin)) - before;
  const { rows } = await admin.query<{ n: number }>({
    text: 'select count(*)::int as n from bench_steps',
  });
  if (rows[0]!.n !== count * 3)
    throw new Error(`${rows[0]!.n} steps were done instead of ${count * 3}.`);
  return { perSecond: count / seconds, commitsPerFlow: commits / count };
}

/**
 * What a flow writes, without claims, leases and fences: one insert, and three times a row and the
 * flow's place.
 */
async function runBare(url: string, count: number): Promise<number> {
  const store = createStore({ url, poolSize });
  const startedMs = performance.now();
  await inParallel(count, async () => {
    const id = systemIds.uuid();
    await store.transaction((tx) =>
      tx.query({
        name: 'bare-start',
        text: `insert into bench_bare values ($1, 'one', '{"n":0}')`,
        values: [id],
      }),
    );
    for (const step of ['one', 'two', 'three']) {
      await store.transaction(async (tx) => {
        await tx.query({ name: 'bench-step', text: noteText, values: [id, step] });
        await tx.query({
          name: 'bare-move',
          text: 'update bench_bare set step = $2, state = $3 where id = $1',
          values: [id, step, '{"n":1}'],
        });
      });
    }
  });
  const perSecond = count / ((performance.now() - startedMs) / 1_000);
  await store.close();
  return perSecond;
}

async function benchSleep(url: string, { progress, quick }: BenchOptions): Promise<Measure[]> {
  progress('durable sleeps');
  const count = quick ? 50 : 400;
  const store = createStore({ url, poolSize: 8 });
  const ctx = ctxOf(store);
  const worker = createWorker(ctx, { flows: [sleeper] });
  worker.start();
  try {
    latenessMs.length = 0;
    for (let n = 0; n < count; n++) {
      await store.transaction((tx) =>
        startFlow(ctx, tx, sleeper, {
          projectId: `p${n % 8}`,
          state: { sleepMs: 200 + Math.floor(Math.random() * 1_500) },
        }),
      );
      await delay(4);
    }
    await waitUntil('all sleepers are awake', () => latenessMs.length >= count);
  } finally {
    await worker.stop();
    await store.close();
  }
  const sorted = latenessMs.toSorted((a, b) => a - b);
  const line = (share: number, goalMs: number): Measure => {
    const value = percentile(sorted, share);
    return {
      name: `later than the durable sleep, p${share * 100}`,
      value,
      unit: 'ms',
      beside: { what: 'at most', value: goalMs, unit: 'ms' },
      ratio: value / goalMs,
      goal: { atMost: 1 },
    };
  };
  return [line(0.5, lateP50GoalMs), line(0.9, lateP90GoalMs)];
}

const ctxOf = (store: Store): JobsCtx => ({
  store,
  clock: systemClock,
  ids: systemIds,
  log: pino({ level: 'silent' }),
});

async function inParallel(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: startersAtOnce }, async (_, starter) => {
      for (let n = starter; n < count; n += startersAtOnce) await run(n);
    }),
  );
}

/** Asks this process and not the database, whose commits are being counted. */
async function waitUntil(what: string, check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 60_000; tries++) {
    if (check()) return;
    await delay(2);
  }
  throw new Error(`In vain for two minutes: ${what}.`);
}

/**
 * Every transaction counts, also those that only read. A session hands in its numbers when it ends,
 * so pools are closed first.
 */
async function readCommits(admin: Store): Promise<number> {
  await delay(300);
  await admin.query({ text: 'select pg_stat_force_next_flush()' });
  const { rows } = await admin.query<{ n: string }>({
    text: 'select xact_commit as n from pg_stat_database where datname = current_database()',
  });
  return Number(rows[0]!.n);
}
