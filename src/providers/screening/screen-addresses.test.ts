import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import type { Providers } from '../registry.ts';
import { screenAddresses } from './index.ts';
import { createNoScreening, createSandboxScreening, sandboxAddresses } from './sandbox.ts';
import type { ScreeningProvider } from './screening.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const clock = createManualClock();
const clean = '0x1111111111111111111111111111111111111111';

function aCtx(screening: ScreeningProvider = createSandboxScreening(), store = database.store) {
  const providers = { screening } as Partial<Providers> as Providers;
  return { providers, store, clock, ids: systemIds, log: pino({ level: 'silent' }) };
}
const decisionsOf = async (subject: string) =>
  (
    await database.store.query<Record<string, unknown>>({
      text: 'select project_id, chain, addresses, outcome, hit, lists, decided_at from screening_decisions where subject = $1 order by id',
      values: [subject],
    })
  ).rows;

test('each decision is stored with what it was compared with before it is answered', async () => {
  const projectId = randomUUID();
  const about = { projectId, subject: 'transaction:1', chain: 'base-sepolia' };
  const clear = await screenAddresses(aCtx(), { ...about, addresses: [clean, clean] });
  const blocked = await screenAddresses(aCtx(), {
    ...about,
    addresses: [clean, sandboxAddresses.blocked],
  });
  expect([clear.status, blocked.status]).toEqual(['clear', 'blocked']);
  const [list] = clear.lists;
  const shared = {
    project_id: projectId,
    chain: 'base-sepolia',
    lists: [list],
    decided_at: clock.now(),
  };
  expect(await decisionsOf('transaction:1')).toEqual([
    { ...shared, outcome: 'clear', addresses: [clean], hit: null },
    {
      ...shared,
      outcome: 'blocked',
      addresses: [clean, sandboxAddresses.blocked],
      hit: {
        address: sandboxAddresses.blocked,
        list: 'sandbox',
        listVersion: '1',
        digest: list!.digest,
        entry: 'blocked',
      },
    },
  ]);
});

test('100 decisions at once are all stored, each with its own outcome', async () => {
  const projectId = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      screenAddresses(aCtx(), {
        projectId,
        subject: `many:${at}`,
        chain: 'base',
        addresses: [at % 3 === 0 ? sandboxAddresses.blocked : clean],
      }),
    ),
  );
  const { rows } = await database.store.query<{ subject: string; outcome: string }>({
    text: 'select subject, outcome from screening_decisions where project_id = $1',
    values: [projectId],
  });
  expect(new Map(rows.map(({ subject, outcome }) => [subject, outcome]))).toEqual(
    new Map(results.map(({ status }, at) => [`many:${at}`, status])),
  );
  expect(rows).toHaveLength(100);
});

test('a list that is out of reach is 503: nobody is paid unseen', async () => {
  const screening = screenAddresses(aCtx(), {
    projectId: randomUUID(),
    subject: 'transaction:2',
    chain: 'base',
    addresses: [sandboxAddresses.unavailable],
  });
  await expect(screening).rejects.toMatchObject({ code: 'provider-unavailable', status: 503 });
  expect(await decisionsOf('transaction:2')).toEqual([]);
});

test('a decision that cannot be stored is not answered', async () => {
  const broken = {
    ...database.store,
    query: () => Promise.reject(new Error('the database is gone')),
  };
  const input = {
    projectId: randomUUID(),
    subject: 'transaction:3',
    chain: 'base',
    addresses: [clean],
  };
  await expect(screenAddresses(aCtx(createSandboxScreening(), broken), input)).rejects.toThrow(
    'the database is gone',
  );
});

test('without addresses there is nothing to decide', async () => {
  const input = { projectId: randomUUID(), subject: 'transaction:4', chain: 'base', addresses: [] };
  expect(await screenAddresses(aCtx(), input)).toEqual({ status: 'clear', lists: [] });
  expect(await decisionsOf('transaction:4')).toEqual([]);
});

test('more addresses than a provider takes at once are compared in portions, to the last one', async () => {
  const projectId = randomUUID();
  const addresses = Array.from(
    { length: 2_500 },
    (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`,
  );
  const about = { projectId, subject: 'transaction:5', chain: 'base' };
  expect((await screenAddresses(aCtx(), { ...about, addresses })).status).toBe('clear');
  expect(
    (
      await screenAddresses(aCtx(), {
        ...about,
        addresses: [...addresses, sandboxAddresses.blocked],
      })
    ).status,
  ).toBe('blocked');
  expect(
    (await decisionsOf('transaction:5')).map(
      ({ addresses: stored }) => (stored as string[]).length,
    ),
  ).toEqual([2_500, 2_501]);
});

test('where SCREENING is off everything passes, and the stored decision says that nothing was compared', async () => {
  const about = { projectId: randomUUID(), subject: 'transaction:off', chain: 'base' };
  expect(
    (await screenAddresses(aCtx(createNoScreening()), { ...about, addresses: [clean] })).status,
  ).toBe('clear');
  expect(await decisionsOf('transaction:off')).toMatchObject([
    { outcome: 'off', hit: null, lists: [] },
  ]);
});
