import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseLimits } from '../../src/areas/order-limits/order-limits.ts';
import { sealedLimitUsage, sealedLimitUses } from '../../src/areas/order-limits/sealed.ts';
import { readUsage } from '../../src/areas/order-limits/store.ts';
import { readFund, sealedFunds } from '../../src/chains/evm/account/fund.ts';
import { endTopUp, readDueTopUps, sealedTopUps } from '../../src/chains/evm/account/top-ups.ts';
import { claimDue } from '../../src/chains/family/late/queue.ts';
import { intents } from '../../src/chains/family/late/store.ts';
import { readBudgets } from '../../src/chains/family/spending/budgets.ts';
import type { FeeKind } from '../../src/chains/family/spending/fee-tables.ts';
import { sealedBudgets } from '../../src/chains/family/spending/sealed-budgets.ts';
import { solanaOperations } from '../../src/chains/solana/relay/queue/store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { acceptRow, findChanged, lookAtRow } from '../../src/store/accept-row.ts';
import { migrate } from '../../src/store/migrate.ts';
import { rowMacsOf } from '../../src/store/row-mac.ts';
import { migrationsFolder, startTestDatabase, type TestDatabase } from '../harness/database.ts';

/**
 * A database as the code left it that had the migrations up to 0024, with rows in each table that
 * the later ones touch, is brought up to this version.
 */

const lastBefore = '0024-treasury-operations.sql';
const chain = 'base-sepolia';
const [projectId, orderId, walletId] = [randomUUID(), randomUUID(), randomUUID()];
const owner = 'userId:ann';
const addressOf = (nr: number) => `0x${`${nr}`.repeat(40)}` as const;
const [fed, unfed, payee] = [addressOf(1), addressOf(2), addressOf(3)];
const ids = {
  queued: randomUUID(),
  sent: randomUUID(),
  done: randomUUID(),
  intent: randomUUID(),
  solana: randomUUID(),
  counter: randomUUID(),
};
const validUntil = new Date('2040-01-01T00:00:00Z');

let database: TestDatabase;
let before: ReadonlyMap<string, number>;
const sql = async (text: string, ...values: readonly unknown[]) =>
  (await database.store.query<Record<string, unknown>>({ text, values })).rows;

/** Puts a row into a table, with the seal that it had over these fields. */
async function put(table: string, row: object, sealedFields?: object, id = '') {
  const mac =
    sealedFields &&
    rowMacsOf(database.store).seal({ table, id, fields: sealedFields as Record<string, unknown> });
  const all = { ...row, ...(mac !== undefined && { mac }) };
  const columns = Object.keys(all);
  await sql(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    ...Object.values(all),
  );
}

async function putTopUp(id: string, address: string, more: object) {
  const operationId = randomUUID();
  await put(
    'evm_account_top_ups',
    {
      id,
      operation_id: operationId,
      project_id: projectId,
      owner,
      chain,
      address,
      value_wei: '10',
      ...more,
    },
    { operationId, projectId, owner, chain, address, valueWei: '10' },
    id,
  );
}

async function fill(): Promise<void> {
  await put('evm_paying_accounts', { chain, address: fed, fund_wei: '500', used_nonce: 3 });
  await put('evm_paying_accounts', { chain, address: unfed });
  await putTopUp(ids.queued, unfed, {});
  await putTopUp(ids.sent, payee, { status: 'sent', send_id: 7 });
  await putTopUp(ids.done, fed, { status: 'done', send_id: 6 });

  for (const [table, unit, of] of [
    ['evm_gas_budgets', 'wei', chain],
    ['fee_budgets', 'minor', 'sui'],
  ] as const) {
    const id = randomUUID();
    await put(
      table,
      {
        id,
        project_id: projectId,
        chain: of,
        [`project_day_${unit}`]: '70',
        [`owner_day_${unit}`]: null,
      },
      { projectId, chain: of, projectDay: '70', ownerDay: null },
      id,
    );
  }
  const day = new Date().toISOString().slice(0, 10);
  const spent = { day, project_id: projectId, owner };
  await put('evm_gas_spent', { ...spent, chain, spent_wei: '4' });
  await put('fee_spent', { ...spent, chain: 'sui', minor: '4' });
  await put('evm_spending', { chain, since: new Date(), spent_wei: '4' });
  await put('fee_spending', { chain: 'sui', since: new Date(), minor: '4' });

  const period = { project_id: projectId, subject: 'project', period: '2040-01' };
  const sealedPeriod = { projectId, subject: 'project', period: '2040-01', version: 1 };
  await put(
    'order_limit_usage',
    { ...period, id: ids.counter, used_cents: '900', updated_at: new Date(), version: 1 },
    { ...sealedPeriod, usedCents: '900', returned: Buffer.alloc(0) },
    ids.counter,
  );
  const use = randomUUID();
  await put(
    'order_limit_uses',
    { ...period, id: use, order_id: orderId, cents: '900', at: new Date(), version: 1 },
    { ...sealedPeriod, orderId, cents: '900' },
    use,
  );

  const operation = { to: addressOf(4), amount: '1' };
  const common = { subject: 'transaction', projectId, owner, costMax: '5', validUntil, walletId };
  const columns = {
    subject: 'transaction',
    project_id: projectId,
    owner,
    cost_max: '5',
    valid_until: validUntil,
    wallet_id: walletId,
  };
  await put(
    'operation_intents',
    { ...columns, operation_id: ids.intent, chain: 'sui', operation, refusals: 2 },
    { ...common, chain: 'sui', operation },
    ids.intent,
  );
  const [lease, message] = [randomUUID(), Buffer.of(1, 2)];
  const digest = Buffer.from(
    'a12871fee210fb8619291eaea194581cbd2531e4b23759d225f6806923f63222',
    'hex',
  );
  const ofSolana = { chain: 'solana-devnet', wallet: 'w', lease, signatures: {} };
  await put(
    'solana_operations',
    { ...columns, ...ofSolana, operation_id: ids.solana, message },
    { ...common, ...ofSolana, message: digest },
    ids.solana,
  );
}

