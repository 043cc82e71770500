import fc from 'fast-check';
import { type Address, encodeFunctionData, getAddress, type Hex, isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  hashOperation as genericHash,
  type Operation,
  walletModuleAbi,
} from '../../../../contracts/index.ts';
import { checkEvmAddress, checksumAddress, wordOfSigned } from '../abi/words.ts';
import {
  calldataFloorGas,
  calldataGas,
  encodeExecute,
  encodeOperationArguments,
  hashOperation,
  simulateSelector,
} from './operation.ts';

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => hex(bytes) as Address);
const someBytes = fc.uint8Array({ maxLength: 200 }).map(hex);
const aWord = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const anOperation: fc.Arbitrary<Operation> = fc.record({
  wallet: anAddress,
  calls: fc.array(fc.record({ to: anAddress, value: aWord, data: someBytes }), { maxLength: 4 }),
  nonce: aWord,
  epoch: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  validAfter: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  validUntil: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  callGas: aWord,
});

describe('an operation of the wallet module', () => {
  it('is hashed as EIP-712 typed data', () => {
    fc.assert(
      fc.property(anOperation, fc.constantFrom(1, 31_337, 84_532), (operation, chainId) => {
        expect(hashOperation(chainId, operation)).toBe(genericHash(chainId, operation));
      }),
    );
  });

  it('is encoded as the ABI says, for execute and simulate', () => {
    fc.assert(
      fc.property(anOperation, someBytes, (operation, bytes) => {
        expect(encodeExecute(operation, bytes)).toBe(
          encodeFunctionData({
            abi: walletModuleAbi,
            functionName: 'execute',
            args: [operation, bytes],
          }),
        );
        const simulate = encodeFunctionData({
          abi: walletModuleAbi,
          functionName: 'simulate',
          args: [operation, bytes],
        });
        expect(`0x${simulateSelector}${encodeOperationArguments(operation, bytes)}`).toBe(simulate);
      }),
    );
  });
});

describe('words', () => {
  it('write addresses with the checksum of EIP-55', () => {
    fc.assert(
      fc.property(anAddress, (address) => {
        expect(checksumAddress(address)).toBe(getAddress(address));
        expect(isAddress(checksumAddress(address.toUpperCase()), { strict: true })).toBe(true);
      }),
    );
  });

  it('are checked as typed addresses: of mixed case with their checksum only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const digits = Buffer.from(bytes).toString('hex');
        const right = checksumAddress(`0x${digits}`);
        for (const address of [right, `0x${digits}`, `0x${digits.toUpperCase()}`])
          expect(checkEvmAddress(address)).toBeUndefined();
        for (const [index, character] of [...right].entries()) {
          const swapped =
            character === character.toLowerCase()
              ? character.toUpperCase()
              : character.toLowerCase();
          const mistyped = right.slice(0, index) + swapped + right.slice(index + 1);
          if (index < 2 || swapped === character) continue;
          expect(checkEvmAddress(mistyped) === undefined).toBe(
            isAddress(mistyped) || /^0x([0-9a-f]*|[0-9A-F]*)$/.test(mistyped),
          );
        }
      }),
      { numRuns: 50 },
    );
    expect(checkEvmAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBeUndefined();
    expect(
      checkEvmAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'.replace('C9', 'c9')),
    ).toMatch(/checksum/);
    expect(checkEvmAddress('0x12')).toMatch(/^is not an address/);
  });

  it("write negative integers in two's complement", () => {
    expect(wordOfSigned(-1n)).toBe('f'.repeat(64));
    expect(wordOfSigned(-(2n ** 255n))).toBe(`8${'0'.repeat(63)}`);
    expect(wordOfSigned(5n)).toBe('5'.padStart(64, '0'));
  });

  it('count the gas of calldata: 4 for a zero byte, 16 for any other', () => {
    expect(calldataGas('0x')).toBe(0);
    expect(calldataGas('0x00ff0a00')).toBe(4 + 16 + 16 + 4);
    expect(calldataFloorGas('0x00ff0a00')).toBe(10 + 40 + 40 + 10);
  });
});
