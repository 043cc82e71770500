import { toBase58 } from '@mysten/sui/utils';
import { blake2b } from '@noble/hashes/blake2.js';

/** Scope of an id that is derived from a transaction, beside those of public keys. */
const objectIdScope = 0xf1;

/** A digest as the network makes it: of a type's name, two colons and the value in BCS. */
export function digestOf(type: string, bytes: Uint8Array): string {
  return toBase58(blake2b(Buffer.concat([Buffer.from(`${type}::`), bytes]), { dkLen: 32 }));
}

/** Id of the nth object that a transaction makes. */
export function newObjectId(transaction: Uint8Array, index: bigint): string {
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(index);
  const hash = blake2b(Buffer.concat([Buffer.of(objectIdScope), transaction, count]), {
    dkLen: 32,
  });
  return `0x${Buffer.from(hash).toString('hex')}`;
}
