import type { PricingProvider } from './pricing.ts';

/**
 * Round prices that never move, so that a test or an example knows the answer. Tokens of test
 * networks are priced as their main ones.
 */
export const sandboxPricesUsd: Readonly<Record<string, string>> = {
  usdc: '1',
  usdxm: '1',
  usdt: '1',
  usd: '1',
  eur: '1.1',
  gbp: '1.25',
  aud: '0.65',
  cop: '0.00025',
  mxn: '0.05',
  jpy: '0.008',
  sgd: '0.75',
  hkd: '0.125',
  krw: '0.00075',
  inr: '0.0125',
  vnd: '0.00004',
  eurc: '1.1',
  eth: '2500',
  sol: '150',
  xlm: '0.25',
  sui: '2',
  apt: '5',
  pol: '0.5',
  matic: '0.5',
  avax: '25',
  bnb: '600',
  ape: '0.75',
  chz: '0.05',
  coti: '0.04',
  data: '3',
  flow: '0.5',
  hbar: '0.2',
  mnt: '1',
  plume: '0.1',
  sei: '0.3',
  u2u: '0.005',
  vic: '0.25',
  xai: '0.05',
};

const prices = new Map(Object.entries(sandboxPricesUsd));

export function createSandboxPricing(): PricingProvider {
  return {
    pricesUsd: async (symbols) =>
      new Map(
        symbols.flatMap((symbol) => {
          const price = prices.get(symbol);
          return price === undefined ? [] : [[symbol, price] as const];
        }),
      ),
  };
}
