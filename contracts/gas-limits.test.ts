import fc from 'fast-check';
import { type Address, encodeFunctionData, type Hex, size } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, batchGasLimit, itemGasLimit, type Operation, safeAbi } from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  batchData,
  executeBatch,
  readExecuted,
  recipient,
  sign,
  simulate,
  startTestChain,
  type TestChain,
} from './test/chain.ts';
import { aHostile } from './test/hostile.ts';

let chain: TestChain;
let gasEater: Address;
beforeAll(async () => {
  chain = await startTestChain();
  gasEater = await aHostile(chain, 'eatGas');
});
afterAll(() => chain.stop());

const handlerCall = encodeFunctionData({
  abi: safeAbi,
  functionName: 'setFallbackHandler',
  args: [addresses.signatureHandler],
});
const dataOf = (bytes: number): Hex => `0x${'ab'.repeat(bytes)}`;

/**
 * Owners, threshold, bytes of each call's data, whether the wallet is deployed, whether the last
 * call eats its gas, one manages the wallet.
 */
const anItemShape = fc.record({
  owners: fc.integer({ min: 1, max: 5 }),
  threshold: fc.integer({ min: 1, max: 5 }),
  calls: fc.array(fc.constantFrom(0, 4, 68, 1_000, 10_000), { maxLength: 6 }),
  deployed: fc.boolean(),
  eatsGas: fc.boolean(),
  manages: fc.boolean(),
  scheme: fc.constantFrom('eip712' as const, 'eip191' as const),
});

test('the limits we compute suffice for operations of all shapes, alone and together', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anItemShape, { minLength: 1, maxLength: 4 }), async (shapes) => {
      const items = [];
      for (const shape of shapes) items.push(await makeItem(shape));
      const { status, receipt } = await executeBatch(
        chain,
        items,
        batchGasLimit(items, batchData(items)),
      );
      expect(status).toBe('success');
      expect(readExecuted(receipt).map(({ success }) => success)).toEqual(
        shapes.map(({ eatsGas }) => !eatsGas),
      );
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

async function makeItem(shape: {
  owners: number;
  threshold: number;
  calls: number[];
  deployed: boolean;
  eatsGas: boolean;
  manages: boolean;
  scheme: 'eip712' | 'eip191';
}) {
  const owners = Array.from({ length: shape.owners }, (_, index) => anAccount(`limit ${index}`));
  const threshold = BigInt(Math.min(shape.threshold, shape.owners));
  const wallet = await aWallet(chain, { owners, threshold, deployed: shape.deployed });
  const calls: Operation['calls'] = [
    ...shape.calls.map((bytes) => ({ to: recipient, value: 0n, data: dataOf(bytes) })),
    ...(shape.manages ? [{ to: wallet.address, value: 0n, data: handlerCall }] : []),
    ...(shape.eatsGas ? [{ to: gasEater, value: 0n, data: '0x' as const }] : []),
  ];
  const deployment = shape.deployed ? '0x' : wallet.deployment;
  const { gasUsed } = shape.eatsGas
    ? { gasUsed: 200_000n }
    : await simulate(chain, anOperation(chain, wallet, { calls, callGas: 0n }), deployment);
  const op = anOperation(chain, wallet, { calls, callGas: (gasUsed * 11n) / 10n });
  const signature = await sign(chain, wallet, op, { scheme: shape.scheme });
  return { op, signature, deployment, gasLimit: itemGasLimit({ op, signature, deployment }) };
}

test('the limits are bounds, not fantasies: an item gets less than twice what it needs', async () => {
  const wallet = await aWallet(chain, { deployed: true });
  const op = anOperation(chain, wallet, { callGas: 60_000n });
  const item = {
    op,
    signature: await sign(chain, wallet, op),
    deployment: '0x' as const,
    gasLimit: 0n,
  };
  const gasLimit = itemGasLimit(item);
  const { receipt } = await executeBatch(chain, [{ ...item, gasLimit }]);
  expect(size(batchData([item]))).toBeGreaterThan(0);
  expect(gasLimit).toBeLessThan(receipt.gasUsed * 2n);
});
