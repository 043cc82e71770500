import { describe, expect, it } from 'vitest';
import { keccak256 } from '../abi/keccak.ts';
import { bytesOf } from '../abi/words.ts';
import { type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import {
  type AccountCall,
  readAccountCall,
  readNumberedCall,
  signedBytes,
  storeAccountCall,
} from './stored.ts';

const wallet = '0x00000000000000000000000000000000000000a1';
const call: AccountCall = {
  chain: 'base-sepolia',
  chainId: 84_532,
  wallet,
  to: '0x00000000000000000000000000000000000000b1',
  valueWei: 5n,
  data: '0x1234',
  gasLimit: 50_000n,
  feeMaxWei: 1_000n,
  costMaxWei: 1n,
  validUntil: new Date('2026-01-01T00:00:00.000Z'),
  nonce: 3n,
};
const stored = storeAccountCall(call);
const own: TxContent = {
  chainId: call.chainId,
  nonce: 3n,
  to: call.to,
  valueWei: 5n,
  data: bytesOf('0x1234'),
  gasLimit: 50_000n,
};
const noOp: TxContent = {
  ...own,
  nonce: 1n,
  to: wallet,
  valueWei: 0n,
  data: bytesOf('0x'),
  gasLimit: 21_000n,
};
const fee = { maxFeeWei: 1_000n, tipWei: 10n };

describe('what the key of an account signs for an operation', () => {
  it('is its own call with its own nonce, or a no-op below it or with it', () => {
    for (const content of [own, { ...own, gasLimit: 21_000n }, noOp, { ...noOp, nonce: 3n }]) {
      const built = unsignedBytes(content, fee);
      expect(signedBytes(stored, built)).toEqual(keccak256(built));
    }
    expect(readAccountCall(stored)).toEqual(call);
  });

  it('is a no-op in its place that burns at most twice what the call may', () => {
    const inPlace = { ...noOp, nonce: 3n };
    // 2 * 50,000 * 1,000 / 21,000
    const most = unsignedBytes(inPlace, { ...fee, maxFeeWei: 4_761n });
    expect(signedBytes(stored, most)).toEqual(keccak256(most));
    const more = unsignedBytes(inPlace, { ...fee, maxFeeWei: 4_762n });
    expect(() => signedBytes(stored, more)).toThrow(/4762 wei per gas/);
    const data = unsignedBytes({ ...inPlace, data: bytesOf('0x1234') }, fee);
    expect(() => signedBytes(stored, data)).toThrow(/another one/);
  });

  it.each<[string, Partial<TxContent>, Partial<typeof fee>, RegExp]>([
    ['another nonce', { nonce: 4n }, {}, /nonce is 4/],
    ['its call with a nonce below', { nonce: 2n }, {}, /another one/],
    ['another chain', { chainId: 1 }, {}, /another one/],
    ['another receiver', { to: wallet }, {}, /another one/],
    ['another value', { valueWei: 6n }, {}, /another one/],
    ['other data', { data: bytesOf('0x12') }, {}, /another one/],
    ['more gas', { gasLimit: 50_001n }, {}, /50001 gas/],
    ['a higher fee', {}, { maxFeeWei: 1_001n }, /1001 wei per gas/],
    ['a tip above the fee', {}, { tipWei: 1_001n }, /tip/],
    ['a no-op above it', { ...noOp, nonce: 4n }, {}, /nonce is 4/],
    ['a no-op below it at a higher fee', noOp, { maxFeeWei: 1_001n }, /1001 wei per gas/],
    ['a no-op that pays somebody', { ...noOp, to: call.to }, {}, /another one/],
    ['a no-op with money', { ...noOp, valueWei: 1n }, {}, /another one/],
  ])('is not %s', (_what, content, other, message) => {
    const built = unsignedBytes({ ...own, ...content }, { ...fee, ...other });
    expect(() => signedBytes(stored, built)).toThrow(message);
  });

  it('is nothing before the operation has a nonce, and no other form of bytes', () => {
    const { nonce: _nonce, ...unnumbered } = call;
    expect(() => readNumberedCall(storeAccountCall(unnumbered))).toThrow('no nonce');
    const built = unsignedBytes(own, fee);
    for (const bytes of [
      Buffer.concat([built, Buffer.of(0)]),
      Buffer.concat([Buffer.of(4), built.subarray(1)]),
      keccak256(built),
    ])
      expect(() => signedBytes(stored, bytes)).toThrow();
  });
});
