import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptSealedRow, lookAtSealedRow } from '../../src/areas/sealed-rows.ts';
import {
  claimOperations,
  enqueueOperation,
  enqueueOperations,
  readExpired,
  reviveHeld,
} from '../../src/chains/evm/relay/queue/queue.ts';
import { claimDue, enqueue, readQueue } from '../../src/chains/family/late/queue.ts';
import { columnOf } from '../../src/chains/family/late/queue-table.ts';
import { intents } from '../../src/chains/family/late/store.ts';
import { solanaOperations } from '../../src/chains/solana/relay/queue/store.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import type { Store, Tx } from '../../src/store/types.ts';
import { testConfig } from '../harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { anEvmItem, common, identify, lateQueues } from './queue-items.ts';

/**
 * Rows of the relays' queues that somebody changed, in the stores that claim them: nothing of a
 * chain is needed to see them stand still.
 */
let database: TestDatabase;
let store: Store;
const alarms: { alarm?: string; table?: string; rowId?: string }[] = [];
beforeAll(async () => {
  database = await startTestDatabase();
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void alarms.push(JSON.parse(line)) },
  );
  const rowMacs = createRowMacs(testConfig().keyEncryptionKeys, log);
  const { query, transaction, close } = database.store;
  store = {
    rowMacs,
    query,
    close,
    transaction: (work) => transaction((tx) => work(Object.assign(tx, { rowMacs }))),
  };
});
afterAll(() => database?.close());

interface Queue {
  readonly table: string;
  add(tx: Tx, id: string): Promise<void>;
  /** @returns the ids of what is due */
  claim(): Promise<string[]>;
}

const queues: Queue[] = [
  {
    table: 'operation_intents',
    add: (tx, id) =>
      enqueue(tx, intents, [
        {
          ...common(id),
          chain: 'aptos-testnet',
          walletId: randomUUID(),
          operation: { to: '0x1' },
          costMax: 1n,
        },
      ]),
    claim: async () =>
      (
        await claimDue(store, intents, {
          chain: 'aptos-testnet',
          token: randomUUID(),
          forMs: 0,
          limit: 10,
          identify,
        })
      ).map(({ operationId }) => operationId),
  },
  {
    table: 'solana_operations',
    add: (tx, id) =>
      enqueue(tx, solanaOperations, [
        {
          ...common(id),
          chain: 'solana-devnet',
          wallet: 'w',
          lease: randomUUID(),
          message: new Uint8Array([1]),
          signatures: {},
          costMax: 1n,
          walletId: randomUUID(),
        },
      ]),
    claim: async () =>
      (
        await claimDue(store, solanaOperations, {
          chain: 'solana-devnet',
          token: randomUUID(),
          forMs: 0,
          limit: 10,
          identify,
        })
      ).map(({ operationId }) => operationId),
  },
  {
    table: 'evm_operations',
    add: (tx, id) => enqueueOperation(tx, anEvmItem(id)),
    claim: async () => {
      await reviveHeld(store, 'base-sepolia');
      const { operations } = await claimOperations(store, {
        chain: 'base-sepolia',
        countMax: 10,
        gasMax: 10n ** 12n,
        claimMs: 0,
      });
      return operations.map(({ operationId }) => operationId);
    },
  },
];

describe('who changes a row of a queue', () => {
  it.each(queues.map((queue) => [queue.table, queue] as const))(
    'of %s raises one alarm and has it stand still, until an operator accepts it as it is',
    async (table, { add, claim }) => {
      const id = randomUUID();
      await store.transaction((tx) => add(tx, id));
      expect(await claim()).toEqual([id]);
      await store.query({
        text: `update ${table} set owner = 'userId:thief' where operation_id = $1`,
        values: [id],
      });
      const looks: string[][] = [];
      for (let look = 0; look < 3; look++) {
        looks.push(await claim());
        // A day later, as far as whatever waits for a time is concerned.
        await store.query({
          text: `update ${table} set run_at = run_at - interval '1 day' where operation_id = $1`,
          values: [id],
        });
      }
      expect(looks).toEqual([[], [], []]);
      expect(alarms.filter(({ rowId }) => rowId === id)).toMatchObject([
        { alarm: 'row-changed', table },
      ]);
      const { digest } = (await lookAtSealedRow(store, table, id))!;
      expect(await acceptSealedRow(store, { table, id, digest })).toBe(true);
      expect(await claim()).toEqual([id]);
    },
  );
});

