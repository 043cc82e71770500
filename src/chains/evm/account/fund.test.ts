import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { acceptRow, lookAtRow } from '../../../store/accept-row.ts';
import { rowMacMetrics } from '../../../store/row-mac.ts';
import type { Statement, Store } from '../../../store/types.ts';
import { addToFund, readFund, sealedFunds } from './fund.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
afterEach(() => void vi.useRealTimers());

const anAccount = () => ({
  chain: 'base-sepolia',
  address: `0x${randomUUID().replaceAll('-', '')}00000000`,
});
type Account = ReturnType<typeof anAccount>;

const add = (account: Account, wei: bigint) =>
  database.store.transaction((tx) => addToFund(tx, account, wei));
const read = (account: Account) => readFund(database.store, account);

async function sql(text: string, { address }: Account) {
  const { rows } = await database.store.query<Record<string, unknown>>({ text, values: [address] });
  return rows[0];
}
const rowOf = (account: Account) =>
  sql('select * from evm_paying_accounts where address = $1', account);

async function put(account: Account, row: Record<string, unknown>): Promise<void> {
  await sql('delete from evm_paying_accounts where address = $1', account);
  await database.store.query({
    text: 'insert into evm_paying_accounts select * from jsonb_populate_record(null::evm_paying_accounts, $1::jsonb)',
    values: [JSON.stringify(row)],
  });
}

describe('what an account holds for gas', () => {
  it('is believed where it goes on while it is read', async () => {
    const account = anAccount();
    await add(account, 5n);
    const { store } = database;
    const slow: Store = {
      ...store,
      async query<R>(statement: Statement) {
        const answer = await store.query<R>(statement);
        await add(account, 2n);
        return answer;
      },
    };
    const before = rowMacMetrics().changed;
    expect(await readFund(slow, account)).toBe(5n);
    expect(await read(account)).toBe(7n);
    expect(rowMacMetrics().changed).toBe(before);
  });

  it('is not put back after a month either, by a process that runs as long', async () => {
    const account = anAccount();
    const [start, day] = [Date.now(), 24 * 3_600_000];
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    await add(account, 5n);
    const before = await rowOf(account);
    vi.setSystemTime(start + 29 * day);
    await add(account, 7n);
    vi.setSystemTime(start + 31 * day);
    await put(account, before!);
    await expect(read(account)).rejects.toMatchObject({ code: 'internal-error' });
  });

  it.each([2_147_483_647, -2_147_483_648])(
    'stops its account alone, with an alarm, at a version of %s: what a block has is booked',
    async (version) => {
      const [account, other] = [anAccount(), anAccount()];
      await add(account, 5n);
      await put(account, { ...(await rowOf(account)), version });
      const before = rowMacMetrics().changed;
      await expect(read(account)).rejects.toMatchObject({ code: 'internal-error' });
      expect(rowMacMetrics().changed).toBe(before + 1);
      // As one transaction of an executor books what it gave to both.
      await database.store.transaction(async (tx) => {
        await addToFund(tx, account, 2n);
        await addToFund(tx, other, 3n);
      });
      expect(await read(other)).toBe(3n);
      await expect(read(account)).rejects.toMatchObject({ code: 'internal-error' });
    },
  );

  it.each(['9'.repeat(78), `-${'9'.repeat(78)}`])(
    'stops its account alone at a sum of %s, that no column takes more of',
    async (sum) => {
      const [account, other] = [anAccount(), anAccount()];
      await add(account, 5n);
      await put(account, { ...(await rowOf(account)), fund_wei: sum });
      await database.store.transaction(async (tx) => {
        await addToFund(tx, account, sum.startsWith('-') ? -2n : 2n);
        await addToFund(tx, other, 3n);
      });
      expect(await read(other)).toBe(3n);
      await expect(read(account)).rejects.toMatchObject({ code: 'internal-error' });
    },
  );

  it('counts again once an operator stands for it, in the processes that saw more of it too', async () => {
    const account = anAccount();
    await add(account, 5n);
    const before = await rowOf(account);
    for (const wei of [1n, 1n, 1n]) await add(account, wei);
    await put(account, before!);
    await expect(read(account)).rejects.toMatchObject({ code: 'internal-error' });
    await add(account, 4n);
    const id = String(before!['id']);
    const { digest, fits } = (await lookAtRow(database.store, sealedFunds, id))!;
    expect(fits).toBe(false);
    expect(await acceptRow(database.store, sealedFunds, { id, digest })).toBe(true);
    expect(await read(account)).toBe(9n);
    await add(account, -2n);
    expect(await read(account)).toBe(7n);
  });
});
