import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await database.store.query({ text: 'create table counters (id int primary key, n int not null)' });
  await database.store.query({ text: 'insert into counters values (1, 0), (2, 0)' });
});
afterAll(() => database.close());

test('a transaction commits what its work did and runs the after-commit callbacks', async () => {
  const ran: string[] = [];
  const result = await database.store.transaction(async (tx) => {
    tx.afterCommit(() => ran.push('after'));
    await tx.query({ text: 'insert into counters values (10, 1)' });
    expect(ran).toEqual([]);
    return 'done';
  });
  expect(result).toBe('done');
  expect(ran).toEqual(['after']);
  expect((await database.store.query({ text: 'select n from counters where id = 10' })).rows).toEqual([{ n: 1 }]);
});
