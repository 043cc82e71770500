import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '../../../test/harness/database.ts';
import { withoutIds } from '../../../test/harness/without-ids.ts';
import type { Worker } from '../../jobs/index.ts';
import { aUsAccount, startPayoutDatabase } from '../../providers/payout/test-kit.ts';
import { findPayout } from '../payouts/store.ts';
import {
  aPayoutWorker,
  aPayoutWorld,
  aVault,
  type PayoutWorld,
  pay,
  reached,
} from '../testing/payout-kit.ts';
import { payoutsCommand } from './payouts.ts';

const destinations = new Map(
  ['', '6002', '7999', '9003'].map((digits) => [digits || 'settles', aUsAccount(digits)]),
);
const missing = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let world: PayoutWorld;
let worker: Worker;

beforeAll(async () => {
  database = await startPayoutDatabase({ poolSize: 10 });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.store.query({
    text: 'truncate payouts, payout_notices, payout_approvals, flows, sandbox_bank_transfers, sandbox_bank_counterparties',
  });
  world = aPayoutWorld(database.store, aVault(destinations).vault);
  worker = aPayoutWorker(world.ctx);
  worker.start();
});
afterEach(() => worker.stop());

async function run(...argv: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await payoutsCommand(async () => world.ctx, {
    argv,
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join('\n') };
}
const days = (count: number) => count * 86_400_000;

async function anAbandoned(): Promise<string> {
  const { payoutId } = await pay(world.ctx, { to: '6002' });
  await reached(world.ctx, payoutId, 'unknown');
  world.clock.advance(days(30));
  await reached(world.ctx, payoutId, 'needs-operator');
  return payoutId;
}

test('lists payouts as a table and as JSON, by status', async () => {
  expect((await run('list')).text).toBe('No payouts.');
  const { payoutId } = await pay(world.ctx);
  await reached(world.ctx, payoutId, 'pending');
  expect((await run('list')).text).toMatch(
    new RegExp(`${payoutId} +pending +order:${payoutId} +ach +50000 usd +sandbox po_`),
  );
  expect(JSON.parse((await run('list', '--status', 'pending', '--json')).text)).toMatchObject([
    { payoutId, amountMinor: '50000' },
  ]);
  expect((await run('list', '--status', 'final')).text).toBe('No payouts.');
  await expect(run('list', '--status', 'paid')).rejects.toThrow('--status is one of accepted');
  await expect(run('list', '--limit', '0')).rejects.toThrow('1 to 500');
});

test('shows one with what was done for it and what comes next, and no number', async () => {
  const { payoutId } = await pay(world.ctx);
  await reached(world.ctx, payoutId, 'pending');
  const { text } = await run('show', payoutId);
  expect(text).toContain('status');
  expect(text).toMatch(/send +→ look at 2026-01-15T16:00/);
  expect(text).toContain('Goes on at 2026-01-15T16:00');
  expect(withoutIds(text)).not.toMatch(/7700/);
  await expect(run('show', missing)).rejects.toThrow('There is no payout');
  await expect(run('show')).rejects.toThrow('Name the payout by its id');
});

test('retries, marks and cancels only what may be, and asks to be sure', async () => {
  const id = await anAbandoned();
  await expect(run('mark', id, 'rejected')).rejects.toThrow('Ask the bank first');
  await expect(run('mark', id, 'paid', '--yes')).rejects.toThrow('settled, rejected or returned');
  await expect(run('mark', id, 'returned', '--code', 'account 123456789', '--yes')).rejects.toThrow(
    'as in R03',
  );
  await expect(run('cancel', id)).rejects.toThrow('--yes');
  await expect(run('cancel', id, '--yes')).rejects.toThrow('This one is needs-operator');
  expect((await run('retry', id)).text).toBe('It goes on, from unknown.');
  await reached(world.ctx, id, 'needs-operator');
  expect(
    (await run('mark', id, 'returned', '--code', 'R03', '--reference', 'bank-7', '--yes')).text,
  ).toBe('It is returned.');
  expect(await findPayout(database.store, id)).toMatchObject({
    status: 'returned',
    code: 'R03',
    bankReference: 'bank-7',
  });
  await expect(run('retry', id)).rejects.toThrow('This one is returned');
  await expect(run('retry', missing)).rejects.toThrow('There is no payout');
});

test('compares with the bank’s books, and names a planted difference', async () => {
  const paid = await pay(world.ctx, { rail: 'rtp' });
  const other = await pay(world.ctx, { to: '9003' });
  await reached(world.ctx, paid.payoutId, 'pending');
  await reached(world.ctx, other.payoutId, 'pending');
  world.clock.advance(60_000);
  await reached(world.ctx, paid.payoutId, 'final');
  expect(await run('compare')).toEqual({ code: 0, text: '2 payouts compared: the books agree.' });

  const plant = (text: string) =>
    database.store.query({ text, values: [`purser-${paid.payoutId}`] });
  await plant('update sandbox_bank_transfers set amount_minor = amount_minor + 1 where key = $1');
  expect(await run('compare')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/amount +sandbox +\S+ +po_\S+ +50000 usd +50001 usd/),
  });
  await plant('update sandbox_bank_transfers set amount_minor = amount_minor - 1 where key = $1');

  await plant(`update payouts set status = 'rejected' where bank_key = $1`);
  expect((await run('compare')).text).toMatch(/status .* rejected +final/);
  await plant(`update payouts set status = 'final' where bank_key = $1`);

  await plant(`update sandbox_bank_transfers set key = 'elsewhere' where key = $1`);
  expect((await run('compare')).text).toMatch(
    new RegExp(`missing-there +sandbox +${paid.payoutId}`),
  );
  await plant(
    `update sandbox_bank_transfers set key = 'purser-${missing}' where key = 'elsewhere' and $1::text is not null`,
  );
  const { text } = await run('compare', '--since', '1d', '--json');
  expect(
    (JSON.parse(text) as { differences: { kind: string }[] }).differences
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['missing-there', 'unknown-here']);
});

test('says how it is used, and refuses what it does not know', async () => {
  expect((await run('--help')).text).toContain('purser payouts retry <id>');
  await expect(run('pay', missing)).rejects.toThrow('Unknown command "payouts pay');
});
