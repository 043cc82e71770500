import { randomBytes } from 'node:crypto';
import { keccak256 as referenceKeccak256, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { keccak256, keccakOfHex, keccakOfText } from './keccak.ts';

describe('keccak', () => {
  it('gives the published hashes of the empty text and of "abc"', () => {
    expect(keccakOfText('')).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
    expect(keccakOfText('abc')).toBe(
      '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
    );
  });

  it('agrees with the reference at every length around a block and around the input area', () => {
    const lengths = [
      ...Array.from({ length: 290 }, (_, length) => length),
      64_871,
      64_872,
      64_873,
      65_007,
      65_008,
      65_009,
      65_010,
      130_016,
      200_001,
    ];
    for (const length of lengths) {
      const bytes = randomBytes(length);
      expect(toHex(keccak256(bytes)), `length ${length}`).toBe(referenceKeccak256(bytes));
      expect(`0x${keccakOfHex(bytes.toString('hex'))}`, `length ${length}`).toBe(
        referenceKeccak256(bytes),
      );
    }
  });

  it('hands out a copy, so that a later hash does not change an earlier one', () => {
    const first = keccak256(Buffer.from('a'));
    const kept = first.toString('hex');
    keccak256(Buffer.from('b'));
    expect(first.toString('hex')).toBe(kept);
  });

  it('refuses text that is not hex', () => {
    expect(() => keccakOfHex('0')).toThrow('hex form');
    expect(() => keccakOfHex('zz')).toThrow('hex form');
    expect(() => keccakOfHex('00zz')).toThrow('hex form');
  });
});
