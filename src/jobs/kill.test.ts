import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { programArgs } from '../../test/harness/programs.ts';
import type { JobsCtx } from './flows/flow.ts';
import { findFlow } from './flows/inspect.ts';
import {
  type ChildWorker,
  readOrphans,
  readTakeoverMs,
  readVerdict,
  startChild,
  type Takeover,
} from './kill-kit.ts';
import { aJobsCtx, ended, eventually, start } from './test-kit.ts';
import { type ChildArguments, childTables, marathon } from './worker-child.ts';

const command = programArgs('src/jobs/worker-child.ts');
const leaseMs = 1_500;

let database: TestDatabase;
let ctx: JobsCtx;
let children: ChildWorker[] = [];

beforeEach(async () => {
  database = await startTestDatabase();
  ctx = aJobsCtx(database.store);
  await database.store.query({ text: childTables });
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  await database.close();
});

async function aChild(name: string, options: Partial<ChildArguments> = {}): Promise<ChildWorker> {
  const child = await startChild(command, {
    url: database.url,
    name,
    version: 1,
    leaseMs,
    pollMs: 250,
    ...options,
  });
  children.push(child);
  return child;
}

const definition = () => marathon(1, 'starter', database.store);

test('workers that are killed in the middle of steps lose nothing, repeat no step, and are replaced when their lease ends', {
  tags: 'slow',
}, async () => {
  let alive = await Promise.all([aChild('anna'), aChild('bela')]);
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      start(
        ctx,
        definition(),
        { stepMs: 60 + n * 5, napMs: n % 3 ? 50 : undefined },
        { projectId: `p${n % 4}` },
      ),
    ),
  );
  const orphans: Takeover[] = [];
  for (let kill = 0; kill < 3; kill++) {
    await eventually(
      'the victim is at work',
      async () => (await readOrphans(ctx.store, alive[0]!.name)).length > 2,
    );
    await alive[0]!.kill();
    orphans.push(...(await readOrphans(ctx.store, alive[0]!.name)));
    alive = [alive[1]!, await aChild(`heir-${kill}`)];
    ids.push(
      ...(await Promise.all(
        Array.from({ length: 8 }, () => start(ctx, definition(), { stepMs: 100 })),
      )),
    );
  }
  for (const id of ids) expect(await ended(ctx, id)).toMatchObject({ status: 'done' });
  expect(await readVerdict(ctx.store)).toEqual({
    notDone: 0,
    wrongSteps: 0,
    changedEffects: 0,
    withoutEffect: 0,
  });
  // A look is every quarter of a second: what waited for more than some of them waited for
  // something else than the lease.
  const takeovers = await readTakeoverMs(ctx.store, orphans);
  expect(takeovers.length).toBeGreaterThan(5);
  expect(Math.max(...takeovers)).toBeLessThan(leaseMs + 10_000);
});

test('a worker with newer code takes over a killed one in the middle of a step', {
  tags: 'slow',
}, async () => {
  const old = await aChild('old');
  const id = await start(ctx, definition(), { stepMs: 10, firstTryMs: 60_000 });
  await eventually(
    'the old worker is in step two',
    async () =>
      (await ctx.store.query({ text: `select 1 from tries where step = 'two'` })).rowCount > 0,
  );
  await old.kill();
  await aChild('new', { version: 2 });
  expect(await ended(ctx, id)).toMatchObject({ status: 'done', version: 2 });
  const { rows } = await ctx.store.query({
    text: 'select step, worker, code from steps_done order by code, step',
  });
  expect(rows).toEqual([
    { step: 'one', worker: 'old', code: 1 },
    { step: 'deux', worker: 'new', code: 2 },
    { step: 'effect', worker: 'new', code: 2 },
    { step: 'last', worker: 'new', code: 2 },
  ]);
});

test('a process that stands still beyond its lease cannot commit when it goes on', {
  tags: 'slow',
}, async () => {
  const stalled = await aChild('stalled');
  const id = await start(ctx, definition(), { stepMs: 10, firstTryMs: 400 });
  await eventually(
    'the worker is in step two',
    async () =>
      (await ctx.store.query({ text: `select 1 from tries where step = 'two'` })).rowCount > 0,
  );
  stalled.process.kill('SIGSTOP');
  await aChild('fresh');
  expect((await ended(ctx, id)).status).toBe('done');
  stalled.process.kill('SIGCONT');
  // It shows that it is awake, and past the step it stood in, by running another flow.
  const second = await start(
    ctx,
    definition(),
    { stepMs: 10 },
    { runAt: new Date(Date.now() + 600) },
  );
  await ended(ctx, second);
  await delay(500);
  expect(await readVerdict(ctx.store)).toMatchObject({ notDone: 0, wrongSteps: 0 });
  const { rows } = await ctx.store.query<{ worker: string }>({
    text: 'select distinct worker from steps_done where flow = $1 order by 1',
    values: [id],
  });
  expect(rows.map(({ worker }) => worker)).toEqual(['fresh', 'stalled']);
  expect(
    (await findFlow(ctx.store, id))?.history.map(({ step, worker }) => [step, worker]),
  ).toEqual([
    ['one', 'stalled'],
    ['two', 'fresh'],
    ['effect', 'fresh'],
    ['last', 'fresh'],
  ]);
});

test('a worker that is asked to stop ends by itself and leaves no lease behind', {
  tags: 'slow',
}, async () => {
  const child = await aChild('polite');
  const ids = await Promise.all(
    Array.from({ length: 10 }, () => start(ctx, definition(), { stepMs: 150 })),
  );
  await eventually(
    'it is at work',
    async () => (await readOrphans(ctx.store, 'polite')).length > 5,
  );
  const gone = new Promise((resolve) => child.process.once('exit', resolve));
  child.process.kill('SIGTERM');
  expect(await gone).toBe(0);
  expect(await readOrphans(ctx.store, 'polite')).toEqual([]);
  await aChild('heir');
  for (const id of ids) await ended(ctx, id);
  expect(await readVerdict(ctx.store)).toEqual({
    notDone: 0,
    wrongSteps: 0,
    changedEffects: 0,
    withoutEffect: 0,
  });
});
