import { expect, it } from 'vitest';
import { combineTerms } from '../../state/items.ts';
import type { OrderTerms } from '../../state/types.ts';
import { countDeposits } from './rules.ts';

const rules = { shortToleranceMinor: '10', dustMinor: '0', lateToleranceMs: 0 };
const amount = (asset: string, amountMinor: bigint) => ({
  currency: asset,
  asset,
  decimals: 6,
  amountMinor,
});
const item = (payMinor: bigint): OrderTerms => ({
  mode: 'exact-out',
  pay: amount('usdx', payMinor),
  receive: amount('item', 1n),
  fees: [],
  value: amount('usd', payMinor),
  unit: amount('usd', payMinor),
  rate: '1',
  maxSlippageBps: 0,
  collectible: { offerId: 'offer' },
});

it('of several line items a deposit that is a little short is shared out to the last unit, also where the last item is free', () => {
  for (const prices of [
    [333n, 667n, 0n],
    [0n, 333n, 667n],
    [333n, 0n, 667n, 0n],
    [1_000n, 0n],
  ]) {
    const [first, ...more] = prices.map(item);
    const counted = countDeposits(combineTerms([first!, ...more]), rules, 995n);
    if (counted.fit !== 'exact') throw new Error(`${prices} is ${counted.fit}`);
    expect([
      prices,
      counted.terms.pay.amountMinor,
      counted.terms.items!.reduce((sum, { pay }) => sum + pay.amountMinor, 0n),
    ]).toEqual([prices, 995n, 995n]);
  }
});
