import { z } from 'zod';
import { longAddress } from '../encoding/addresses.ts';
import { type Asset, readAsset } from '../tokens/assets.ts';
import type { Executed } from './outcome.ts';

/** Money that went into or out of what somebody owns. */
export interface Movement {
  readonly owner: string;
  readonly asset: Asset;
  /** Negative: it went out. */
  readonly deltaMinor: bigint;
}

const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const place = z.string().regex(/^0x[0-9a-f]{1,64}$/);
const storeEvent = z.object({ amount, store: place });
const coinEvent = z.object({ amount, account: place, coin_type: z.string().max(600) });
const storeResource = z.object({
  type: z.literal('0x1::fungible_asset::FungibleStore'),
  data: z.object({ metadata: z.object({ inner: place }) }),
});
const objectResource = z.object({
  type: z.literal('0x1::object::ObjectCore'),
  data: z.object({ owner: place }),
});

/** By the type of an event: whether money came or went. */
const storeSigns: Readonly<Record<string, bigint>> = {
  '0x1::fungible_asset::Deposit': 1n,
  '0x1::fungible_asset::Withdraw': -1n,
};
const coinSigns: Readonly<Record<string, bigint>> = {
  '0x1::coin::CoinDeposit': 1n,
  '0x1::coin::CoinWithdraw': -1n,
};

/**
 * What a transaction moved, in its own order: stores are named by events, and their owners and
 * assets by what the transaction wrote. Only the framework can write events of its types. Stores
 * whose owner it does not tell are left out: nobody's wallet is among them.
 */
export function movementsOf({ success, events, changes }: Executed): Movement[] {
  if (!success) return [];
  const stores = storesOf(changes);
  return events.flatMap(({ type, data }): Movement[] => {
    const sign = storeSigns[type];
    if (sign !== undefined) {
      const { data: event } = storeEvent.safeParse(data);
      const store = event && stores.get(longAddress(event.store));
      return store?.owner === undefined || store.asset === undefined
        ? []
        : [{ owner: store.owner, asset: store.asset, deltaMinor: sign * event!.amount }];
    }
    const { data: coin } = coinEvent.safeParse(coinSigns[type] === undefined ? undefined : data);
    const asset = coin && readCoin(coin.coin_type);
    return asset
      ? [{ owner: longAddress(coin.account), asset, deltaMinor: coinSigns[type]! * coin.amount }]
      : [];
  });
}

/**
 * Undefined: a type that is longer or deeper than a locator may name, or new to this version.
 * Strangers choose it, and it holds up nobody.
 */
function readCoin(type: string): Asset | undefined {
  try {
    return readAsset(type);
  } catch {
    return undefined;
  }
}

interface Store {
  readonly owner?: string;
  readonly asset?: Asset;
}

function storesOf(changes: Executed['changes']): ReadonlyMap<string, Store> {
  const stores = new Map<string, Store>();
  for (const { address, data } of changes) {
    if (address === undefined || !place.safeParse(address).success) continue;
    const at = longAddress(address);
    const { data: store } = storeResource.safeParse(data);
    if (store) stores.set(at, { ...stores.get(at), asset: readAsset(store.data.metadata.inner) });
    const { data: object } = objectResource.safeParse(data);
    if (object) stores.set(at, { ...stores.get(at), owner: longAddress(object.data.owner) });
  }
  return stores;
}

/** Sums by owner and asset, without what came to nothing. */
export function sumMovements(movements: readonly Movement[]): Movement[] {
  const sums = new Map<string, Movement>();
  for (const movement of movements) {
    const key = `${movement.owner} ${JSON.stringify(movement.asset)}`;
    sums.set(key, {
      ...movement,
      deltaMinor: (sums.get(key)?.deltaMinor ?? 0n) + movement.deltaMinor,
    });
  }
  return [...sums.values()].filter(({ deltaMinor }) => deltaMinor !== 0n);
}
