import { longAddress, shortAddress } from '../encoding/addresses.ts';
import { formatTypeTag, parseTypeTag } from '../encoding/type-tags.ts';

/**
 * A token: a fungible asset by the address of its metadata, or a coin by its type. APT is the coin.
 */
export type Asset =
  | { readonly kind: 'asset'; readonly address: string }
  | { readonly kind: 'coin'; readonly type: string };

export const aptCoin: Asset = { kind: 'coin', type: '0x1::aptos_coin::AptosCoin' };
export const metadataType = '0x1::fungible_asset::Metadata';

/** @throws Error for text that is neither an address nor a type */
export function readAsset(address: string | undefined): Asset {
  if (address === undefined) return aptCoin;
  if (!address.includes('::')) return { kind: 'asset', address: longAddress(address) };
  const tag = parseTypeTag(address);
  if (tag.kind !== 'struct') throw new Error('no coin');
  return { kind: 'coin', type: formatTypeTag(tag) };
}

/** Its one spelling. */
export function assetName(asset: Asset): string {
  return asset.kind === 'asset' ? asset.address : asset.type;
}

/** APT by either of its names. */
export function isApt(asset: Asset): boolean {
  return asset.kind === 'coin'
    ? asset.type === '0x1::aptos_coin::AptosCoin'
    : shortAddress(asset.address) === '0xa';
}
