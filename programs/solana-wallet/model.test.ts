import { describe, expect, it } from 'vitest';
import { answers, compare } from './testing/differential.ts';

const operations = 10_000;

describe('the Solana wallet program and its rules', () => {
  it(`answer ${operations} random operations alike, and every balance is what the rules say`, () => {
    const seen = compare(operations, 16);
    // Dice that never throw a rule would show nothing about it.
    for (const answer of answers)
      expect([answer, (seen.get(answer) ?? 0) > 20]).toEqual([answer, true]);
  });
});
