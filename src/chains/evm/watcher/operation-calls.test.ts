import fc from 'fast-check';
import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, padHex } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  batchExecutorAbi,
  hashOperation,
  type Operation,
  walletModuleAbi,
} from '../../../../contracts/index.ts';
import { findPayingCalls, readInput } from './operation-calls.ts';

const chainId = 84532;
const wallet = '0x00000000000000000000000000000000000000a1';
const payee = '0x00000000000000000000000000000000000000b1';

function anOperation(overrides: Partial<Operation> = {}): Operation {
  return {
    wallet,
    calls: [{ to: payee, value: 5n, data: '0x' }],
    nonce: 1n,
    epoch: 0n,
    validAfter: 0,
    validUntil: 2 ** 40,
    callGas: 100_000n,
    ...overrides,
  };
}

const execute = (op: Operation) =>
  encodeFunctionData({ abi: walletModuleAbi, functionName: 'execute', args: [op, '0x1234'] });
const batch = (...ops: Operation[]) =>
  encodeFunctionData({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    args: [
      ops.map((op) => ({ op, signature: '0xabcd' as Hex, deployment: '0x' as Hex, gasLimit: 1n })),
    ],
  });

function find(input: string, ...ops: Operation[]) {
  return findPayingCalls(readInput(input), {
    chainId,
    wallet,
    operationHashes: new Set(ops.map((op) => hashOperation(chainId, op))),
  });
}
const expected = (...ops: Operation[]) =>
  new Map(
    ops.map((op) => [
      hashOperation(chainId, op),
      op.calls
        .filter((call) => call.value > 0n)
        .map((call) => ({ to: call.to, valueWei: call.value, data: call.data })),
    ]),
  );

describe('the paying calls of an operation', () => {
  it('are found in a direct call, in a batch, and nested in the call of any other contract', () => {
    const op = anOperation();
    expect(find(execute(op), op)).toEqual(expected(op));
    expect(find(batch(anOperation({ nonce: 2n }), op), op)).toEqual(expected(op));
    const nested = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'forward',
          stateMutability: 'payable',
          inputs: [{ type: 'bytes' }],
          outputs: [],
        },
      ],
      args: [execute(op)],
    });
    expect(find(nested, op)).toEqual(expected(op));
  });

  it('are found for whatever operations a batch may have', () => {
    const bytes = fc
      .uint8Array({ maxLength: 100 })
      .map((data): Hex => `0x${Buffer.from(data).toString('hex')}`);
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((data): Hex => `0x${Buffer.from(data).toString('hex')}`);
    const call = fc.record({
      to: fc.oneof(address, fc.constant<Hex>(wallet)),
      value: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
      data: fc.oneof(bytes, fc.constant(padHex(wallet, { size: 32 }))),
    });
    const operation = fc.record({
      wallet: fc.constant<Hex>(wallet),
      calls: fc.array(call, { maxLength: 5 }),
      nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      epoch: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      validAfter: fc.nat(),
      validUntil: fc.nat(),
      callGas: fc.bigInt({ min: 0n, max: 2n ** 64n }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(operation, { minLength: 1, maxLength: 5, selector: (op) => op.nonce }),
        (ops) => {
          expect(find(batch(...ops), ...ops)).toEqual(expected(...ops));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are not taken from an operation that did not run, nor from text that only looks like one', () => {
    const [ran, other] = [
      anOperation(),
      anOperation({ nonce: 9n, calls: [{ to: payee, value: 77n, data: '0x' }] }),
    ];
    expect(find(batch(other), ran)).toEqual(new Map());
    const lookalike = concatHex([
      '0x12345678',
      padHex(wallet, { size: 32 }),
      padHex('0xe0', { size: 32 }),
      padHex('0xffffffff', { size: 32 }),
    ]);
    expect(find(lookalike, ran)).toEqual(new Map());
    expect(find(concatHex([lookalike, execute(ran)]), ran)).toEqual(expected(ran));
  });

  it('never fail, whatever the input is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constant(padHex(wallet, { size: 32 })),
            fc.constant(padHex('0xe0', { size: 32 })),
            fc
              .bigInt({ min: 0n, max: 2n ** 256n - 1n })
              .map((value) => padHex(`0x${value.toString(16)}`, { size: 32 })),
          ),
          { maxLength: 30 },
        ),
        (words) => {
          expect(find(concatHex(words), anOperation()).size).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are missing for an operation in an odd encoding, which its own copy then tells', () => {
    const op = anOperation();
    const odd = execute(op).replace('e0'.padStart(64, '0'), '0100'.padStart(64, '0'));
    expect(find(odd, op)).toEqual(new Map());
    const item = encodeAbiParameters(
      [
        {
          type: 'tuple',
          components: (
            batchExecutorAbi.find(
              (entry) => entry.type === 'function' && entry.name === 'executeBatch',
            )!.inputs[0] as {
              components: readonly { type: string; name: string }[];
            }
          ).components,
        },
      ],
      [{ op, signature: '0xabcd', deployment: '0x', gasLimit: 1n } as never],
    );
    expect(find(item, op)).toEqual(expected(op));
  });
});
