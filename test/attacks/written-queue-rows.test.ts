import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptSealedRow, lookAtSealedRow } from '../../src/areas/sealed-rows.ts';
import {
  claimOperations,
  enqueueOperation,
  reviveHeld,
} from '../../src/chains/evm/relay/queue/queue.ts';
import { claimDue, enqueue } from '../../src/chains/family/late/queue.ts';
import { intents } from '../../src/chains/family/late/store.ts';
import { solanaOperations } from '../../src/chains/solana/relay/queue/store.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import type { Store, Tx } from '../../src/store/types.ts';
import { testConfig } from '../harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';

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

const common = (operationId: string) => ({
  operationId,
  subject: 'transaction',
  projectId: randomUUID(),
  owner: 'userId:ann',
  validUntil: new Date('2040-01-01'),
});

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
        })
      ).map(({ operationId }) => operationId),
  },
  {
    table: 'evm_operations',
    add: (tx, id) =>
      enqueueOperation(tx, {
        ...common(id),
        chain: 'base-sepolia',
        operationHash: `0x${'1'.repeat(64)}`,
        gasLimit: 200_000n,
        op: {
          wallet: `0x${'a'.repeat(40)}`,
          calls: [],
          nonce: 1n,
          epoch: 0n,
          validAfter: 0,
          validUntil: 1,
          callGas: 0n,
        },
        signature: '0x',
        deployment: '0x',
      }),
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
