import { expect, test } from 'vitest';
import { evmNetworks } from '../../chains/evm/config/networks.ts';
import { createPricing } from './index.ts';
import { testPricing } from './pricing.contract.ts';
import { createSandboxPricing, sandboxPricesUsd } from './sandbox.ts';

testPricing('sandbox', async () => ({ pricing: createSandboxPricing() }));

test('the sandbox prices a dollar stablecoin at one dollar and ether at 2,500', async () => {
  const pricing = createPricing({ pricing: { kind: 'sandbox' } });
  expect(Object.fromEntries(await pricing.pricesUsd(['usdc', 'usdxm', 'eth']))).toEqual({
    usdc: '1',
    usdxm: '1',
    eth: '2500',
  });
});

test('the sandbox prices every native token but those without any value', () => {
  const unpriced = new Set(
    evmNetworks
      .map((network) => network.native.symbol)
      .filter((symbol) => !(symbol in sandboxPricesUsd)),
  );
  expect([...unpriced].sort()).toEqual(['sfuel', 'ztc']);
});
