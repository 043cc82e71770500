import { bcs, TypeTagSerializer } from '@mysten/sui/bcs';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { digestOf } from './hashes.ts';

/** An object at one version. Amounts are u64, ids and addresses have 64 digits. */
export interface SuiObject {
  readonly id: string;
  readonly version: bigint;
  /** Normalised, e.g. `0x0…2::coin::Coin<0x0…2::sui::SUI>`. */
  readonly type: string;
  /** The Move value in BCS; it begins with the id. */
  readonly contents: Uint8Array;
  /** An address: the local chain has no shared and no immutable objects. */
  readonly owner: string;
  readonly previousTransaction: string;
  /** What its storage was paid with, in MIST. */
  readonly storageRebate: bigint;
}

export interface ObjectRef {
  readonly objectId: string;
  readonly version: string | number | bigint;
  readonly digest: string;
}

export const suiType = normalizeStructTag('0x2::sui::SUI');
const coinStart = `${normalizeSuiAddress('0x2')}::coin::Coin<`;
const capStart = `${normalizeSuiAddress('0x2')}::coin::TreasuryCap<`;
const idBytes = 32;
/** What a byte that is kept costs, in MIST: 100 units of 76. */
const byteCost = 7_600n;
/** Owner, previous transaction, rebate, version and a flag, as the network counts them. */
const overheadBytes = 89;

export const coinType = (type: string): string => `${coinStart}${normalizeStructTag(type)}>`;
export const treasuryCapType = (type: string): string => `${capStart}${normalizeStructTag(type)}>`;

/** What a coin is a coin of; undefined for what is no coin. */
export function currencyOf(type: string): string | undefined {
  return type.startsWith(coinStart) ? type.slice(coinStart.length, -1) : undefined;
}

/** What a treasury cap may mint. */
export function mintedBy(type: string): string | undefined {
  return type.startsWith(capStart) ? type.slice(capStart.length, -1) : undefined;
}

/** A coin's balance, or what a treasury cap has minted: the number behind the id. */
export function amountOf({ contents }: Pick<SuiObject, 'contents'>): bigint {
  return Buffer.from(contents).readBigUInt64LE(idBytes);
}

export function contentsOf(id: string, amount: bigint): Uint8Array {
  const contents = Buffer.alloc(idBytes + 8);
  contents.write(id.slice(2), 'hex');
  contents.writeBigUInt64LE(amount, idBytes);
  return contents;
}

/** What keeping it costs, in MIST. */
export function storageCost({ type, contents }: Pick<SuiObject, 'type' | 'contents'>): bigint {
  return BigInt(overheadBytes + contents.length + typeBytes(type)) * byteCost;
}

function typeBytes(type: string): number {
  const currency = currencyOf(type);
  if (currency === suiType) return 1;
  return 1 + bcs.TypeTag.serialize(currency ?? type).toBytes().length;
}

export function toBcs(object: SuiObject): Uint8Array {
  const { owner, previousTransaction, storageRebate, contents, version } = object;
  const type = moveType(object.type);
  return bcs.Object.serialize({
    data: { Move: { type, hasPublicTransfer: true, version, contents } },
    owner: { AddressOwner: owner },
    previousTransaction,
    storageRebate,
  }).toBytes();
}

export function fromBcs(bytes: Uint8Array): SuiObject {
  const { data, owner, previousTransaction, storageRebate } = bcs.Object.parse(bytes);
  if (!data.Move || owner.AddressOwner === undefined)
    throw new Error('An object that the local chain does not make');
  const contents = Uint8Array.from(data.Move.contents);
  return {
    id: normalizeSuiAddress(Buffer.from(contents.subarray(0, idBytes)).toString('hex')),
    version: BigInt(data.Move.version),
    type: typeOf(data.Move.type),
    contents,
    owner: owner.AddressOwner,
    previousTransaction,
    storageRebate: BigInt(storageRebate),
  };
}

type MoveType = typeof bcs.MoveObjectType.$inferInput;

function moveType(type: string): MoveType {
  const currency = currencyOf(type);
  if (currency === suiType) return { GasCoin: true };
  if (currency !== undefined) return { Coin: currency };
  const tag = TypeTagSerializer.parseFromStr(type, true);
  if (!('struct' in tag)) throw new Error(`${type} is no type of an object`);
  return { Other: tag.struct };
}

function typeOf(type: typeof bcs.MoveObjectType.$inferType): string {
  if (type.GasCoin) return coinType(suiType);
  if (type.Coin !== undefined) return coinType(type.Coin);
  if (type.Other) return normalizeStructTag(TypeTagSerializer.tagToString({ struct: type.Other }));
  throw new Error('A type of objects that the local chain does not make');
}

export function objectDigest(object: SuiObject): string {
  return digestOf('Object', toBcs(object));
}

export function refOf(object: SuiObject): { objectId: string; version: string; digest: string } {
  return { objectId: object.id, version: String(object.version), digest: objectDigest(object) };
}