async function countRows(): Promise<ReadonlyMap<string, number>> {
  const tables = await sql(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'schema_%'`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await sql(`select count(*)::int as count from ${name}`);
    counts.set(name as string, row!['count'] as number);
  }
  return counts;
}

beforeAll(async () => {
  database = await startTestDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'purser-upgrade-'));
  for (const name of await readdir(migrationsFolder))
    if (name <= lastBefore) await cp(join(migrationsFolder, name), join(folder, name));
  await migrate(database.store, folder);
  await rm(folder, { recursive: true });
  await fill();
  before = await countRows();
  await migrate(database.store, migrationsFolder);
});
afterAll(() => database?.close());

it('no row is lost, but what orders took of limits, which counts until its period is over', async () => {
  const after = await countRows();
  const lost = [...before].filter(([table, count]) => after.get(table) !== count);
  expect(lost).toEqual([['order_limit_uses', 1]]);
  const [usage] = await readUsage(database.store, {
    projectId,
    keys: [{ subject: 'project', period: '2040-01' }],
    now: new Date(),
  });
  expect(usage).toMatchObject({ usedCents: 900n });
  // The order ends unpaid: it has nothing to give back, and ends.
  await database.store.transaction((tx) => releaseLimits({ clock: systemClock }, tx, orderId));
});

it('every seal fits that did before, and of what had none the account stands still until an operator accepts it', async () => {
  const changed = [];
  const tables = [
    sealedFunds,
    sealedTopUps,
    ...sealedBudgets,
    sealedLimitUsage,
    sealedLimitUses,
    intents.sealed,
    solanaOperations.sealed,
  ];
  for await (const row of findChanged(database.store, tables)) changed.push(row);
  expect(changed).toMatchObject([
    { table: 'evm_paying_accounts', why: expect.stringContaining('carries no seal') },
  ]);
  const { id } = changed[0]!;
  await expect(readFund(database.store, { chain, address: fed })).rejects.toThrow(id);
  const { digest } = (await lookAtRow(database.store, sealedFunds, id))!;
  expect(await acceptRow(database.store, sealedFunds, { id, digest })).toBe(true);
  expect(await readFund(database.store, { chain, address: fed })).toBe(500n);
  expect(await readFund(database.store, { chain, address: unfed })).toBe(0n);
});

it('top-ups that were asked for are given, and those on their way are in the fund when they end', async () => {
  expect(await readDueTopUps(database.store, { chain, countMax: 10 })).toMatchObject([
    { id: ids.queued, address: unfed, valueWei: 10n },
  ]);
  const payment = { to: payee, valueWei: 10n, by: '0xexecutor 3' };
  const ended = await database.store.transaction((tx) =>
    endTopUp(tx, { sendId: '7', chain, payment, succeeded: true }),
  );
  expect(ended).toEqual({ projectId, owner });
  expect(await readFund(database.store, { chain, address: payee })).toBe(10n);
});

it.each<[FeeKind, string]>([
  ['gas', chain],
  ['fees', 'sui'],
])('the budget of %s that an operator set holds, and what was spent of it', async (kind, of) => {
  const [budget] = await readBudgets(database.store, {
    kind,
    chain: of,
    pairs: [{ projectId, owner }],
    bounds: { projectDayMaxMinor: 1_000n, ownerDayMaxMinor: 100n },
    open: [],
  });
  expect(budget).toMatchObject({ project: { max: 70n }, ownOwner: { max: 100n, spent: 4n } });
});

it('operations that wait go on, of each queue', async () => {
  const claim = { token: randomUUID(), forMs: 0, limit: 10, identify: () => 'none was sent' };
  expect(await claimDue(database.store, intents, { ...claim, chain: 'sui' })).toMatchObject([
    { operationId: ids.intent, costMax: 5n, refusals: 2, misses: 0, status: 'queued' },
  ]);
  expect(
    await claimDue(database.store, solanaOperations, { ...claim, chain: 'solana-devnet' }),
  ).toMatchObject([{ operationId: ids.solana, costMax: 5n, misses: 0, status: 'queued' }]);
});
