import { describe, expect, it } from 'vitest';
import { shareOfNumbers } from '../../../test/harness/long-share.ts';
import { answers, compare } from '../testing/differential.ts';

const runs = shareOfNumbers({ first: 1, count: 40 });
const operations = 25_000;

describe('the Stellar wallet and its rules', () => {
  it.each(runs)(
    `answer ${operations} random operations alike, and state and balances are what the rules say: run %i of 40`,
    (run) => {
      const seen = compare(operations, run);
      for (const answer of answers)
        expect([answer, (seen.get(answer) ?? 0) > 20]).toEqual([answer, true]);
    },
  );
});
