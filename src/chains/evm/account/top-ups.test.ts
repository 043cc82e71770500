import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { Hex } from '../abi/words.ts';
import { type DueTopUp, noteGiven, readDueTopUps, requestTopUp, requeueTopUp } from './top-ups.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
afterEach(() => void vi.useRealTimers());

const chain = 'base-sepolia';
const projectId = randomUUID();

/** Asks for 10 wei for a new account of one owner, who gets no more than that in a day. */
async function ask() {
  const address: Hex = `0x${randomUUID().replaceAll('-', '')}00000000`;
  const answer = await requestTopUp(
    database.store,
    { operationId: randomUUID(), projectId, owner: 'x', chain, address, neededWei: 10n },
    {
      budgets: { projectDayMaxMinor: 1_000n, ownerDayMaxMinor: 10n },
      operationMaxWei: 1_000n,
      dayMaxWei: 1_000n,
    },
  );
  return { answer, address };
}

/** As an executor gives it with this transaction. */
async function give(sendId: string): Promise<DueTopUp> {
  const [topUp] = await readDueTopUps(database.store, { chain, countMax: 1 });
  await database.store.query({
    text: `update evm_account_top_ups set status = 'sent', send_id = $1 where id = $2`,
    values: [sendId, topUp!.id],
  });
  noteGiven(database.store, topUp!);
  return topUp!;
}

it('what was given in vain counts no more on the day of the gift, and still on the next day', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now - 24 * 3_600_000 });
  expect(await ask()).toMatchObject({ answer: 'asked' });
  const yesterday = await give('1');
  await database.store.query({
    text: `update evm_account_top_ups set created_at = created_at - interval '1 day'`,
  });
  vi.setSystemTime(now);
  expect(await ask()).toMatchObject({ answer: 'asked' });
  const today = await give('2');
  // As somebody who has the owner's rows of today say nothing.
  await database.store.query({
    text: 'delete from evm_account_top_ups where id = $1',
    values: [today.id],
  });
  await database.store.transaction((tx) => requeueTopUp(tx, '1'));
  expect(await ask()).toMatchObject({ answer: { over: expect.stringContaining('10 of 10 wei') } });
  vi.setSystemTime(now - 24 * 3_600_000);
  await database.store.query({
    text: 'delete from evm_account_top_ups where id = $1',
    values: [yesterday.id],
  });
  expect(await ask()).toMatchObject({ answer: 'asked' });
});
