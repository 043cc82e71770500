import { describe, expect, it } from 'vitest';
import { needsSecondPerson } from './second-person.ts';

const config = { secondPersonAbove: new Map([['shares', '10']]) } as never;
const shares = (whole: bigint, decimals = 77) => ({
  currency: 'SHARES',
  decimals,
  amountMinor: whole * 10n ** BigInt(decimals),
});

describe('what takes a second person', () => {
  it('is told of tokens with the most decimals that a contract tells', () => {
    expect(needsSecondPerson({ config }, shares(10n), [])).toBe(false);
    expect(needsSecondPerson({ config }, shares(11n), [])).toBe(true);
    expect(needsSecondPerson({ config }, shares(6n, 2), [shares(5n)])).toBe(true);
  });
});
