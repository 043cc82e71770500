import type { Store } from '../../../../store/types.ts';
import { type LeaseInput, leaseOne } from '../../../family/lease-one.ts';
import type { SponsorCoins } from '../../operation/prepare.ts';
import { askForCoins, countLeases, freeLease, leaseCoin, takeOverCoin } from './store.ts';

/** Coins for operations that are prepared, as {@link leaseOne}. */
export function createGasLeases(store: Store, { waitMaxMs = 5_000 } = {}): SponsorCoins {
  const pool = {
    name: 'coins that pay for transactions',
    waitMaxMs,
    take: (input: LeaseInput) => leaseCoin(store, input),
    count: (chain: string, wallet: string) => countLeases(store, chain, wallet),
    ask: (chain: string) => askForCoins(store, chain),
    takeOver: (input: LeaseInput) => takeOverCoin(store, input),
  };
  return {
    async lease(wish) {
      const { lease, sponsor, objectId, version, digest } = await leaseOne(pool, wish);
      return { lease, sponsor, coin: { objectId, version, digest } };
    },
    giveBack: (lease) => freeLease(store, lease),
  };
}
