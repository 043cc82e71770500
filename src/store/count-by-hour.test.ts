import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { countByHour } from './count-by-hour.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ empty: true });
  await database.store.query({
    text: 'create table counted (project_id uuid not null, created_at timestamptz not null)',
  });
});
afterAll(() => database?.close());

let projectId: string;
beforeEach(() => {
  projectId = randomUUID();
});

const since = new Date('2026-10-25T00:00:00Z');
const add = (...times: string[]) =>
  database.store.query({
    text: 'insert into counted select $1, unnest($2::timestamptz[])',
    values: [projectId, times],
  });
const count = (projectIds: readonly string[] = [projectId], hours = 3) =>
  countByHour(
    database.store,
    { projectIds, since, hours },
    { table: 'counted', projectIdType: 'uuid' },
  );

it('a row is of the hour that begins with it, and of no other; what is before and after is of none', async () => {
  await add(
    '2026-10-24T23:59:59.999999Z',
    '2026-10-25T00:00:00Z',
    '2026-10-25T00:59:59.999999Z',
    '2026-10-25T01:00:00Z',
    '2026-10-25T02:59:59.999999Z',
    '2026-10-25T03:00:00Z',
  );
  expect(await count()).toEqual([2, 1, 1]);
  expect(await count([projectId], 0)).toEqual([]);
});

it('rows of other projects, and of none, are not counted', async () => {
  await add('2026-10-25T00:00:00Z');
  expect(await count([randomUUID()])).toEqual([0, 0, 0]);
  expect(await count([])).toEqual([0, 0, 0]);
  expect(await count([randomUUID(), projectId])).toEqual([1, 0, 0]);
});

it('hours are sixty minutes where a clock is put back, whatever time zone the database has', async () => {
  await add('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z');
  const inBerlin = await database.store.transaction(async (tx) => {
    await tx.query({ text: `set local time zone 'Europe/Berlin'` });
    return countByHour(
      tx,
      { projectIds: [projectId], since, hours: 3 },
      { table: 'counted', projectIdType: 'uuid' },
    );
  });
  expect(inBerlin).toEqual([1, 1, 1]);
});

it('what is deleted or added meanwhile changes its own hour alone', async () => {
  await add('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z');
  await database.store.transaction(async (tx) => {
    await tx.query({
      text: `delete from counted where project_id = $1 and created_at < '2026-10-25T01:00:00Z'`,
      values: [projectId],
    });
    // Not there for others before it is durable.
    expect(await count()).toEqual([1, 1, 0]);
  });
  const [, ...counts] = await Promise.all([add('2026-10-25T02:30:00Z'), count(), count()]);
  for (const one of counts) expect(one.slice(0, 2)).toEqual([0, 1]);
  expect(await count()).toEqual([0, 1, 1]);
});
