import type { Store } from '../../../../store/types.ts';
import { type LeaseInput, leaseOne } from '../../../family/lease-one.ts';
import type { NonceLeases } from '../../operation/prepare.ts';
import {
  areHeldByPoor,
  askForNonces,
  countLeases,
  freeLease,
  leaseNonce,
  takeOverNonce,
} from './store.ts';

/**
 * Nonces for operations that are prepared, as {@link leaseOne}.
 * @param options.noncesMax how many the relay makes
 */
export function createNonceLeases(
  store: Store,
  { waitMaxMs = 5_000, noncesMax = Number.POSITIVE_INFINITY } = {},
): NonceLeases {
  const ofAny = (input: LeaseInput) => leaseNonce(store, input, { anyPayer: true });
  const pool = {
    name: 'durable nonces',
    waitMaxMs,
    // There is nothing to wait for where no other fee payer has any, or is to make some.
    take: async (input: LeaseInput) =>
      (await leaseNonce(store, input)) ??
      ((await areHeldByPoor(store, { chain: input.chain, noncesMax })) ? ofAny(input) : undefined),
    count: (chain: string, wallet: string) => countLeases(store, chain, wallet),
    ask: (chain: string) => askForNonces(store, chain),
    // Nobody loses one while a fee payer that is nearly empty has some left.
    takeOver: async (input: LeaseInput) =>
      (await ofAny(input)) ?? (await takeOverNonce(store, input)),
  };
  return {
    async lease(wish) {
      const { lease, address, value, feePayer } = await leaseOne(pool, wish);
      return { lease, account: address, value: value!, feePayer };
    },
    giveBack: (lease) => freeLease(store, lease),
  };
}
