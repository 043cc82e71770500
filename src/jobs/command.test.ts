import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { jobsCommand } from './command.ts';
import { databaseStep, defineFlow, type JobsCtx } from './flows/flow.ts';
import { appendEvents } from './outbox/outbox.ts';
import { createOutboxReader } from './outbox/outbox-reader.ts';
import { aJobsCtx, ended, start } from './test-kit.ts';
import { createWorker, type Worker } from './worker/worker.ts';

let database: TestDatabase;
let ctx: JobsCtx;
let worker: Worker;

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = aJobsCtx(database.store);
});
afterAll(() => database.close());
afterEach(async () => {
  await worker?.stop();
  await database.store.query({ text: 'truncate flows, outbox, outbox_readers, outbox_parked' });
});

async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const code = await jobsCommand(database.store, argv, (line) => lines.push(line));
  return { code, out: lines.join('\n') };
}

const flaky = { broken: true };
const transfer = defineFlow<{ amount: string }, JobsCtx>({
  kind: 'transfer',
  version: 2,
  firstStep: 'send',
  upgrades: { 1: (place) => place },
  steps: {
    send: databaseStep({
      retry: { attemptsMax: 1 },
      run: async () => {
        if (flaky.broken) throw new Error('node is \u001b[31mdown');
        return { done: true };
      },
    }),
  },
});

test('purser jobs counts, lists, shows, retries and cancels flows', async () => {
  expect(await run()).toEqual({ code: 0, out: 'No flows.' });
  worker = createWorker(ctx, { flows: [transfer], name: 'anna' });
  worker.start();
  flaky.broken = true;
  const id = await start(ctx, transfer, { amount: '5' }, { key: 'order-1' });
  await ended(ctx, id);
  expect((await run()).out).toBe('KIND      STATUS  COUNT  OVERDUE\ntransfer  dead    1');
  const list = await run('list', '--status', 'dead', '--kind', 'transfer', '--project', 'p1');
  expect(list.code).toBe(0);
  expect(list.out.split('\n')).toHaveLength(2);
  expect(list.out).toMatch(
    new RegExp(`^ID .*LAST ERROR\n${id}  transfer  p1 .*dead .*send .*node is  \\[31mdown$`),
  );
  expect((await run('list', '--status', 'done')).out).toBe('No such flows.');

  const shown = await run('show', id);
  expect(shown.out).toContain('kind     transfer (version 2)');
  expect(shown.out).toContain('key      order-1');
  expect(shown.out).toContain('state    {"amount":"5"}');
  expect(shown.out).toMatch(/send +1 +\d+ ms +anna +error: node is {2}\[31mdown/);
  expect(shown.out).not.toContain('\u001b');

  flaky.broken = false;
  expect(await run('retry', id)).toEqual({ code: 0, out: `${id} is due again.` });
  expect((await ended(ctx, id)).status).toBe('done');
  expect(await run('retry', id)).toEqual({ code: 1, out: `${id} is done: nothing to retry.` });

  const sleeping = await start(ctx, transfer, { amount: '6' }, { runAt: new Date('2100-01-01') });
  expect(await run('cancel', sleeping)).toEqual({ code: 0, out: `${sleeping} is cancelled.` });
  expect((await run('show', sleeping)).out).toMatch(/status +canceled[^]*cancelled by hand/);
});

test('purser jobs readers shows what readers are behind', async () => {
  const reader = createOutboxReader(ctx, { name: 'webhooks', handle: async () => undefined });
  await reader.drain();
  await ctx.store.transaction((tx) =>
    appendEvents(tx, [{ projectId: 'p', type: 't', object: 'o', data: {} }]),
  );
  await reader.drain();
  expect((await run('readers')).out).toMatch(
    /^READER +POSITION +BEHIND +PARKED +TRIES +LAST ERROR\nwebhooks +1 +0 +0 +0$/,
  );
});

test('purser jobs parked and unpark: an event that its reader gave up on is handled again, and kept with the new reason when that fails', async () => {
  expect((await run('parked')).out).toBe('No parked events.');
  const heard: string[] = [];
  let trouble = 'out of order';
  const reader = createOutboxReader(ctx, {
    name: 'webhooks',
    retry: { attemptsMax: 1, baseMs: 1, delayMsMax: 1 },
    handle: async (_, events) => {
      if (trouble !== '') throw new Error(trouble);
      heard.push(...events.map(({ object }) => object));
    },
  });
  await reader.drain();
  await ctx.store.transaction((tx) =>
    appendEvents(tx, [{ projectId: 'p', type: 'orders.paid', object: 'order:1', data: {} }]),
  );
  await reader.drain();
  const [, line = ''] = (await run('parked')).out.split('\n');
  expect(line).toMatch(/webhooks +orders\.paid +order:1 .*out of order$/);
  const id = line.split(' ')[0]!;
  trouble = 'still out of order';
  expect((await run('unpark', id)).out).toContain('within seconds');
  expect((await run('parked')).out).toMatch(/is handled again$/);
  await reader.drain();
  expect((await run('parked')).out).toMatch(/still out of order$/);
  trouble = '';
  await run('unpark', id);
  reader.start();
  await expect.poll(() => heard).toEqual(['order:1']);
  await reader.stop();
  expect((await run('parked')).out).toBe('No parked events.');
  expect(await run('unpark', id)).toEqual({ code: 1, out: `No event ${id} is parked.` });
});

test('purser jobs says what is wrong with its arguments', async () => {
  const nowhere = '01a1f8ec-0000-7000-8000-000000000000';
  for (const [argv, message] of [
    [['dance'], 'Unknown command "dance".'],
    [['show'], 'Name a flow by its id: purser jobs show <id>'],
    [['show', "'; drop table flows"], 'Name a flow by its id'],
    [['list', '--status', 'tired'], 'Unknown status "tired".'],
    [['list', '--limit', '0'], '--limit is a whole number from 1 to 1000.'],
    [['list', '--frobnicate'], 'frobnicate'],
    [['retry', nowhere], `There is no flow ${nowhere}.`],
    [['unpark', '7'], 'Name an event by its id: purser jobs unpark <event>'],
    [['show', nowhere], `There is no flow ${nowhere}.`],
  ] as const) {
    const { code, out } = await run(...argv);
    expect(out).toContain(message);
    expect(code).toBe(1);
  }
  expect((await run('--help')).code).toBe(0);
});
