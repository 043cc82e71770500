import { describe, expect, it } from 'vitest';
import { shareOfNumbers } from '../../test/harness/long-share.ts';
import { compare, expected } from './testing/differential.ts';

// A million in all: some 65 s of processor time for each run.
const runs = shareOfNumbers({ first: 1, count: 20 });
const operations = 50_000;

describe('the Solana wallet program and its rules', () => {
  it.each(runs)(
    `answer ${operations} random operations alike, and every balance is what the rules say: run %i of 20`,
    (run) => {
      const seen = compare(operations, run);
      for (const one of expected) expect([one, (seen.get(one) ?? 0) > 20]).toEqual([one, true]);
    },
  );
});
