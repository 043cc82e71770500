import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { claimOperations, enqueueOperations, releaseOperations } from '../queue/queue.ts';
import { readBudgets } from './budgets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const chain = 'base-sepolia';
const projectId = randomUUID();
const owner = 'userId:of-two-workers';
const bounds = { projectDayMaxWei: 10n, ownerDayMaxWei: 10n } as Parameters<
  typeof readBudgets
>[1]['bounds'];

const claim = () =>
  claimOperations(database.store, { chain, countMax: 1, gasMax: 10n ** 12n, claimMs: 60_000 });

async function openGasFor(token: string) {
  const [budget] = await readBudgets(database.store, {
    chain,
    token,
    pairs: [{ projectId, owner }],
    bounds,
  });
  return [budget!.project.openGas, budget!.ownOwner.openGas];
}

it('an operation that another claim holds counts against the budget until it is given back', async () => {
  const items = [1, 2, 3].map(() => ({
    operationId: randomUUID(),
    subject: 'transaction',
    projectId,
    owner,
    chain,
    operationHash: `0x${randomUUID().replaceAll('-', '').repeat(2)}` as const,
    validUntil: new Date('2030-01-01'),
    gasLimit: 200_000n,
    op: {
      wallet: '0x00000000000000000000000000000000000000aa' as const,
      calls: [],
      nonce: 1n,
      epoch: 0n,
      validAfter: 0,
      validUntil: 1,
      callGas: 0n,
    },
    signature: '0x' as const,
    deployment: '0x' as const,
  }));
  await database.store.transaction((tx) => enqueueOperations(tx, items));
  const [one, other] = [await claim(), await claim()];
  expect(await openGasFor(one.token)).toEqual([200_000n, 200_000n]);
  expect(await openGasFor(other.token)).toEqual([200_000n, 200_000n]);
  const operationIds = other.operations.map(({ operationId }) => operationId);
  await releaseOperations(database.store, {
    token: other.token,
    operationIds,
    pauseMs: 60_000,
    unknown: false,
  });
  expect(await openGasFor(one.token)).toEqual([0n, 0n]);
});
