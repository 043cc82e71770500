import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../contracts/index.ts';
import type { Hex } from '../../src/chains/evm/abi/words.ts';
import { hashOperation } from '../../src/chains/evm/operation/operation.ts';
import { encodeItem } from '../../src/chains/evm/relay/queue/batch.ts';
import { enqueueOperation } from '../../src/chains/evm/relay/queue/queue.ts';
import { readBudgets as readGas } from '../../src/chains/evm/relay/spending/budgets.ts';
import { findTransferCalls } from '../../src/chains/evm/watcher/memos.ts';
import {
  selectOperationIds as selectEvmIds,
  selectOperationItems,
} from '../../src/chains/evm/watcher/store.ts';
import {
  claimDue,
  enqueue,
  selectOpenCosts,
  selectOperationIds,
} from '../../src/chains/family/late/queue.ts';
import { columnOf } from '../../src/chains/family/late/queue-table.ts';
import { intents } from '../../src/chains/family/late/store.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import type { Store } from '../../src/store/types.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { anEvmItem, identify, lateItems, lateQueues } from './queue-items.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await startTestDatabase();
  store = database.store;
});
afterAll(() => database?.close());

describe('who puts rows into a queue, as the API’s role may', () => {
  const projectId = randomUUID();
  const owner = 'userId:ann';
  let api: Store;
  beforeAll(() => {
    api = createStore({ url: asRole(database.url, apiRole), poolSize: 1 });
  });
  afterAll(() => api?.close());

  it.each(lateQueues)(
    'takes nothing from what is under way in %s, with costs below nothing',
    async (table, queue, itemOf) => {
      const chain = randomUUID();
      const item = itemOf(randomUUID(), { chain, projectId, owner });
      await store.transaction((tx) => enqueue(tx, queue, [item]));
      const claim = { chain, token: randomUUID(), forMs: 60_000, limit: 10, identify };
      await claimDue(store, queue, claim);
      const columns = Object.keys(queue.types)
        .map(columnOf)
        .filter((column) => !['operation_id', 'cost_max'].includes(column))
        .join(', ');
      await api.query({
        text: `insert into ${table} (operation_id, cost_max, mac, status, ${queue.txIdColumn}, raw, run_at, ${columns})
        select gen_random_uuid(), -1000000, '', 'sent', 'x', '', 'infinity', ${columns} from ${table} where operation_id = $1`,
        values: [item.operationId],
      });
      expect(
        await selectOpenCosts(store, queue, {
          chain,
          token: randomUUID(),
          projectIds: [projectId],
        }),
      ).toEqual([{ projectId, owner, minor: 7n }]);
    },
  );

  it('has nobody take what stands in a block for an operation of the service, as a transfer of a treasury that would be sent again', async () => {
    const victim = randomUUID();
    const hash = `0x${randomUUID().replaceAll('-', '').repeat(2)}`;
    const own = randomUUID();
    await store.transaction((tx) => enqueueOperation(tx, anEvmItem(own)));
    await api.query({
      text: `insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, subject, mac, status)
        select $2, project_id, chain, $3, wallet, valid_until, gas_limit, batch_gas, item, owner, subject, mac, 'settled' from evm_operations where operation_id = $1`,
      values: [own, victim, hash],
    });
    for (const [table, queue, itemOf] of lateQueues) {
      const item = itemOf(randomUUID(), { chain: 'base-sepolia' });
      await store.transaction((tx) => enqueue(tx, queue, [item]));
      const columns = Object.keys(queue.types)
        .map(columnOf)
        .filter((column) => column !== 'operation_id')
        .join(', ');
      await api.query({
        text: `insert into ${table} (operation_id, ${queue.txIdColumn}, mac, status, ${columns})
          select gen_random_uuid(), $2, mac, 'settled', ${columns} from ${table} where operation_id = $1`,
        values: [item.operationId, hash],
      });
      expect(await selectOperationIds(store, queue, 'base-sepolia', [hash])).toEqual(new Map());
    }
    expect(await selectEvmIds(store, 'base-sepolia', [hash])).toEqual(new Map());
    // Whoever has the keys that seal as well: not under the id of another operation.
    const copy = lateItems.operation_intents(own, { chain: 'base-sepolia' });
    await store.transaction((tx) => enqueue(tx, intents, [copy]));
    await store.query({
      text: `update operation_intents set tx_id = $2, status = 'settled' where operation_id = $1`,
      values: [own, hash],
    });
    expect(await selectOperationIds(store, intents, 'base-sepolia', [hash])).toEqual(
      new Map([[hash, own]]),
    );
    expect(await selectEvmIds(store, 'base-sepolia', [hash])).toEqual(new Map());
    expect(await selectEvmIds(store, 'base-sepolia', [`0x${'1'.repeat(64)}`])).not.toEqual(
      new Map(),
    );
  });

  it.each(['operation_intents', 'solana_operations', 'evm_operations'] as const)(
    'has nobody take a row of his in %s, with a seal or none, for the operation that is handed over under its id',
    async (table) => {
      const add = (id: string, more: object) =>
        store.transaction((tx) =>
          table === 'evm_operations'
            ? enqueueOperation(tx, { ...anEvmItem(id), ...more })
            : enqueue(tx, queueOf(table), [lateItems[table](id, { ...more, chain: 'c' })]),
        );
      const id = randomUUID();
      await add(id, { projectId });
      await expect(add(id, { projectId: randomUUID() })).rejects.toThrow(id);
      const unsealed = randomUUID();
      const columns = columnsOf(table);
      await api.query({
        text: `insert into ${table} (operation_id, mac, ${columns}) select $2, '', ${columns} from ${table} where operation_id = $1`,
        values: [id, unsealed],
      });
      await expect(add(unsealed, { projectId })).rejects.toThrow(unsealed);
    },
  );

  const queueOf = (table: string) => lateQueues.find(([name]) => name === table)![1];
  /** All that an operation is added with, but its id and its seal. */
  const columnsOf = (table: string) =>
    table === 'evm_operations'
      ? 'project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, subject'
      : Object.keys(queueOf(table).types)
          .map(columnOf)
          .filter((column) => column !== 'operation_id')
          .join(', ');

  it('has no memo read from it that the payer did not write', async () => {
    const transfer = (memo: string): Hex =>
      `0xa9059cbb${'0'.repeat(24)}${'a1'.repeat(20)}${'7'.padStart(64, '0')}${memo}`;
    const [mine, theirs] = ['1', '2'].map((digit) => digit.repeat(64));
    const operationOf = (memo: string): Operation => ({
      wallet: `0x${'a'.repeat(40)}`,
      calls: [{ to: `0x${'c1'.repeat(20)}`, value: 0n, data: transfer(memo) }],
      nonce: 5n,
      epoch: 0n,
      validAfter: 0,
      validUntil: 2_000_000_000,
      callGas: 9n,
    });
    const itemOf = (op: Operation) =>
      encodeItem({ op, signature: '0x', deployment: '0x', gasLimit: 1n });
    const [honest, forged] = [itemOf(operationOf(theirs!)), itemOf(operationOf(mine!))];
    const chainId = 84_532;
    const memosOf = async (item: Buffer) => {
      const hash = hashOperation(chainId, { ...operationOf(theirs!), nonce: 5n });
      await store.query({
        text: 'delete from evm_operations where operation_hash = $1',
        values: [hash],
      });
      await api.query({
        text: `insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, subject, mac, status)
          values (gen_random_uuid(), gen_random_uuid(), 'base-sepolia', $1, $2, now(), 1, 1, $3, '', '', '', 'settled')`,
        values: [hash, operationOf(theirs!).wallet, item],
      });
      const items = await selectOperationItems(store, { chain: 'base-sepolia', chainId }, [hash]);
      const found = findTransferCalls(Buffer.from(items.get(hash)?.slice(2) ?? '', 'hex'), {
        recipient: `0x${'a1'.repeat(20)}`,
        amountMinor: 7n,
      });
      return found.map(({ memo }) => memo);
    };
    expect(await memosOf(honest)).toEqual([`0x${theirs}`]);
    expect(await memosOf(forged)).toEqual([]);
    expect(await memosOf(Buffer.concat([forged, honest]))).toEqual([`0x${theirs}`]);
  });

  it('takes nothing from what is under way in evm_operations, with costs below nothing', async () => {
    const id = randomUUID();
    await store.transaction((tx) => enqueueOperation(tx, anEvmItem(id)));
    await store.query({
      text: 'update evm_operations set project_id = $2 where operation_id = $1',
      values: [id, projectId],
    });
    for (const gas of [200_000, -9_000_000])
      await api.query({
        text: `insert into evm_operations (operation_id, project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, owner, subject, mac, status, run_at, claim_token)
          select gen_random_uuid(), project_id, chain, operation_hash, wallet, valid_until, $2, batch_gas, item, owner, subject, mac, 'held', now() + interval '1 hour', gen_random_uuid()
          from evm_operations where operation_id = $1`,
        values: [id, gas],
      });
    const bounds = { projectDayMaxWei: 10n, ownerDayMaxWei: 10n } as Parameters<
      typeof readGas
    >[1]['bounds'];
    const pairs = [{ projectId, owner }];
    const [budget] = await readGas(store, {
      chain: 'base-sepolia',
      token: randomUUID(),
      pairs,
      bounds,
    });
    expect(budget!.project.openGas).toBe(200_000n);
  });
});
