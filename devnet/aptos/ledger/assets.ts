import { sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressBytes, longAddress } from '../../../src/chains/aptos/encoding/addresses.ts';
import {
  formatTypeTag,
  parseTypeTag,
  type TypeTag,
} from '../../../src/chains/aptos/encoding/type-tags.ts';
import type { Draft, Reading } from './state.ts';

/**
 * Fungible assets. Coins are those that are paired with them, as on the network since coins were
 * moved.
 */
export interface Asset {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Who may mint it with the local module; absent: nobody. */
  readonly minter?: string;
}

/** The native token, as a fungible asset and as a coin. */
export const aptAsset = longAddress('0xa');
export const aptCoin = '0x1::aptos_coin::AptosCoin';

/** Schemes of object addresses: made by a name, and derived from an object for an owner. */
const schemes = { named: 0xfe, derived: 0xfc } as const;

/** Where an owner keeps an asset. */
export function storeOf(asset: string, owner: string): string {
  const bytes = concatBytes(
    addressBytes(owner),
    addressBytes(asset),
    new Uint8Array([schemes.derived]),
  );
  return `0x${bytesToHex(sha3_256(bytes))}`;
}

/** The asset that a type of coin is paired with. */
export function assetOfCoin(type: TypeTag): string {
  const text = formatTypeTag(type);
  if (text === aptCoin) return aptAsset;
  const bytes = concatBytes(
    addressBytes(aptAsset),
    utf8ToBytes(text),
    new Uint8Array([schemes.named]),
  );
  return `0x${bytesToHex(sha3_256(bytes))}`;
}

/**
 * The asset of an address of metadata, or of a type of coin.
 * @throws Error for text that is neither
 */
export function readAssetName(text: string): string {
  return text.includes('::') ? assetOfCoin(parseTypeTag(text)) : longAddress(text);
}

const assetKey = (asset: string) => `asset/${asset}`;
const balanceKey = (asset: string, owner: string) => `balance/${asset}/${owner}`;
const supplyKey = (asset: string) => `supply/${asset}`;

export function findAsset(state: Reading, asset: string): Asset | undefined {
  const text = state.get(assetKey(asset));
  return text === undefined ? undefined : (JSON.parse(text) as Asset);
}

export function putAsset(draft: Draft, address: string, asset: Asset): void {
  draft.set(assetKey(address), JSON.stringify(asset));
}

/** Undefined: the owner never had any. */
export function findBalance(state: Reading, asset: string, owner: string): bigint | undefined {
  const text = state.get(balanceKey(asset, owner));
  return text === undefined ? undefined : BigInt(text);
}

export function setBalance(draft: Draft, asset: string, owner: string, amount: bigint): void {
  draft.set(balanceKey(asset, owner), amount.toString());
}

export function supplyOf(state: Reading, asset: string): bigint {
  return BigInt(state.get(supplyKey(asset)) ?? 0);
}

/** Makes money of nothing. */
export function issue(draft: Draft, asset: string, owner: string, amount: bigint): void {
  setBalance(draft, asset, owner, (findBalance(draft, asset, owner) ?? 0n) + amount);
  draft.set(supplyKey(asset), (supplyOf(draft, asset) + amount).toString());
}
