import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { publishOutcomes as publishOnSolana } from '../../solana/relay/queue/outcomes.ts';
import { publishOutcomes } from './outcomes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

it.each([
  ['of those that are signed when they are sent', publishOutcomes],
  ['on Solana', publishOnSolana],
])(
  'an operation %s whose row is gone when its end is written is told to nobody',
  async (_, publish) => {
    const told: unknown[] = [];
    const settle = async (_tx: unknown, outcomes: readonly unknown[]) =>
      void told.push(...outcomes);
    const deps = {
      store: database.store,
      chain: 'chain',
      kind: 'fees',
      network: {},
      settle,
      settleOperations: settle,
    };
    const operation = { operationId: randomUUID(), projectId: randomUUID(), owner: 'owner' };
    const outcome = {
      operationId: operation.operationId,
      subject: 'treasury-transfer',
      status: 'success',
      onChain: {},
      costMinor: 1n,
      at: new Date(),
    };
    const ended = { operation, intent: operation, outcome };
    await publish(deps as never, randomUUID(), [ended as never]);
    expect(told).toEqual([]);
  },
);
