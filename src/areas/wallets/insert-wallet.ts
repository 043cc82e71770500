import { createMicroBatcher, type MicroBatcher } from '../../store/micro-batch.ts';
import type { Store } from '../../store/types.ts';
import { insertWallets, type NewWallet } from './store.ts';

/** Creations that arrive together share one statement and one commit (architecture, section 11). */
const batchers = new WeakMap<Store, MicroBatcher<NewWallet, boolean>>();

/**
 * True when this call created the wallet; false when a wallet of the same owner or address was
 * there first.
 */
export function insertWallet(store: Store, wallet: NewWallet): Promise<boolean> {
  let batcher = batchers.get(store);
  if (!batcher) {
    batcher = createMicroBatcher({
      maxItems: 64,
      run: async (wallets) => {
        const inserted = await insertWallets(store, wallets);
        return wallets.map((item) => inserted.has(item.id));
      },
    });
    batchers.set(store, batcher);
  }
  return batcher.add(wallet);
}
