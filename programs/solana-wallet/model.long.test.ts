import { describe, expect, it } from 'vitest';
import { answers, compare } from './testing/differential.ts';

const runs = 20;
const operations = 50_000;

describe('the Solana wallet program and its rules', () => {
  it(`answer ${runs} times ${operations} random operations alike, and every balance is what the rules say`, () => {
    for (let run = 1; run <= runs; run++) {
      const seen = compare(operations, run);
      for (const answer of answers) expect([run, answer, (seen.get(answer) ?? 0) > 20]).toEqual([run, answer, true]);
    }
  });
});
