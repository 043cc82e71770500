import { createMicroBatcher, type MicroBatcher } from '../../store/micro-batch.ts';
import type { Store } from '../../store/types.ts';
import { selectWalletsByAddress, type WalletRecord } from './store.ts';

interface AddressKey {
  readonly projectId: string;
  readonly addressKey: string;
}

/**
 * Callers that look at the same moment share one statement: most of what a lone read costs is its
 * round trip.
 */
const batchers = new WeakMap<Store, MicroBatcher<AddressKey, WalletRecord | undefined>>();

/** The wallet of a project at a canonical address. */
export function findByAddress(store: Store, key: AddressKey): Promise<WalletRecord | undefined> {
  let batcher = batchers.get(store);
  if (!batcher) {
    batcher = createMicroBatcher({
      maxItems: 64,
      run: (keys) => selectWalletsByAddress(store, keys),
    });
    batchers.set(store, batcher);
  }
  return batcher.add(key);
}
