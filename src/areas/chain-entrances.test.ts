import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import type { Ctx } from '../context.ts';
import type { Db, Tx } from '../store/types.ts';
import { chainEntrances } from './chain-entrances.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

/** The tables that are asked when an operation of this subject has ended. */
async function askedFor(subject: string): Promise<string[]> {
  const asked = new Set<string>();
  await database.store.transaction(async (tx) => {
    const counting: Tx = {
      ...tx,
      query: (statement) => {
        for (const table of statement.text.matchAll(
          /\b(?:from|update|join) (transactions|signatures|signer_changes|treasury_transfers)\b/g,
        ))
          asked.add(table[1]!);
        return (tx as Db).query(statement);
      },
    };
    const entrances = chainEntrances(
      { clock: { now: () => new Date() } } as Ctx,
      { chainType: 'evm', networks: [] } as never,
    );
    const operationId = randomUUID();
    await entrances.settleOperations(counting, [
      { operationId, subject, status: 'success', onChain: {}, at: new Date() },
    ]);
  });
  return [...asked].toSorted();
}

it.each([
  ['transaction', ['transactions']],
  ['treasury-transfer', ['treasury_transfers']],
  ['signer-change', ['signer_changes', 'transactions']],
  ['signer-signature', ['signatures', 'signer_changes']],
])(
  'the end of an operation for "%s" is told to whom it concerns, and to nobody else',
  async (subject, tables) => {
    expect(await askedFor(subject)).toEqual(tables);
  },
);

it('the end of an operation for something that nobody knows is refused, so that it is not lost', async () => {
  await expect(askedFor('constructor')).rejects.toThrow('is for "constructor", which is nothing');
});
