import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/jobs/test-kit.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';
import type { Store } from '../../src/store/types.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * Somebody writes the queue of a relay, with the rights of the API, or as the owner of the
 * database.
 */

const chain = 'base-sepolia';
const friend = '0x000000000000000000000000000000000000bEEF';
let stack: Stack;
let api: Store;
let wallet: string;

beforeAll(async () => {
  stack = await startStack();
  api = createStore({ url: asRole(stack.ctx.config.database.url.reveal(), apiRole), poolSize: 1 });
  const created = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:thief',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  wallet = created.body.address;
  expect(
    (
      await stack.call('POST', `/v1-alpha2/wallets/${wallet}/balances`, {
        body: { amount: 10, token: 'usdxm', chain },
      })
    ).status,
  ).toBe(201);
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
});

const sql = async (text: string, ...values: unknown[]) =>
  (await stack.ctx.store.query<any>({ text, values })).rows;

async function aTransfer(): Promise<string> {
  const sent = await stack.call(
    'POST',
    `/2025-06-09/wallets/${wallet}/tokens/${chain}:usdxm/transfers`,
    {
      body: { recipient: friend, amount: '1' },
    },
  );
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)]);
  return sent.body.id;
}

/** The same operation, on the budget of somebody else. */
const copy = (db: Pick<Store, 'query'>, id: string, from: string, changed: object) =>
  db.query({
    text: `insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, subject, mac)
      select $1, r.project_id, o.chain, r.operation_hash, o.wallet, o.valid_until, o.gas_limit, o.batch_gas, o.item, r.owner, o.subject, o.mac
      from evm_operations o, jsonb_populate_record(o, $3::jsonb) r where o.operation_id = $2`,
    values: [id, from, JSON.stringify(changed)],
  });

describe('gas is charged to nobody else', () => {
  it('by an operation that the API’s role puts into the queue on another project’s budget', async () => {
    const honest = await aTransfer();
    await stack.waitForTransaction(wallet, honest);
    const victim = randomUUID();
    const hash = `0x${'ab'.repeat(32)}`;
    const forged = randomUUID();
    await copy(api, forged, honest, {
      project_id: victim,
      owner: 'userId:victim',
      operation_hash: hash,
    });
    // One that somebody hands over after it is through: the queue has looked at both.
    await stack.waitForTransaction(wallet, await aTransfer());
    await eventually('it was looked at', async () => {
      const [row] = await sql(
        `select status from evm_operations where operation_id = $1 and run_at > now() + interval '30 minutes'`,
        forged,
      );
      return row?.status === 'held';
    });
    expect(
      await sql('select send_id, told_status from evm_operations where operation_id = $1', forged),
    ).toEqual([{ send_id: null, told_status: null }]);
    expect(await sql('select 1 from evm_gas_spent where project_id = $1', victim)).toEqual([]);
  });

  it('by a copy of an operation that lands, under the same hash, nor is anybody told of it', async () => {
    const victim = randomUUID();
    const landing = await aTransfer();
    const forged = randomUUID();
    await copy(api, forged, landing, { project_id: victim, owner: 'userId:victim' });
    await stack.waitForTransaction(wallet, landing);
    expect(
      await sql('select told_status from evm_operations where operation_id = $1', forged),
    ).toEqual([{ told_status: null }]);
    expect(await sql('select 1 from evm_gas_spent where project_id = $1', victim)).toEqual([]);
  });

  it('by another project in the row of an operation: it is not sent, and the alarm names it', async () => {
    const victim = randomUUID();
    const alarms = rowMacMetrics().changed;
    await sql(`create function move_budget() returns trigger language plpgsql as
      $$ begin new.project_id = '${victim}'; return new; end $$`);
    await sql(
      'create trigger move_budget before insert on evm_operations for each row execute function move_budget()',
    );
    const moved = await aTransfer();
    await sql('drop trigger move_budget on evm_operations');
    await eventually('it was looked at', async () => {
      const [row] = await sql(
        `select 1 from evm_operations where operation_id = $1 and status = 'held' and claim_token is null`,
        moved,
      );
      return row !== undefined;
    });
    expect(await sql('select 1 from evm_gas_spent where project_id = $1', victim)).toEqual([]);
    expect(rowMacMetrics().changed).toBeGreaterThan(alarms);
  });
});

describe('durable nonces of Solana', () => {
  it('are taken and given back by the API’s role, and neither renamed nor given a value', async () => {
    for (const column of ['address', 'chain', 'fee_payer', 'seed', 'value', 'operation_id'])
      await expect(
        api.query({ text: `update solana_nonces set ${column} = ${column}` }),
      ).rejects.toThrow('permission denied');
    await api.query({ text: 'update solana_nonces set lease_until = lease_until' });
  });
});
