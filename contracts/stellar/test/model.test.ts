import { describe, expect, it } from 'vitest';
import { answers, compare } from '../testing/differential.ts';

const operations = 600;

describe('the Stellar wallet and its rules', () => {
  it(`answer ${operations} random operations alike, and state and balances are what the rules say`, () => {
    const seen = compare(operations, 18);
    // Dice that never throw a rule would show nothing about it.
    for (const answer of answers)
      expect([answer, (seen.get(answer) ?? 0) > 0]).toEqual([answer, true]);
  });
});
