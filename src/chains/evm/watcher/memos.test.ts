import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  size,
  toHex,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { batchExecutorAbi, safeAbi } from '../../../../contracts/index.ts';
import { bytesOf } from '../abi/words.ts';
import { newEvmMemo } from '../deposits/deposits.ts';
import { findTransferCalls, nativeMemo, pairMemos } from './memos.ts';

const treasury = '0x00000000000000000000000000000000000000a1';
const token = '0x00000000000000000000000000000000000000c1';
const payer = '0x00000000000000000000000000000000000000d1';
const amountMinor = 12_345_678n;
const aMemo = (): Hex => newEvmMemo() as Hex;

const plain = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [treasury, amountMinor],
});
const plainFrom = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transferFrom',
  args: [payer, treasury, amountMinor],
});
const find = (input: Hex) =>
  findTransferCalls(bytesOf(input), { recipient: treasury, amountMinor });

const inSafe = (data: Hex, signatures: Hex = toHex(randomBytes(65))) =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [token, 0n, data, 0, 0n, 0n, 0n, token, token, signatures],
  });
const inModule = (data: Hex) =>
  encodeFunctionData({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    args: [
      [
        {
          op: {
            wallet: payer,
            calls: [{ to: token, value: 0n, data }],
            nonce: 7n,
            epoch: 0n,
            validAfter: 0,
            validUntil: 2 ** 40,
            callGas: 9n,
          },
          signature: toHex(randomBytes(97)),
          deployment: '0x',
          gasLimit: 1n,
        },
      ],
    ],
  });
const inMultisend = (...calls: Hex[]) =>
  encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'multiSend',
        stateMutability: 'payable',
        inputs: [{ name: 'transactions', type: 'bytes' }],
        outputs: [],
      },
    ],
    args: [
      concatHex(
        calls.map((data) =>
          encodePacked(
            ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
            [0, token, 0n, BigInt(size(data)), data],
          ),
        ),
      ),
    ],
  });
/** An account that packs its calls with lengths of two bytes, as no standard does. */
const inOddAccount = (data: Hex) =>
  concatHex([
    '0xdeadbeef',
    token,
    encodePacked(['uint16'], [size(data)]),
    data,
    toHex(randomBytes(3)),
  ]);
const inBytes32Tail = (data: Hex) =>
  encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes32' }, { type: 'bytes' }],
    [data, toHex(randomBytes(32)), toHex(randomBytes(9))],
  );

const wrappers = {
  plain: (data: Hex) => data,
  inSafe,
  inModule,
  inMultisend,
  inOddAccount,
  inBytes32Tail,
};

describe('the memo of a transfer', () => {
  for (const [name, wrap] of Object.entries(wrappers)) {
    it(`is found behind the calldata, nested or not (${name})`, () => {
      const memo = aMemo();
      expect(find(wrap(concatHex([plain, memo])))).toEqual([{ memo }]);
      expect(find(wrap(concatHex([plainFrom, memo])))).toEqual([{ memo }]);
      expect(find(inSafe(wrap(concatHex([plain, memo]))))).toEqual([{ memo }]);
    });
  }

  it('is found at any byte offset, and for any amount and recipient', () => {
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes): Hex => toHex(bytes));
    fc.assert(
      fc.property(
        address,
        fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }),
        (recipient, amount, before, after) => {
          const memo = aMemo();
          const call = encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [recipient, amount],
          });
          // A word in front that happens to tell a length would end the call; odd encodings have
          // none.
          const input = concatHex([toHex(before), '0xff', call, memo, toHex(after)]);
          expect(findTransferCalls(bytesOf(input), { recipient, amountMinor: amount })[0]).toEqual({
            memo,
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is not taken from the zeros that encodings pad with, nor from what stands behind a call without one', () => {
    for (const wrap of [inSafe, inModule, inBytes32Tail]) {
      expect(find(wrap(plain))).toEqual([{}]);
      expect(find(wrap(plainFrom))).toEqual([{}]);
    }
    expect(find(plain)).toEqual([{}]);
    expect(find(concatHex([plain, '0x1234']))).toEqual([{}]);
    const padded = concatHex([plain, `0x${'00'.repeat(28)}`]);
    expect(
      find(
        concatHex(['0xdeadbeef', encodePacked(['uint16'], [size(plain)]), padded, '0x12345678']),
      ),
    ).toEqual([{}]);
    expect(find(inMultisend(plain, plain))).toEqual([{}, {}]);
    expect(find(inMultisend(plain, concatHex([plain, `0x${'ab'.repeat(32)}`])))).toEqual([
      {},
      { memo: `0x${'ab'.repeat(32)}` },
    ]);
  });

  it('is of the call with the amount and the recipient of the log, and of no other', () => {
    const other = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [treasury, amountMinor + 1n],
    });
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [treasury, amountMinor],
    });
    const memo = aMemo();
    expect(find(concatHex([other, memo]))).toEqual([]);
    expect(find(concatHex([approve, memo]))).toEqual([]);
    expect(find(inMultisend(concatHex([other, aMemo()]), concatHex([plain, memo])))).toEqual([
      { memo },
    ]);
  });

  it('never fails, whatever the input is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constant(plain),
            fc.constant(plainFrom),
            fc.uint8Array({ maxLength: 70 }).map((bytes): Hex => toHex(bytes)),
          ),
          {
            maxLength: 12,
          },
        ),
        (parts) => {
          for (const { memo } of find(concatHex(['0x', ...parts])))
            if (memo !== undefined) expect(memo).toMatch(/^0x[0-9a-f]{64}$/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('several transfers of one amount in a transaction', () => {
  const [one, two] = [aMemo(), aMemo()];

  it('are paired with their logs in order', () => {
    expect(pairMemos([{ memo: one }, {}, { memo: two }], 3)).toEqual([one, undefined, two]);
  });

  it('keep a memo that all calls have, where some did not run or stand there twice, and otherwise none', () => {
    expect(pairMemos([{ memo: one }, { memo: one }], 1)).toEqual([one]);
    expect(pairMemos([{ memo: one }, { memo: two }], 1)).toEqual([undefined]);
    expect(pairMemos([{ memo: one }, {}], 1)).toEqual([undefined]);
    expect(pairMemos([], 2)).toEqual([undefined, undefined]);
  });
});

describe('the memo of native money', () => {
  it('is the calldata itself, when that is 32 bytes', () => {
    const memo = aMemo();
    expect(nativeMemo(memo)).toBe(memo);
    for (const data of [undefined, '0x', `${memo}00`, memo.slice(0, -2)])
      expect(nativeMemo(data)).toBeUndefined();
  });
});

it('a new memo is 32 bytes that no other has, and that no padding looks like', () => {
  const memos = Array.from({ length: 1_000 }, newEvmMemo);
  expect(new Set(memos).size).toBe(1_000);
  for (const memo of memos) expect(memo).toMatch(/^0x(?!00)[0-9a-f]{64}$/);
});
