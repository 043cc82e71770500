import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { shareOfNumbers } from '../../test/harness/long-share.ts';
import { createStore } from '../store/pool.ts';
import { databaseStep, defineFlow, type JobsCtx } from './flows/flow.ts';
import { startFlow, startFlows, wakeFlow } from './start.ts';
import { aJobsCtx } from './test-kit.ts';
import { createWorker } from './worker/worker.ts';

const rounds = 60;
const noPollMs = 10_000_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await database.store.query({ text: 'create table calls (key text primary key)' });
});
afterAll(() => database.close());
beforeEach(() => database.store.query({ text: 'truncate flows, calls' }));

const upTo = (n: number) => Math.floor(Math.random() * n);

/**
 * Hops, sleeps, fails and takes its time at random; with a key it ends only after it was called.
 */
const wanderer = defineFlow<{ hops: number }, JobsCtx>({
  kind: 'wanderer',
  version: 1,
  firstStep: 'walk',
  steps: {
    walk: databaseStep({
      retry: { baseMs: 10, delayMsMax: 50, attemptsMax: 1_000 },
      run: async (ctx, tx, flow) => {
        if (upTo(4) === 0) await delay(upTo(30));
        if (flow.state.hops === 0) {
          const called =
            flow.key === undefined ||
            (await tx.query({ text: 'select 1 from calls where key = $1', values: [flow.key] }))
              .rowCount > 0;
          return called ? { done: true } : { goto: 'walk', runAt: new Date('2100-01-01') };
        }
        if (upTo(20) === 0 && flow.attempt < 3) throw new Error('stumbled');
        return {
          goto: 'walk',
          state: { hops: flow.state.hops - 1 },
          runAt: upTo(2) ? new Date(ctx.clock.now().getTime() + upTo(120)) : undefined,
        };
      },
    }),
  },
});

test.each(shareOfNumbers({ first: 0, count: rounds }))(
  'without any poll no flow is left behind, random set-up %i',
  async () => {
    const stores = Array.from({ length: 3 }, () =>
      createStore({ url: database.url, poolSize: 2 + upTo(8) }),
    );
    const [first, second, api] = stores.map((store) => aJobsCtx(store)) as [
      JobsCtx,
      JobsCtx,
      JobsCtx,
    ];
    const setUp = {
      concurrency: [1 + upTo(8), 1 + upTo(12)],
      flows: 20 + upTo(120),
      projects: 1 + upTo(5),
    };
    const workers = [first, second].map((ctx, index) =>
      createWorker(ctx, {
        flows: [wanderer],
        concurrency: setUp.concurrency[index]!,
        pollMs: noPollMs,
      }),
    );
    for (const worker of workers) worker.start();
    const anyCtx = () => [first, second, api][upTo(3)]!;
    const anInput = () => ({ projectId: `p${upTo(setUp.projects)}`, state: { hops: upTo(4) } });
    try {
      const walks = Array.from({ length: setUp.flows }, async (_, n) => {
        await delay(upTo(300));
        const starter = anyCtx();
        const key = upTo(2) ? `key-${n}` : undefined;
        await starter.store.transaction(async (tx) => {
          await startFlow(starter, tx, wanderer, { ...anInput(), key });
          if (upTo(3) === 0)
            await startFlows(starter, tx, wanderer, Array.from({ length: upTo(9) }, anInput));
        });
        if (key === undefined) return;
        await delay(upTo(300));
        const caller = anyCtx();
        await caller.store.transaction(async (tx) => {
          await tx.query({ text: 'insert into calls (key) values ($1)', values: [key] });
          await wakeFlow(caller, tx, wanderer, key);
        });
      });
      await Promise.all(walks);
      const left = async () =>
        (
          await database.store.query({
            text: `select step, state, run_at, lease_until, attempts from flows where status = 'active'`,
          })
        ).rows;
      await expect
        .poll(left, { timeout: 20_000, interval: 50, message: JSON.stringify(setUp) })
        .toEqual([]);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(stores.map((store) => store.close()));
    }
  },
);
