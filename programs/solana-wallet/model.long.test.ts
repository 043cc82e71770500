import { describe, expect, it } from 'vitest';
import { answers, compare } from './testing/differential.ts';

// A million in all: some 85 s of processor time for each run.
const runs = Array.from({ length: 20 }, (_, index) => index + 1);
const operations = 50_000;

describe('the Solana wallet program and its rules', () => {
  it.each(runs)(
    `answer ${operations} random operations alike, and every balance is what the rules say: run %i of 20`,
    (run) => {
      const seen = compare(operations, run);
      for (const answer of answers)
        expect([answer, (seen.get(answer) ?? 0) > 20]).toEqual([answer, true]);
    },
  );
});
