import { describe, expect, it } from 'vitest';
import { chooseFees, type FeeCase } from './fees.ts';
import type { FeeRule } from './settings.ts';

const usd = { decimals: 2, priceUsd: '1' };
const rules: readonly FeeRule[] = [
  { type: 'service', bps: 50, network: 'base' },
  { type: 'service', bps: 80, kind: 'offramp' },
  { type: 'service', bps: 100 },
  { type: 'card', bps: 290, fixedUsd: '0.30', method: 'card' },
  { type: 'rail', fixedUsd: '15', rail: 'wire' },
  { type: 'rail', fixedUsd: '0.10', rail: 'ach' },
  { type: 'network', fixedUsd: '0.02', network: 'base' },
  { type: 'network', fixedUsd: '1.25', network: 'ethereum' },
];

describe('the fees of an order', () => {
  it.each<[string, FeeCase, string[]]>([
    [
      'an onramp to base',
      { kind: 'onramp', method: 'card', network: 'base' },
      ['service 0 50', 'card 30 290', 'network 2 0'],
    ],
    [
      'an onramp to ethereum',
      { kind: 'onramp', method: 'card', network: 'ethereum' },
      ['service 0 100', 'card 30 290', 'network 125 0'],
    ],
    [
      'a checkout to a network without a rule',
      { kind: 'checkout', method: 'base', network: 'polygon' },
      ['service 0 100'],
    ],
    [
      'an offramp by wire',
      { kind: 'offramp', method: 'base', rail: 'wire' },
      ['service 0 80', 'rail 1500 0'],
    ],
    [
      'an offramp by ACH',
      { kind: 'offramp', method: 'base', rail: 'ach' },
      ['service 0 80', 'rail 10 0'],
    ],
    [
      'an offramp by a rail without a rule',
      { kind: 'offramp', method: 'ethereum', rail: 'rtp' },
      ['service 0 80'],
    ],
  ])(
    'are of each type the first rule that fits its kind, method, rail and network: %s',
    (_, feeCase, expected) => {
      expect(
        chooseFees(rules, feeCase, usd).map(
          ({ type, fixedMinor, bps }) => `${type} ${fixedMinor} ${bps}`,
        ),
      ).toEqual(expected);
    },
  );

  it('have their fixed part in the currency of the order, rounded down to its smallest unit', () => {
    const rule: FeeRule[] = [{ type: 'service', fixedUsd: '0.30' }];
    const fixedIn = (decimals: number, priceUsd: string) =>
      chooseFees(rule, { kind: 'onramp', method: 'card' }, { decimals, priceUsd })[0]?.fixedMinor;
    expect([fixedIn(2, '1'), fixedIn(2, '1.08'), fixedIn(0, '0.0067'), fixedIn(0, '0.31')]).toEqual(
      [30n, 27n, 44n, undefined],
    );
  });
});
