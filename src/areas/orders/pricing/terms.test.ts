import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderTerms } from '../state/types.ts';
import { type FeeShare, feesBpsMax, makeTerms, type TermsInput } from './terms.ts';

const runs = { numRuns: 2_000 };

const decimals = fc.integer({ min: 0, max: 18 });
const rate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => {
    const text = digits.toString().padStart(scale + 1, '0');
    return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });
const fee: fc.Arbitrary<FeeShare> = fc.record({
  type: fc.constantFrom('service', 'card', 'rail', 'network'),
  fixedMinor: fc.bigInt({ min: 0n, max: 10_000n }),
  bps: fc.integer({ min: 0, max: feesBpsMax / 4 }),
});
const amountMinor = fc.bigInt({ min: 1n, max: 10n ** 30n });
const side = (asset: string, digits: number) => ({ currency: asset, asset, decimals: digits });

/**
 * An onramp (fiat to token), an offramp (token to fiat) or a checkout (token to token), with any
 * number of digits.
 */
const input: fc.Arbitrary<TermsInput> = fc
  .record({
    shape: fc.constantFrom('onramp', 'offramp', 'checkout'),
    mode: fc.constantFrom('exact-in' as const, 'exact-out' as const),
    amountMinor,
    fiat: fc.constantFrom(0, 2, 3),
    paid: decimals,
    bought: decimals,
    payRate: rate,
    receiveRate: rate,
    fees: fc.array(fee, { maxLength: 4 }),
  })
  .map(({ shape, mode, amountMinor: amount, fees, ...digits }) => {
    const fiat = side('usd', digits.fiat);
    return {
      mode,
      amountMinor: amount,
      fiat,
      pay: shape === 'onramp' ? fiat : side('base:paid', digits.paid),
      receive: shape === 'offramp' ? fiat : side('base:bought', digits.bought),
      ...(shape !== 'onramp' && { payRate: digits.payRate }),
      ...(shape !== 'offramp' && { receiveRate: digits.receiveRate }),
      fees,
      maxSlippageBps: 0,
    };
  });

const sumOf = (terms: OrderTerms) =>
  terms.fees.reduce((sum, { amountMinor: part }) => sum + part, terms.unit.amountMinor);

describe('the parts of an order', () => {
  it('always sum to the total, and none is negative', () => {
    fc.assert(
      fc.property(input, (given) => {
        const terms = makeTerms(given);
        if (!terms) return;
        expect(sumOf(terms)).toBe(terms.value.amountMinor);
        for (const part of [terms.pay, terms.receive, terms.unit, terms.value, ...terms.fees])
          expect(part.amountMinor).toBeGreaterThan(0n);
      }),
      runs,
    );
  });

  it('deliver exactly what was asked for, or cost exactly what was to be spent', () => {
    fc.assert(
      fc.property(input, (given) => {
        const terms = makeTerms(given);
        if (terms)
          expect((given.mode === 'exact-out' ? terms.receive : terms.pay).amountMinor).toBe(
            given.amountMinor,
          );
      }),
      runs,
    );
  });

  it('deliver no less for a larger payment, and cost no less for a larger delivery', () => {
    fc.assert(
      fc.property(input, amountMinor, (given, more) => {
        const terms = makeTerms(given);
        const larger = makeTerms({ ...given, amountMinor: given.amountMinor + more });
        if (!terms) return;
        const other = given.mode === 'exact-in' ? 'receive' : 'pay';
        expect(larger?.[other].amountMinor).toBeGreaterThanOrEqual(terms[other].amountMinor);
      }),
      runs,
    );
  });

  it('give nobody a fraction: what is delivered is never worth more than its price, nor less by a whole smallest unit', () => {
    fc.assert(
      fc.property(input, (given) => {
        const terms = makeTerms(given);
        if (!terms || given.receiveRate === undefined) return;
        const [whole, fraction = ''] = given.receiveRate.split('.') as [string, string?];
        const scale = 10n ** BigInt(given.receive.decimals + fraction.length);
        const worth =
          terms.receive.amountMinor * BigInt(whole + fraction) * 10n ** BigInt(given.fiat.decimals);
        expect(worth <= terms.unit.amountMinor * scale).toBe(true);
        expect(worth > (terms.unit.amountMinor - 1n) * scale).toBe(true);
      }),
      runs,
    );
  });

  it('asks for the smallest payment that covers what was asked for', () => {
    fc.assert(
      fc.property(input, (given) => {
        const terms = makeTerms({ ...given, mode: 'exact-out' });
        if (!terms || terms.pay.amountMinor === 1n) return;
        const less = makeTerms({
          ...given,
          mode: 'exact-in',
          amountMinor: terms.pay.amountMinor - 1n,
        });
        expect((less?.receive.amountMinor ?? 0n) < given.amountMinor).toBe(true);
      }),
      runs,
    );
  });
});

const fiat = side('usd', 2);
const usdc = side('base:usdc', 6);
const card: FeeShare[] = [
  { type: 'service', fixedMinor: 0n, bps: 100 },
  { type: 'card', fixedMinor: 30n, bps: 290 },
];

describe('prices by hand', () => {
  it('an onramp of $100 leaves what the fees leave', () => {
    const terms = makeTerms({
      mode: 'exact-in',
      amountMinor: 10_000n,
      pay: fiat,
      receive: usdc,
      fiat,
      receiveRate: '1',
      fees: card,
      maxSlippageBps: 0,
    })!;
    expect(terms.fees.map(({ type, amountMinor: part }) => [type, part])).toEqual([
      ['service', 100n],
      ['card', 320n],
    ]);
    expect([terms.unit.amountMinor, terms.receive.amountMinor]).toEqual([9_580n, 95_800_000n]);
  });

  it('what a token of few decimals leaves over is a fee of its own', () => {
    const terms = makeTerms({
      mode: 'exact-in',
      amountMinor: 1_000n,
      pay: fiat,
      receive: side('base:ticket', 0),
      fiat,
      receiveRate: '3',
      fees: [],
      maxSlippageBps: 0,
    })!;
    expect([terms.receive.amountMinor, terms.unit.amountMinor]).toEqual([3n, 900n]);
    expect(terms.fees).toEqual([{ ...fiat, type: 'rounding', amountMinor: 100n }]);
  });

  it('fees that leave nothing leave no order', () => {
    const tiny = {
      mode: 'exact-in' as const,
      amountMinor: 30n,
      pay: fiat,
      receive: usdc,
      fiat,
      receiveRate: '1',
      maxSlippageBps: 0,
    };
    expect(makeTerms({ ...tiny, fees: card })).toBeUndefined();
    expect(makeTerms({ ...tiny, fees: [] })).toBeDefined();
  });
});
