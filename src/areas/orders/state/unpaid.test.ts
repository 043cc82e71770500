import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrationsFolder } from '../../../config/folders.ts';
import {
  awaitsDeposit,
  awaitsDepositSql,
  expiredSql,
  isEnd,
  isExpired,
  orderStates,
  stateRow,
} from './states.ts';

const statesIn = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, state]) => state!).sort();
const statesWith = (holds: (row: { state: (typeof orderStates)[number] }) => boolean) =>
  orderStates.filter((state) => holds({ state })).sort();

it('statements name the states that the table does', () => {
  expect(statesIn(expiredSql)).toEqual(statesWith(isExpired));
  expect(statesIn(awaitsDepositSql)).toEqual(statesWith(awaitsDeposit));
});

it('the role of the API moves orders between the states in which nothing was paid, and a failed check, alone', () => {
  const sql = readFileSync(join(migrationsFolder(), '0016-orders.sql'), 'utf8');
  const [, unpaid] = /unpaid constant text\[\] := array\[([^\]]*)\]/.exec(sql)!;
  expect(statesIn(unpaid!)).toEqual(
    [...statesWith(({ state }) => stateRow(state).unpaid !== undefined), 'kyc_failed'].sort(),
  );
});

it('an end is the payer’s where nothing was paid, or it was given back', () => {
  expect(statesWith(({ state }) => isEnd(state) && stateRow(state).owner === 'payer')).toEqual([
    'kyc_failed',
    'payment_failed',
    'quote_expired',
    'refunded',
  ]);
});
