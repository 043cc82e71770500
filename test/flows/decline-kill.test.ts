/** @module-tag slow */

import { setTimeout as delay } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Anvil, prepareGenesis, startAnvil } from '../../devnet/index.ts';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import { createStore } from '../../src/store/pool.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import type { Store } from '../../src/store/types.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { sendCall } from '../harness/http.ts';
import { makeProductionSecrets, planMainNetwork } from '../harness/production.ts';
import {
  createProductionParts,
  type Part,
  type ProductionParts,
} from '../harness/production-parts.ts';

// The approval page's decline in real processes that are killed: before it is durable, and after.

const chain = 'base';
const secrets = makeProductionSecrets(1);
const owner = privateKeyToAccount(generatePrivateKey());
const { chainId, genesis } = planMainNetwork(chain, secrets, [owner.address]);
const friend = '0x00000000000000000000000000000000000F00D5';
const waitMaxMs = 60_000;

let database: TestDatabase;
let node: Anvil;
let key: string;
let api: Part;
let worker: Part | undefined;
let parts: ProductionParts;
const holders: Store[] = [];

beforeAll(async () => {
  database = await startTestDatabase({ poolSize: 4 });
  node = await startAnvil({ chainId, log: () => undefined });
  await prepareGenesis(node.url, genesis);
  parts = createProductionParts({
    databaseUrl: database.url,
    secrets,
    rpcUrls: { [chain]: node.url },
  });
  const config = loadConfig(parts.environment('purser'), { process: 'purser' });
  const store = { ...database.store, rowMacs: createRowMacs(config.keyEncryptionKeys) };
  const ctx = { store, clock: systemClock, ids: systemIds, config };
  const { id: projectId } = await createProject(ctx, { name: 'Shop' });
  ({ key } = await issueKey(ctx, { projectId, kind: 'server', scopes: scopesOf('server') }));
  await sql(`create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await sql(`create trigger wait_for_test before update on transactions for each row
    when (new.status = 'failed') execute function wait_for_test()`);
});
afterAll(async () => {
  await parts?.stop('SIGKILL');
  await Promise.all(holders.map((holder) => holder.close()));
  await node?.stop();
  await database?.close();
});
beforeEach(async () => {
  api = await parts.start('api');
});

const sql = async (text: string, ...values: unknown[]) =>
  (await database.store.query<Record<string, unknown>>({ text, values })).rows;

async function call(method: string, path: string, body?: object) {
  return sendCall(`${api.origin}/api${path}`, method, {
    key,
    ...(body === undefined ? {} : { body }),
  });
}

/** A transfer of a funded wallet that waits for its owner, and the link to its page. */
async function asked() {
  const created = await call('POST', '/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'smart',
    alias: `w${parts.ran.length}`,
    config: { adminSigner: { type: 'external-wallet', address: owner.address } },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { address } = created.body;
  await fetch(node.url, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'anvil_setBalance',
      params: [address, '0xde0b6b3a7640000'],
    }),
    headers: { 'content-type': 'application/json' },
  });
  const made = await call('POST', `/2025-06-09/wallets/${address}/tokens/${chain}:eth/transfers`, {
    recipient: friend,
    amount: '0.5',
  });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const path = `/2025-06-09/wallets/${address}/transactions/${made.body.id}`;
  const link = await call('POST', `${path}/approval-links`, {});
  expect([link.status, link.text]).toEqual([201, expect.any(String)]);
  const { pathname, hash } = new URL(link.body.url as string);
  const { message, signer } = made.body.approvals.pending[0];
  const approvals = [
    { signer: signer.locator, signature: await owner.signMessage({ message: { raw: message } }) },
  ];
  return {
    address,
    path,
    id: made.body.id as string,
    decline: () =>
      fetch(`${api.origin}${pathname}/api/decline`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${hash.slice(1)}`,
        },
        body: '{}',
      }),
    approve: () => call('POST', `${path}/approvals`, { approvals }),
  };
}

/** What waits for a lock in this database. */
async function untilWaiting(of: string): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(25)) {
    const waiting = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
      `%${of}%`,
    );
    if (waiting.length > 0) return;
    if (Date.now() > endAt) throw new Error(`nothing waits to ${of}`);
  }
}

/** Holds something until it is let go. */
async function hold(text: string): Promise<() => Promise<void>> {
  const holder = createStore({ url: database.url, poolSize: 1 });
  holders.push(holder);
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let isHeld: () => void = () => undefined;
  const got = new Promise<void>((resolve) => (isHeld = resolve));
  const whole = holder.transaction(async (tx) => {
    await tx.query({ text });
    isHeld();
    await held;
  });
  await got;
  return async () => {
    letGo();
    await whole;
  };
}

/** What the database still does for a process that is gone is over. */
async function untilOver(): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(25)) {
    const left = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike '%update transactions%' and state <> 'idle'`,
    );
    if (left.length === 0) return;
    if (Date.now() > endAt) throw new Error('it is still under way');
  }
}

/** Nothing of it runs, whoever approves now, and that it was declined is said once. */
async function expectDeclined({
  address,
  path,
  id,
  decline,
  approve,
}: Awaited<ReturnType<typeof asked>>) {
  expect((await call('GET', path)).body).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('declined') },
  });
  expect((await decline()).status).toBeGreaterThanOrEqual(400);
  expect((await approve()).status).toBeGreaterThanOrEqual(400);
  worker ??= await parts.start('worker');
  const activity = `/unstable/wallets/${address}/transfers?chain=${chain}&status=failed`;
  await expect
    .poll(async () => (await call('GET', activity)).body.data?.length, { timeout: waitMaxMs })
    .toBe(1);
  await delay(1_500);
  expect((await call('GET', activity)).body.data).toHaveLength(1);
  expect(await sql('select 1 from evm_operations where operation_id = $1', id)).toEqual([]);
  expect((await call('GET', path)).body.status).toBe('failed');
}

it('a decline whose process is killed before it is durable has not happened: declined again it ends, once', async () => {
  const one = await asked();
  const letGo = await hold('select pg_advisory_xact_lock(4711)');
  const lost = one.decline().catch(() => 'lost');
  await untilWaiting('update transactions');
  await api.process.stop('SIGKILL');
  expect(await lost).toBe('lost');
  await letGo();
  await untilOver();
  api = await parts.start('api');
  expect((await call('GET', one.path)).body).toMatchObject({ status: 'awaiting-approval' });
  expect((await one.decline()).status).toBe(201);
  await expectDeclined(one);
}, 180_000);

it('a decline whose process is killed before it could answer holds: it never runs, and is said once', async () => {
  const one = await asked();
  const letCommit = await hold('select pg_advisory_xact_lock(4711)');
  const lost = one.decline().catch(() => 'lost');
  await untilWaiting('update transactions');
  // Whoever reads after the commit waits.
  const readable = hold('lock table transactions in access exclusive mode');
  await untilWaiting('lock table transactions');
  await letCommit();
  const letRead = await readable;
  await untilWaiting('from transactions');
  await api.process.stop('SIGKILL');
  expect(await lost).toBe('lost');
  await letRead();
  api = await parts.start('api');
  await expectDeclined(one);
}, 180_000);
