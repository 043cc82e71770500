import fc from 'fast-check';
import { type Address, encodeFunctionData, encodeFunctionResult, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { batchExecutorAbi } from '../../../../../contracts/index.ts';
import {
  batchGas,
  calldataFloorGas,
  decodeBatchResult,
  encodeBatch,
  encodeItem,
  itemGas,
  itemsGasMax,
} from './batch.ts';
import { splitByWeight } from './outcomes.ts';

const hex = (minLength: number, maxLength: number) =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const address: fc.Arbitrary<Address> = hex(20, 20);
const call = fc.record({
  to: address,
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: hex(0, 100),
});
const item = fc.record({
  op: fc.record({
    wallet: address,
    calls: fc.array(call, { maxLength: 4 }),
    nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    epoch: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    validAfter: fc.integer({ min: 0, max: 2 ** 40 }),
    validUntil: fc.integer({ min: 0, max: 2 ** 40 }),
    callGas: fc.bigInt({ min: 0n, max: 2n ** 30n }),
  }),
  signature: hex(0, 200),
  deployment: hex(0, 300),
  gasLimit: fc.bigInt({ min: 0n, max: 2n ** 30n }),
});

const nothing = { gasLimit: 0n, callCount: 0 };

describe('a batch', () => {
  it('is encoded as the generic encoder does', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const expected = encodeFunctionData({
          abi: batchExecutorAbi,
          functionName: 'executeBatch',
          args: [items],
        });
        expect(`0x${encodeBatch(items.map((one) => encodeItem(one))).toString('hex')}`).toBe(
          expected,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('has its results read in order', () => {
    const results = [
      { executed: true, success: false, returnData: '0xab', gasUsed: 5n },
      { executed: false, success: false, returnData: '0x', gasUsed: 7n },
    ] as const;
    expect(
      decodeBatchResult(
        encodeFunctionResult({
          abi: batchExecutorAbi,
          functionName: 'executeBatch',
          result: results,
        }),
      ),
    ).toEqual(results);
  });

  it('of as much gas as one may have stays within 2^24 and within the block', () => {
    const cap = 200_000n;
    for (const blockGas of [30_000_000n, 36_000_000n, 8_000_000n, 300_000_000n]) {
      const items = itemsGasMax(blockGas);
      expect(batchGas(items, cap)).toBeLessThanOrEqual(16_777_216n);
      expect(batchGas(items, cap)).toBeLessThan(blockGas);
    }
  });

  it('counts calldata: a zero byte 4, another 16', () => {
    const empty = itemGas(Buffer.alloc(0), nothing);
    expect(itemGas(Buffer.of(0, 0, 1), nothing) - empty).toBe(4n + 4n + 16n + 3n);
  });

  it('always has the gas that nodes ask for its calldata (EIP-7623): 10 for a zero byte, 40 for another', () => {
    expect(calldataFloorGas(Buffer.of(0, 0, 1))).toBe(10n + 10n + 40n);
    const bulky = fc.record({
      item,
      byteCount: fc.integer({ min: 0, max: 98_304 }),
      byte: fc.constantFrom('00', 'ff'),
    });
    fc.assert(
      fc.property(fc.array(bulky, { minLength: 1, maxLength: 6 }), (shapes) => {
        const encoded = shapes.map((shape) =>
          encodeItem({
            ...shape.item,
            gasLimit: 150_000n,
            op: {
              ...shape.item.op,
              calls: [
                {
                  to: `0x${'aa'.repeat(20)}`,
                  value: 0n,
                  data: `0x${shape.byte.repeat(shape.byteCount)}`,
                },
              ],
            },
          }),
        );
        const gasLimit = batchGas(
          encoded.reduce(
            (sum, one) => sum + itemGas(one, { gasLimit: 150_000n, callCount: 1 }),
            0n,
          ),
          150_000n,
        );
        expect(gasLimit).toBeGreaterThanOrEqual(21_000n + calldataFloorGas(encodeBatch(encoded)));
      }),
      { numRuns: 30 },
    );
  });
});

describe('splitting a fee', () => {
  it('gives every wei to somebody, in proportion', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 70n }),
        fc.array(fc.bigInt({ min: 1n, max: 2n ** 24n }), { minLength: 1, maxLength: 50 }),
        (total, weights) => {
          const shares = splitByWeight(total, weights);
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
          const weightSum = weights.reduce((sum, weight) => sum + weight, 0n);
          shares.forEach((share, index) => {
            const exact = (total * weights[index]!) / weightSum;
            expect(
              share - exact <= BigInt(weights.length) && exact - share <= BigInt(weights.length),
            ).toBe(true);
          });
        },
      ),
    );
  });
});
