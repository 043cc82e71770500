import { describe, expect, it } from 'vitest';
import { compare, expected } from './testing/differential.ts';

const operations = 10_000;

describe('the Solana wallet program and its rules', () => {
  it(`answer ${operations} random operations alike, and every balance is what the rules say`, () => {
    const seen = compare(operations, 16);
    // Dice that never throw a rule would show nothing about it.
    for (const one of expected) expect([one, (seen.get(one) ?? 0) > 20]).toEqual([one, true]);
  });
});
