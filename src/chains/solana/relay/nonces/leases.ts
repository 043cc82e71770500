import type { Store } from '../../../../store/types.ts';
import { type LeaseInput, leaseOne } from '../../../family/lease-one.ts';
import type { NonceLeases } from '../../operation/prepare.ts';
import { askForNonces, countLeases, freeLease, leaseNonce, takeOverNonce } from './store.ts';

/** Nonces for operations that are prepared, as {@link leaseOne}. */
export function createNonceLeases(store: Store, { waitMaxMs = 5_000 } = {}): NonceLeases {
  const pool = {
    name: 'durable nonces',
    waitMaxMs,
    take: (input: LeaseInput) => leaseNonce(store, input),
    count: (chain: string, wallet: string) => countLeases(store, chain, wallet),
    ask: (chain: string) => askForNonces(store, chain),
    // Nobody loses one while a fee payer that is nearly empty has some left.
    takeOver: async (input: LeaseInput) =>
      (await leaseNonce(store, input, { anyPayer: true })) ?? (await takeOverNonce(store, input)),
  };
  return {
    async lease(wish) {
      const { lease, address, value, feePayer } = await leaseOne(pool, wish);
      return { lease, account: address, value: value!, feePayer };
    },
    giveBack: (lease) => freeLease(store, lease),
  };
}
