import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { Hex } from '../abi/words.ts';
import { deleteOldTips } from '../relay/spending/spending.ts';
import { addToFund, readFund } from './fund.ts';
import { deleteOldAttempts } from './store.ts';
import {
  type DueTopUp,
  endTopUp,
  noteGiven,
  readDueTopUps,
  requestTopUp,
  requeueTopUp,
} from './top-ups.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
afterEach(() => void vi.useRealTimers());

const chain = 'base-sepolia';
const projectId = randomUUID();

/** Asks for 10 wei for a new account of one owner, who gets no more than that in a day. */
async function ask(owner = 'x') {
  const address: Hex = `0x${randomUUID().replaceAll('-', '')}00000000`;
  const answer = await requestTopUp(
    database.store,
    { operationId: randomUUID(), projectId, owner, chain, address, neededWei: 10n },
    {
      budgets: { projectDayMaxMinor: 1_000n, ownerDayMaxMinor: 10n },
      operationMaxWei: 1_000n,
      dayMaxWei: 1_000n,
    },
  );
  return { answer, address };
}

/** As an executor gives it with this transaction. */
async function give(sendId: string, to: Hex): Promise<DueTopUp> {
  const due = await readDueTopUps(database.store, { chain, countMax: 10 });
  const topUp = due.find(({ address }) => address === to);
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
  const first = await ask();
  expect(first.answer).toBe('asked');
  const yesterday = await give('1', first.address);
  await database.store.query({
    text: `update evm_account_top_ups set created_at = created_at - interval '1 day'`,
  });
  vi.setSystemTime(now);
  const second = await ask();
  expect(second.answer).toBe('asked');
  const today = await give('2', second.address);
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

it.each([
  ['lands, fails and lands', [true, false, true], [10n, 0n, 10n]],
  ['fails, lands and fails', [false, true, false], [0n, 10n, 0n]],
])(
  'a gift that %s, as the chain is reorganised, is in the fund as it ended last, and is charged once',
  async (name, ends, funds) => {
    const { address } = await ask(name);
    const { valueWei } = await give('3', address);
    const payment = { to: address, valueWei, by: '0xexecutor 7' };
    // Each is told twice.
    for (const [index, succeeded] of ends.entries())
      for (const time of [1, 2]) {
        const ended = await database.store.transaction((tx) =>
          endTopUp(tx, { sendId: '3', chain, payment, succeeded }),
        );
        expect(ended !== undefined).toBe(index === 0 && time === 1);
        expect(await readFund(database.store, { chain, address })).toBe(funds[index]);
      }
    await database.store.query({
      text: 'delete from evm_account_top_ups where address = $1',
      values: [address],
    });
  },
);

it('a gift that failed before failures were marked is not taken out of the fund, told once more', async () => {
  const { address } = await ask('older');
  const { valueWei } = await give('4', address);
  const payment = { to: address, valueWei, by: '0xexecutor 8' };
  const end = (succeeded: boolean) =>
    database.store.transaction((tx) => endTopUp(tx, { sendId: '4', chain, payment, succeeded }));
  // The seal of a failure was that of a success.
  await end(true);
  await database.store.transaction((tx) => addToFund(tx, { chain, address }, -valueWei));
  await database.store.query({
    text: `update evm_account_top_ups set status = 'failed' where send_id = '4'`,
  });
  await end(false);
  expect(await readFund(database.store, { chain, address })).toBe(0n);
});

it('what is long over is forgotten, so many rows at a time, and nothing else', async () => {
  const { store } = database;
  const sql = (text: string) => store.query({ text });
  const account = 'long-over';
  await sql(
    `insert into evm_paying_accounts (chain, address, used_nonce) values ('c', '${account}', 3)`,
  );
  const attempt = (nr: number, nonce: number, days: number) =>
    sql(`insert into evm_account_attempts (hash, chain, address, nonce, operation_id, filler, raw, created_at)
      values ('h${nr}', 'c', '${account}', ${nonce}, gen_random_uuid(), false, '', now() - ${days} * interval '1 day')`);
  for (const [nr, [nonce, days]] of [
    [0, 8],
    [1, 8],
    [2, 9],
    [0, 1],
    [3, 9],
  ].entries())
    await attempt(nr, nonce!, days!);
  for (const [status, days] of [
    ['done', 8],
    ['failed', 8],
    ['failed', 9],
    ['done', 1],
    ['sent', 9],
  ])
    await sql(`insert into evm_account_top_ups (id, operation_id, project_id, owner, chain, address, value_wei, mac, status, created_at)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', 'c', '${account}', 1, '', '${status}', now() - ${days} * interval '1 day')`);
  await sql(
    `insert into evm_tips (chain, minute, tip_wei) select 'c', now() - days * interval '1 day', 1 from unnest(array[1, 8, 9, 10]) as days`,
  );
  const pieces = [];
  for (let round = 0; round < 3; round++)
    pieces.push([
      await deleteOldAttempts(store, { olderThanDays: 7, countMax: 2 }),
      await deleteOldTips(store, { olderThanDays: 7, countMax: 2 }),
    ]);
  expect(pieces).toEqual([
    [2, 2],
    [1, 1],
    [0, 0],
  ]);
  const left = async (what: string, from: string) =>
    (
      await store.query<{ left: string }>({
        text: `select ${what} as left from ${from} where chain = 'c' order by 1`,
      })
    ).rows.map((row) => row.left);
  expect(await left('hash', 'evm_account_attempts')).toEqual(['h3', 'h4']);
  expect(await left('status', 'evm_account_top_ups')).toEqual(['done', 'sent']);
  expect(await left('1', 'evm_tips')).toEqual([1]);
});