describe('who writes a queue of late signing', () => {
  it.each(lateQueues)(
    '%s: whichever column of a row he takes from another row, or all of them with its seal, it is not due any more',
    async (table, queue, itemOf) => {
      const types: Record<string, unknown> = queue.types;
      const columns = Object.keys(types)
        .map(columnOf)
        .filter((column) => column !== 'operation_id');
      const changes = [...columns.map((column) => [column]), [...columns, 'mac']];
      const from = itemOf(randomUUID(), {
        subject: 'other',
        owner: 'userId:bob',
        costMax: 8n,
        validUntil: new Date('2041-01-01'),
      });
      const items = changes.map(() => itemOf(randomUUID(), { chain: 'here' }));
      await store.transaction((tx) => enqueue(tx, queue, [from, ...items]));
      for (const [index, changed] of changes.entries()) {
        const sets = changed.map((column) => `${column} = f.${column}`).join(', ');
        const { rowCount } = await store.query({
          text: `update ${table} t set ${sets} from ${table} f where t.operation_id = $1 and f.operation_id = $2`,
          values: [items[index]!.operationId, from.operationId],
        });
        expect(rowCount).toBe(1);
      }
      const due = async (chain: string) =>
        (
          await claimDue(store, queue, {
            chain,
            token: randomUUID(),
            forMs: 0,
            limit: 100,
            identify,
          })
        ).map(({ operationId }) => operationId);
      expect([await due('here'), await due(from.chain)]).toEqual([[], [from.operationId]]);
      const told = new Set(alarms.filter((one) => one.table === table).map(({ rowId }) => rowId));
      expect(items.filter(({ operationId }) => !told.has(operationId))).toEqual([]);
    },
  );

  it.each(lateQueues)(
    '%s: one that was sent, of which he exchanges or empties the bytes, or exchanges their id, raises one alarm and waits for an operator',
    async (table, queue, itemOf) => {
      const chain = randomUUID();
      const [own, ...changed] = [1, 2, 3, 4].map(() => itemOf(randomUUID(), { chain }));
      await store.transaction((tx) => enqueue(tx, queue, [own!, ...changed]));
      await store.query({
        text: `update ${table} set status = 'sent', raw = convert_to(operation_id::text, 'utf8'), ${queue.txIdColumn} = operation_id::text
          where chain = $1`,
        values: [chain],
      });
      const sets = ['raw = $2', `${queue.txIdColumn} = 'other'`, `raw = ''`];
      for (const [index, set] of sets.entries())
        await store.query({
          text: `update ${table} set ${set} where operation_id = $1 and $2::bytea is not null`,
          values: [changed[index]!.operationId, Buffer.from('other')],
        });
      const looks: string[][] = [];
      for (let look = 0; look < 2; look++) {
        const claim = { chain, token: randomUUID(), forMs: 0, limit: 10, identify };
        looks.push((await claimDue(store, queue, claim)).map(({ operationId }) => operationId));
      }
      expect(looks).toEqual([[own!.operationId], [own!.operationId]]);
      const ids = changed.map(({ operationId }) => operationId);
      const told = alarms
        .filter(({ rowId }) => ids.includes(rowId ?? ''))
        .map(({ rowId }) => rowId);
      expect(told.toSorted()).toEqual(ids.toSorted());
    },
  );

  it.each(lateQueues)(
    '%s: an operation of which he deletes the row, or says that it has ended, is told to nobody, with no alarm',
    async (table, queue, itemOf) => {
      const chain = randomUUID();
      const items = [1, 2].map(() => itemOf(randomUUID(), { chain }));
      await store.transaction((tx) => enqueue(tx, queue, items));
      const before = alarms.length;
      const [deleted, settled] = items.map(({ operationId }) => operationId);
      await store.query({
        text: `delete from ${table} where operation_id = $1`,
        values: [deleted],
      });
      await store.query({
        text: `update ${table} set status = 'settled', told_status = 'success', settled_at = now() where operation_id = $1`,
        values: [settled],
      });
      expect(
        await claimDue(store, queue, { chain, token: randomUUID(), forMs: 0, limit: 10, identify }),
      ).toEqual([]);
      expect(await readQueue(store, queue, chain)).toMatchObject({ queued: 0, inFlight: 0 });
      expect(alarms.length).toBe(before);
    },
  );

  it('evm_operations: an operation of which he deletes the row, or says that it has ended, is told to nobody, with no alarm', async () => {
    const [deleted, settled] = [randomUUID(), randomUUID()];
    const chain = 'base-sepolia';
    const now = new Date('2041-01-01');
    await store.query({ text: 'delete from evm_operations' });
    await store.transaction((tx) => enqueueOperations(tx, [deleted, settled].map(anEvmItem)));
    const before = alarms.length;
    await store.query({
      text: 'delete from evm_operations where operation_id = $1',
      values: [deleted],
    });
    await store.query({
      text: `update evm_operations set status = 'settled', told_status = 'success', settled_at = now() where operation_id = $1`,
      values: [settled],
    });
    const { operations } = await claimOperations(store, {
      chain,
      countMax: 10,
      gasMax: 10n ** 9n,
      claimMs: 0,
    });
    const times = { serviceTime: now, chainTime: now };
    expect([operations, await readExpired(store, { chain, ...times, countMax: 10 })]).toEqual([
      [],
      [],
    ]);
    expect(alarms.length).toBe(before);
  });
});
